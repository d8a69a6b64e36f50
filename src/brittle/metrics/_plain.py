"""Columns of cells off any grid: shifts, free conditions, clean and in-distribution images."""

from brittle.metrics.base import Errors, Rates, Sum, mean
from brittle.outcomes import Cell, Role

HEADLINES: tuple[tuple[Role, ...], ...] = (("shift",), ("free",), ("clean", "iid"))
"""The total is the mean over the first of these that was measured."""
PLAIN: tuple[tuple[Role, ...], ...] = (("shift", "free", "clean", "iid"),)
CLEAN: tuple[tuple[Role, ...], ...] = (("clean", "iid"),)


def titles(cells: tuple[Cell, ...]) -> dict[Cell, str]:
    """Name each cell by its role or group, and by its set as well where two would be one.

    >>> cell = Cell("val", "clean", "clean", "clean")
    >>> titles((cell, Cell("r", "clean", "shift", "art")))[cell]
    'clean'
    """
    short = {cell: _title(cell) for cell in cells}
    said = list(short.values())
    return {
        cell: title if said.count(title) == 1 else f"{title} ({cell.set})"
        for cell, title in short.items()
    }


def _title(cell: Cell) -> str:
    if cell.role == "iid":
        return "iid"
    if cell.role == "free":
        return cell.condition
    return cell.group if cell.role == "shift" else cell.role


def plain(errors: Errors) -> Sum:
    """Return every cell as a column; the total is over shifts, else free ones, else clean ones."""
    names = titles(tuple(errors.rates))
    columns: dict[str, Rates] = {names[cell]: rate for cell, rate in errors.rates.items()}
    heads = next(found for roles in HEADLINES if (found := errors.of(*roles)))
    return Sum(mean(heads), columns)

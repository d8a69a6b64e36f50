"""The perturbations that names such as mFR stand for, and how their cells are summed."""

from collections.abc import Sequence

from brittle.metrics.base import Errors, Sum, mean
from brittle.outcomes import Cell
from brittle.spec import parse

TEST = (
    "gaussian_noise", "shot_noise", "motion_blur", "zoom_blur", "snow",
    "brightness", "translate", "rotate", "tilt", "scale",
)  # fmt: skip
"""The ten test perturbations, in the order of the paper's tables."""
VALIDATION = ("speckle_noise", "gaussian_blur", "spatter", "shear")
"""The four that the paper keeps apart for validation; they are never part of the mFR."""


STRONGEST = 3
"""The noises have the strengths 1 to 3."""


def tested(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Leave out the validation perturbations."""
    return tuple(cell for cell in cells if parse(cell.group).name not in VALIDATION)


def tested_if_any(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Leave out the validation perturbations where there are others."""
    return tested(cells) or tuple(cells)


def at(cells: Sequence[Cell], difficulty: int, *, strict: bool) -> tuple[Cell, ...]:
    """Return the cells of one difficulty: of a noise with several strengths the one of that number.

    Unless `strict`, a noise that was measured at other strengths only is taken as it is.
    """
    found = []
    for cell in cells:
        mine = [c.severity for c in cells if c.group == cell.group and c.role == cell.role]
        plain = cell.severity is None or cell.severity == difficulty
        if plain or (not strict and difficulty == 1 and difficulty not in mine):
            found.append(cell)
    return tuple(found)


def plain(errors: Errors) -> Sum:
    """Return what was read of each perturbation; the total is the mean."""
    columns = {cell.condition: rate for cell, rate in errors.of("sequence").items()}
    return Sum(mean(columns), columns)


def divided(errors: Errors) -> Sum:
    """Divide what was read of each perturbation by the baseline's, in percent."""
    means = errors.divisor().means
    columns = {
        cell.group: 100 * (rate / means[cell.group]) for cell, rate in errors.of("sequence").items()
    }
    return Sum(mean(columns), columns)

"""Which pictures stand for a run's mistakes: chosen by a rule, so that nobody picks them by hand.

For each corruption, in the suite's order: among the pictures that are right when clean, those that
are wrong at the mildest severity at which any is; of these the one whose wrong class has the
highest probability, and of equal ones the first by key. A picture that stands for one corruption is
not taken for another.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from brittle.outcomes import Cell
from brittle.sections._answers import COLUMNS, Answer, answers
from brittle.sections._material import View

RULE = (
    "Chosen by a rule and not by hand. For each corruption: of the pictures that are right when "
    "clean, one that is wrong at the mildest severity at which any is{surest}; each picture once."
)
SUREST = ", and of these the one whose wrong class got the highest probability"
"""Of models that give probabilities."""


class Broken(NamedTuple):
    """A picture that is right when clean and wrong under a corruption."""

    key: str
    label: str
    clean: Cell
    cell: Cell
    before: Answer
    after: Answer


def chosen(view: View, count: int) -> tuple[Broken, ...]:
    """Return at most so many by the rule, those first that break at the mildest severity.

    Empty where there is no clean counterpart, or nothing broke.
    """
    cleans = [cell for cell in view.suite.cells if cell.role == "clean"]
    if not cleans or not view.suite.graded:
        return ()
    found = list(_found(view, cleans[0]))
    found.sort(key=lambda one: (one.cell.severity or 0, -one.after.probability, one.key))
    return tuple(found[:count])


def _found(view: View, clean: Cell) -> Iterator[Broken]:
    right = {key for key, rank in _ranks(view, clean) if rank == 0}
    labels = dict(zip(view.outcomes[clean.set].keys, view.outcomes[clean.set].labels, strict=True))
    ladder = [cell for cell in view.suite.cells if cell.role in ("grid", "extra")]
    rungs: dict[str, list[tuple[Cell, list[str]]]] = {}
    for cell in sorted(ladder, key=lambda cell: cell.severity or 0):
        wrong = [key for key, rank in _ranks(view, cell) if rank > 0 and key in right]
        if wrong:
            rungs.setdefault(cell.group, []).append((cell, wrong))
    # Those at whose mildest severity pictures break are read together.
    said = _answers(view, [clean, *(some[0][0] for some in rungs.values())])
    taken: set[str] = set()
    for group in dict.fromkeys(cell.group for cell in ladder):
        for cell, wrong in rungs.get(group, ()):
            if left := [key for key in wrong if key not in taken]:
                after = said[cell] if cell in said else _answers(view, [cell])[cell]
                key = min(left, key=lambda key: (-after[key].probability, key))
                taken.add(key)
                yield Broken(key, labels[key] or "", clean, cell, said[clean][key], after[key])
                break


def _ranks(view: View, cell: Cell) -> list[tuple[str, int]]:
    outcome = view.outcomes[cell.set]
    column = outcome.ranks[:, outcome.conditions.index(cell.condition)]
    return list(zip(outcome.keys, column.tolist(), strict=True))


def _answers(view: View, cells: Sequence[Cell]) -> dict[Cell, dict[str, Answer]]:
    """Return what was said of the pictures of cells, by key, as far as they are measured."""
    found = view.run.rows_by(cells, ["key", *COLUMNS])
    return {
        cell: dict(zip(rows["key"].to_pylist(), answers(rows), strict=True))
        for cell, rows in found.items()
    }

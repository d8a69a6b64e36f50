"""Which pictures stand for a run's mistakes: chosen by a rule, so that nobody picks them by hand.

For each corruption, in the suite's order: among the pictures that are right when clean, those that
are wrong at the mildest severity at which any is; of these the one whose wrong class has the
highest probability, and of equal ones the first by key. A picture that stands for one corruption is
not taken for another.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from brittle.outcomes import Cell
from brittle.sections._material import View

RULE = (
    "Chosen by a rule and not by hand. For each corruption: of the pictures that are right when "
    "clean, one that is wrong at the mildest severity at which any is, and of these the one whose "
    "wrong class got the highest probability; each picture once."
)


class Answer(NamedTuple):
    """What a model said of a picture."""

    place: int
    """The output's number."""
    probability: float


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
    if not cleans or not view.ladder:
        return ()
    found = list(_found(view, cleans[0]))
    found.sort(key=lambda one: (one.cell.severity or 0, -one.after.probability, one.key))
    return tuple(found[:count])


def _found(view: View, clean: Cell) -> Iterator[Broken]:
    right = {key for key, rank in _ranks(view, clean) if rank == 0}
    labels = dict(zip(view.outcomes[clean.set].keys, view.outcomes[clean.set].labels, strict=True))
    rows = view.run.predictions(
        view.suite.name, ["key", "condition", "top_classes", "top_probabilities"]
    )
    before = _answers(rows, clean)
    taken: set[str] = set()
    ladder = [cell for cell in view.suite.cells if cell.role in ("grid", "extra")]
    for group in dict.fromkeys(cell.group for cell in ladder):
        for cell in sorted((c for c in ladder if c.group == group), key=lambda c: c.severity or 0):
            wrong = [
                key
                for key, rank in _ranks(view, cell)
                if rank > 0 and key in right and key not in taken
            ]
            if wrong:
                after = _answers(rows, cell)
                key = min(wrong, key=lambda key: (-after[key].probability, key))
                taken.add(key)
                yield Broken(key, labels[key] or "", clean, cell, before[key], after[key])
                break


def _ranks(view: View, cell: Cell) -> list[tuple[str, int]]:
    outcome = view.outcomes[cell.set]
    column = outcome.ranks[:, outcome.conditions.index(cell.condition)]
    return list(zip(outcome.keys, column.tolist(), strict=True))


def _answers(rows: Any, cell: Cell) -> dict[str, Answer]:
    """Return key -> the foremost class of a cell's pictures, and its probability."""
    import pyarrow.compute as pc

    mine = pc.and_(pc.equal(rows["condition"], cell.condition), pc.equal(rows["set"], cell.set))
    some = rows.filter(mine)
    places = pc.list_element(some["top_classes"], 0).to_numpy()
    shares = pc.list_element(some["top_probabilities"], 0).to_numpy().astype(np.float64)
    return {
        key: Answer(int(place), float(share))
        for key, place, share in zip(some["key"].to_pylist(), places, shares, strict=True)
    }

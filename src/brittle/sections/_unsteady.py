"""Which sequences stand for a run's flips, and what the model said of their frames.

They are chosen by a rule, so that nobody picks them by hand: of the perturbations in turn, that
whose foremost sequence flips most, its sequence with the largest share of flips, and of equal ones
the first by key; every picture and every perturbation once, of films every film.
"""

from collections.abc import Sequence
from typing import NamedTuple

from brittle import store
from brittle.outcomes import FOOTAGE, Cell
from brittle.scoring.moving import Unsteady, unsteady
from brittle.sections._answers import COLUMNS, Answer, answers
from brittle.sections._material import View

SHOWN = 8
"""Frames of a sequence on the page."""
RULE = (
    "Chosen by a rule and not by hand: the sequences that flip most, every picture and every "
    f"perturbation once; of each the {SHOWN} frames from the one before its first flip on (under "
    "noise: frame 0, which is clean, and those from the first flip on). \u2192 marks a frame whose "
    "answer has changed: it is not that of the frame before (under noise: of frame 0)."
)


class Frame(NamedTuple):
    """A frame that is shown, and what the model said of it."""

    number: int
    answer: Answer
    flips: bool


class Film(NamedTuple):
    """A sequence that flips."""

    cell: Cell
    found: Unsteady
    frames: tuple[Frame, ...]


def chosen(view: View, count: int) -> tuple[Film, ...]:
    """Return at most so many by the rule; empty where nothing flips."""
    cells = {cell.condition: cell for cell in view.suite.cells if cell.role == "sequence"}
    films: list[Film] = []
    for one in unsteady(view.suite, view.outcomes):
        cell = cells[one.condition]
        pictures = {film.found.key for film in films}
        groups = {film.cell.group for film in films} - {FOOTAGE}
        if one.key not in pictures and cell.group not in groups:
            films.append(Film(cell, one, _frames(view, cell, one)))
        if len(films) == count:
            break
    return tuple(films)


def _frames(view: View, cell: Cell, one: Unsteady) -> tuple[Frame, ...]:
    said = _answers(view, cell, one.key)
    numbers = shown(one.frames, len(said), first=view.reference(cell) == "first")
    return tuple(Frame(n, said[n], n in one.frames) for n in numbers)


def shown(flips: Sequence[int], length: int, *, first: bool) -> list[int]:
    """Return the numbers of the frames that are shown.

    >>> shown((4, 5), 31, first=False), shown((4, 5), 31, first=True), shown((30,), 31, first=False)
    ([3, 4, 5, 6, 7, 8, 9, 10], [0, 4, 5, 6, 7, 8, 9, 10], [23, 24, 25, 26, 27, 28, 29, 30])
    """
    before = [0] if first else []
    room = SHOWN - len(before)
    start = max(min(flips[0] - (not first), length - room), len(before))
    return before + list(range(start, min(start + room, length)))


def _answers(view: View, cell: Cell, key: str) -> list[Answer]:
    """Return what was said of every frame of a sequence, in order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    row = view.outcomes[cell.set].keys.index(key)
    names = ("key", "condition", "frame", *COLUMNS)
    parts = view.run.parts_of(cell.set, {cell.condition}, row=row)
    table = pa.concat_tables([store.read_table(path, names) for path in parts])
    mine = pc.and_(pc.equal(table["condition"], cell.condition), pc.equal(table["key"], key))
    return answers(table.filter(mine).sort_by("frame"))

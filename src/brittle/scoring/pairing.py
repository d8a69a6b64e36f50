"""Two runs put side by side, image by image; what is not the same in both is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, final, overload

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ScoreError
from brittle.outcomes import Outcome, Suite
from brittle.scoring.rates import Measured, Sampler
from brittle.scoring.sameness import Side, compared


class Pair(NamedTuple):
    """One suite in two runs, with the names of sets and the cells as in the old one."""

    old: Suite
    new: Suite
    before: Mapping[str, Outcome]
    after: Mapping[str, Outcome]
    notes: tuple[str, ...]


class Flip(NamedTuple):
    """An image that is right in one run and wrong in the other, in some condition of a set."""

    key: str
    label: str | None
    set: str
    broke: int
    """Conditions in which it was right and is wrong."""
    mended: int
    """Conditions in which it was wrong and is right."""
    of: int
    """Conditions in which both runs measured it."""


@final
class Flips(Sequence[Flip]):
    """The images that changed sides, those that got worst first; each is made when asked for."""

    def __init__(self, tables: Mapping[str, "_Table"]) -> None:
        """Sort what was counted, set by set."""
        self._tables = dict(sorted(tables.items()))
        counts = [table.counts for table in self._tables.values()]
        self._of = np.repeat(np.arange(len(counts)), [len(count) for count in counts])
        self._counts = np.concatenate([*counts, np.zeros((0, 4), np.int64)])
        _, broke, mended, _ = self._counts.T
        # Within a set the images are sorted by key, and sorting leaves equal ones in their order.
        self._order = np.lexsort((-broke, mended - broke))

    @property
    def broke(self) -> int:
        """How many times an image was right and is wrong, all conditions together."""
        return int(self._counts[:, 1].sum())

    @property
    def mended(self) -> int:
        """How many times an image was wrong and is right."""
        return int(self._counts[:, 2].sum())

    @property
    def sets(self) -> tuple[str, ...]:
        """The sets that the images are of."""
        return tuple(name for name, table in self._tables.items() if len(table.counts))

    def __len__(self) -> int:
        """Return the number of images that changed sides."""
        return len(self._counts)

    @overload
    def __getitem__(self, place: int) -> Flip: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Flip, ...]: ...
    def __getitem__(self, place: int | slice) -> Flip | tuple[Flip, ...]:
        """Return the image that got worst but for so many, or several."""
        if isinstance(place, slice):
            return tuple(map(self._flip, self._order[place]))
        return self._flip(self._order[place])

    def _flip(self, at: np.intp) -> Flip:
        name = list(self._tables)[self._of[at]]
        row, broke, mended, both = self._counts[at].tolist()
        outcome = self._tables[name].outcome
        return Flip(outcome.keys[row], outcome.labels[row], name, broke, mended, both)


class _Table(NamedTuple):
    """The images of a set that changed sides, sorted by key."""

    outcome: Outcome
    counts: NDArray[np.int64]
    """A row an image: its row in the outcome, broke, mended, measured in both."""


def pair(old: Measured, new: Measured, name: str | None) -> Pair:
    """Return both runs' outcomes of a suite; runs that measured different things are refused."""
    first, second = old.suite(name), new.suite(name)
    if first.name != second.name:
        raise _differ(f"suite {first.name} in OLD and {second.name} in NEW")
    before, after = old.outcomes(first.name), new.outcomes(second.name)
    found = compared(
        Side("OLD", first, before, old.info), Side("NEW", second, after, new.info), whole=True
    )
    if found.differ:
        raise _differ("; ".join(found.differ))
    renamed = {found.sets[name]: one for name, one in after.items() if name in found.sets}
    # What the new run says of itself stays its own, such as its classes.
    return Pair(first, replace(first, facts=second.facts), before, renamed, found.notes)


def flips(before: Sampler, after: Sampler) -> Flips:
    """Return the images that changed sides, those that got worst first."""
    tables = {}
    for name in dict.fromkeys(cell.set for cell in before.suite.cells):
        if name not in before.outcomes or name not in after.outcomes:
            continue
        both = [set(sampler.outcomes[name].conditions) for sampler in (before, after)]
        cells = [
            cell
            for cell in dict.fromkeys(
                c._replace(role="free") for c in before.suite.cells if c.role != "sequence"
            )
            if cell.set == name and all(cell.condition in some for some in both)
        ]
        if not cells:
            continue
        if before.images(cells[0]).digest != after.images(cells[0]).digest:
            raise _differ(f"the models know the classes of different images of {name}")
        was = np.stack([before.ranks(cell) for cell in cells], axis=1)
        now = np.stack([after.ranks(cell) for cell in cells], axis=1)
        seen = (was >= 0) & (now >= 0)
        broke = (seen & (was == 0) & (now > 0)).sum(axis=1)
        mended = (seen & (was > 0) & (now == 0)).sum(axis=1)
        rows = before.images(cells[0]).rows
        counts = np.stack([rows, broke, mended, seen.sum(axis=1)], axis=1).astype(np.int64)
        tables[name] = _Table(before.outcomes[name], counts[broke + mended > 0])
    return Flips(tables)


def _differ(what: str) -> ScoreError:
    return ScoreError(
        f"The runs cannot be compared: {what}. A comparison needs the same pictures in both; "
        f"evaluate one of the models again as the other was."
    )

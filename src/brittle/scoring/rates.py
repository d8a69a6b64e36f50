"""From ranks to error rates: which images are wrong in a cell, and what is still missing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ScoreError
from brittle.metrics.base import Rates
from brittle.outcomes import MISSING, UNLABELLED, Cell, Outcome, Reads, Steps, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import Images

SHOWN = 3
"""Cells that a message names; it counts the others."""


class Measured(Protocol):
    """What a stored run shows of itself; `Run` is one."""

    @property
    def model(self) -> str:
        """The model's canonical spec."""

    @property
    def info(self) -> Mapping[str, Any]:
        """The record of the run; its `seed` is that of the corruptions."""

    @property
    def suites(self) -> tuple[str, ...]:
        """The names of its suites."""

    def suite(self, name: str | None = None, /) -> Suite:
        """Return the suite of that name, or the only one."""

    def outcomes(self, suite: str, /) -> Mapping[str, Outcome]:
        """Return set -> ranks."""

    def scores(
        self,
        names: Sequence[str] | None = None,
        *,
        suite: str | None = None,
        replicates: int = 1000,
        level: float = 0.95,
    ) -> Any:
        """Return scores of a suite, those that read outputs among them."""


class Wanted(NamedTuple):
    """A cell, and what is read of it."""

    cell: Cell
    reads: Reads = "top1"


class Sampler:
    """The error rates of a suite's cells with their replicates, each made once."""

    def __init__(
        self,
        suite: Suite,
        outcomes: Mapping[str, Outcome],
        *,
        replicates: int,
        seed: int,
        difficulty: int = 1,
    ) -> None:
        """Draw nothing yet; `difficulty` is how far apart the frames are that are compared."""
        if isinstance(difficulty, bool) or not isinstance(difficulty, int) or difficulty < 1:
            raise ScoreError(f"A difficulty is a whole number of at least 1; got {difficulty!r}.")
        self.suite, self.outcomes, self.difficulty = suite, outcomes, difficulty
        self.replicates, self.seed = replicates, seed
        self._images: dict[str, Images] = {}
        self._rates: dict[Wanted, Rates] = {}
        for name, outcome in outcomes.items():
            if outcome.ranks.shape != (len(outcome.keys), len(outcome.conditions)):
                raise ScoreError(
                    f"The ranks of the set {name} have the shape {outcome.ranks.shape}; it has "
                    f"{len(outcome.keys)} images and {len(outcome.conditions)} conditions."
                )

    def images(self, cell: Cell) -> Images:
        """Return the labelled images of the cell's set; of sequences all, which need no labels."""
        if cell.set not in self._images and self.outcomes[cell.set].frames is not None:
            keys = self.outcomes[cell.set].keys
            self._images[cell.set] = Images.of(keys, range(len(keys)))
        if cell.set not in self._images:
            outcome = self.outcomes[cell.set]
            strange = (outcome.ranks == UNLABELLED).any(axis=1)
            rows = [n for n, label in enumerate(outcome.labels) if label is not None]
            rows = [n for n in rows if not strange[n]]
            if not rows:
                raise ScoreError(
                    f"None of the {len(outcome.keys)} images of the set {cell.set} has a label "
                    f"among the model's classes; a score needs labels."
                )
            self._images[cell.set] = Images.of(outcome.keys, rows)
        return self._images[cell.set]

    def ranks(self, cell: Cell) -> NDArray[np.int16]:
        """Return the ranks of the cell's labelled images, sorted by key."""
        outcome = self.outcomes[cell.set]
        column = outcome.conditions.index(cell.condition)
        found: NDArray[np.int16] = outcome.ranks[self.images(cell).rows, column]
        return found

    def wrong(self, wanted: Wanted) -> NDArray[np.bool_]:
        """Say which of the cell's images are wrong."""
        return np.asarray(self.ranks(wanted.cell) >= (5 if wanted.reads == "top5" else 1))

    def steps(self, wanted: Wanted) -> Steps:
        """Return how the predictions of the cell's sequences move, sorted by key."""
        frames = self.outcomes[wanted.cell.set].frames
        if frames is None or wanted.reads in ("top1", "top5"):
            raise ScoreError(f"{wanted.cell.condition} is no sequence, whose frames would move.")
        reads: Any = wanted.reads
        # At another difficulty noise is stronger, and its frames are compared as they always are.
        apart = 1 if wanted.cell.severity is not None else self.difficulty
        found = frames.steps(wanted.cell.condition, reads, apart)
        rows = self.images(wanted.cell).rows
        return found._replace(values=found.values[rows], counts=found.counts[rows])

    def left_out(self, cells: Iterable[Cell]) -> int:
        """Return how many images of these sets have no label."""
        one = {cell.set: cell for cell in cells}
        return sum(len(self.outcomes[s].keys) - len(self.images(c)) for s, c in one.items())

    def count(self, cells: Iterable[Cell]) -> int:
        """Return the number of different images; those of sets with the same keys count once."""
        found = {self.images(cell).digest: len(self.images(cell)) for cell in cells}
        return sum(found.values())

    def measured(self, cell: Cell) -> bool:
        """Say whether every labelled image was measured in this cell."""
        outcome = self.outcomes.get(cell.set)
        if outcome is None or not outcome.keys or cell.condition not in outcome.conditions:
            return False
        return not (self.ranks(cell) == MISSING).any()

    def need(self, cells: Sequence[Cell], title: str) -> None:
        """Refuse cells that are not measured on every image, naming the first few."""
        gaps = [cell for cell in cells if not self.measured(cell)]
        if not gaps:
            return
        named = ", ".join(_named(cell) for cell in gaps[:SHOWN])
        more = f" and {len(gaps) - SHOWN} more" if len(gaps) > SHOWN else ""
        raise ScoreError(
            f"{title} needs {len(cells)} cell{'s' * (len(cells) > 1)} of {self.suite.name}, and "
            f"{len(gaps)} of them "
            f"{'is' if len(gaps) == 1 else 'are'} not measured on every image: {named}{more}. "
            f"Finish the run: the same brittle evaluate goes on where it stopped, and brittle "
            f"merge joins shares."
        )

    def prepare(self, wanted: Iterable[Wanted]) -> None:
        """Make the rates of all these cells, one pass for those of the same images."""
        batches: dict[str, list[Wanted]] = {}
        for one in dict.fromkeys(wanted):
            if one not in self._rates:
                batches.setdefault(self.images(one.cell).digest, []).append(one)
        for batch in batches.values():
            columns = [self._column(one) for one in batch]
            images = self.images(batch[0].cell)
            table = np.stack([values for values, _ in columns], axis=1)
            made = bootstrap.sums(table, images, replicates=self.replicates, seed=self.seed)
            for one, (_, factor), rate in zip(batch, columns, made.T, strict=True):
                self._rates[one] = factor * rate / len(images)

    def rates(self, cells: Sequence[Cell], reads: Reads = "top1") -> dict[Cell, Rates]:
        """Return the percentage of wrong images in each cell, and its replicates.

        Of sequences it is the percentage of comparisons that flip, or the mean distance.
        """
        self.prepare(Wanted(cell, reads) for cell in cells)
        return {cell: self._rates[Wanted(cell, reads)] for cell in cells}

    def _column(self, wanted: Wanted) -> tuple[NDArray[Any], float]:
        """Return a value an image, whole numbers where it can be, and what its mean is times."""
        if wanted.reads in ("top1", "top5"):
            return self.wrong(wanted), 100.0
        steps = self.steps(wanted)
        percent = 100.0 if wanted.reads == "flips" else 1.0
        # A sequence's comparisons are averaged first; mostly all have equally many.
        kind = np.int64 if steps.values.dtype.kind in "biu" else np.float64
        sums = steps.values.sum(axis=1, dtype=kind)
        if (steps.counts == steps.counts[0]).all():
            return sums, percent / steps.counts[0]
        return sums / steps.counts, percent

    def classes(self, cells: Iterable[Cell]) -> int:
        """Return the number of classes, as far as it can be known."""
        said: Any = self.suite.facts.get("classes")
        if isinstance(said, int) and not isinstance(said, bool):
            return said
        known = 0
        for cell in cells:
            labels = {label for label in self.outcomes[cell.set].labels if label is not None}
            known = max(known, len(labels), int(self.ranks(cell).max()) + 1)
        return known


def _named(cell: Cell) -> str:
    return cell.condition if cell.condition != "clean" else f"{cell.role} images"

"""Where sequences flip: which images flip most, and at which frame."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from brittle.errors import ScoreError
from brittle.metrics._sequences import at
from brittle.outcomes import Cell, Outcome, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.rates import Sampler, Wanted


class Unsteady(NamedTuple):
    """A sequence whose foremost class changes."""

    key: str
    label: str | None
    condition: str
    flips: int
    of: int
    """Comparisons of the sequence."""
    frames: tuple[int, ...]
    """The frames that have another foremost class than their reference."""


class Step(NamedTuple):
    """One frame of all sequences, compared with its reference."""

    frame: int
    flips: Mapping[str, Number]
    """Condition -> share of the sequences that flip here, in percent."""


def unsteady(
    suite: Suite, outcomes: Mapping[str, Outcome], *, most: int | None = None, difficulty: int = 1
) -> tuple[Unsteady, ...]:
    """Return the sequences that flip, those that flip most first, then by key and condition."""
    sampler = Sampler(suite, outcomes, replicates=0, seed=0, difficulty=difficulty)
    found: list[Unsteady] = []
    for cell in _cells(sampler, "The list of sequences that flip"):
        outcome, rows = sampler.outcomes[cell.set], sampler.images(cell).rows
        steps = sampler.steps(Wanted(cell, "flips"))
        for place in np.flatnonzero(steps.values.any(axis=1)).tolist():
            row = int(rows[place])
            where = np.flatnonzero(steps.values[place]).tolist()
            found.append(
                Unsteady(
                    outcome.keys[row],
                    outcome.labels[row],
                    cell.condition,
                    len(where),
                    int(steps.counts[place]),
                    tuple(steps.frames[one] for one in where),
                )
            )
    found.sort(key=lambda one: (-one.flips / one.of, one.key, one.condition))
    return tuple(found if most is None else found[:most])


def by_frame(
    suite: Suite,
    outcomes: Mapping[str, Outcome],
    *,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> tuple[Step, ...]:
    """Return how many sequences flip at each frame, with intervals.

    Films of different lengths have no frame in common and are a `ScoreError`.
    """
    bootstrap.check(replicates, level)
    sampler = Sampler(suite, outcomes, replicates=replicates, seed=seed, difficulty=difficulty)
    found: dict[int, dict[str, Number]] = {}
    for cell in _cells(sampler, "A breakdown by frame"):
        steps, images = sampler.steps(Wanted(cell, "flips")), sampler.images(cell)
        if (steps.counts != steps.counts[0]).any():
            raise ScoreError(
                f"The sequences of {cell.condition} have different lengths, so their frames cannot "
                f"be put together; by sequence works."
            )
        made = 100 * bootstrap.sums(steps.values, images, replicates=replicates, seed=seed)
        for frame, rate in zip(steps.frames, made.T / len(images), strict=True):
            found.setdefault(frame, {})[cell.condition] = number(rate, level)
    return tuple(Step(frame, found[frame]) for frame in sorted(found))


def _cells(sampler: Sampler, title: str) -> tuple[Cell, ...]:
    there = [cell for cell in sampler.suite.cells if cell.role == "sequence"]
    if not there:
        raise ScoreError(
            f"{title} is of frames, and {sampler.suite.name} has none; evaluate imagenet-p."
        )
    cells = at(there, sampler.difficulty, strict=sampler.difficulty > 1)
    sampler.need(cells, title)
    return cells

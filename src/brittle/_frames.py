"""The frames of a stored run: which classes stood foremost in each, and how they move.

The five foremost classes of every frame are held as small integers, 15 MB a perturbation of
ImageNet-P's 50,000 sequences. Rankings of all classes are read part by part when they are asked
for, and once for all perturbations.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from brittle.outcomes import Movement, Steps
from brittle.types import Reference

Part: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.integer[Any]]]
"""Row of the sequence, number of the frame, and the classes, the foremost first."""

Measure: TypeAlias = Callable[[Any], NDArray[Any]]

BLOCK = 1 << 22
"""Comparisons that are made at a time."""


@final
class StoredFrames:
    """The predictions of sequences under every condition (see `outcomes.Frames`)."""

    def __init__(
        self,
        sequences: int,
        references: Mapping[str, Reference],
        parts: Mapping[str, Sequence[Part]],
        rankings: Callable[[Sequence[str]], Iterator[tuple[str, Part]]],
    ) -> None:
        """Take the parts of each condition; `rankings` reads those of all classes, by condition."""
        self._sequences, self._references, self._parts = sequences, references, dict(parts)
        self._conditions, self._rankings = tuple(parts), rankings
        self._top: dict[str, tuple[NDArray[Any], NDArray[np.intp]]] = {}
        self._made: dict[tuple[str, Movement, int], Steps] = {}

    def steps(self, condition: str, kind: Movement, difficulty: int = 1) -> Steps:
        """Compare frames with their references."""
        name = condition, kind, self._apart(condition, difficulty)
        if name not in self._made:
            if kind == "zipf_distance":
                self._read_rankings(difficulty)
            else:
                self._made[name] = self._steps(*name)
        return self._made[name]

    def _apart(self, condition: str, difficulty: int) -> int:
        """Return the difficulty that matters: frames drawn afresh have one reference at any."""
        return difficulty if self._references[condition] == "previous" else 1

    def _steps(self, condition: str, kind: Movement, difficulty: int) -> Steps:
        from brittle import stability

        reference = self._references[condition]
        function = stability.flips if kind == "flips" else stability.top5_distance
        return _measured(
            *self._foremost(condition),
            lambda some: function(some, reference, difficulty),
            reference,
            difficulty,
        )

    def _read_rankings(self, difficulty: int) -> None:
        """Measure all conditions part by part, since sequences never span parts.

        Rankings would fill the memory, and to read them is what takes the time.
        """
        asked = {name: self._apart(name, difficulty) for name in self._conditions}
        asked = {
            name: apart
            for name, apart in asked.items()
            if (name, "zipf_distance", apart) not in self._made
        }
        gathered = {name: _Gathered(self._sequences) for name in asked}
        for name, (row, frame, classes) in self._rankings(tuple(asked)):
            own, place = np.unique(row, return_inverse=True)
            top, counts = _placed(len(own), [(place.astype(np.int32), frame, classes)])
            how = self._references[name], asked[name]
            found = _measured(top, counts, partial(_zipf, how=how), *how)
            gathered[name].take(own, found)
        for name, apart in asked.items():
            self._made[name, "zipf_distance", apart] = gathered[name].steps()

    def _foremost(self, condition: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
        if condition not in self._top:
            self._top[condition] = _placed(self._sequences, self._parts.pop(condition, ()))
        return self._top[condition]


def _zipf(rankings: NDArray[Any], *, how: tuple[Reference, int]) -> NDArray[Any]:
    from brittle import stability

    return stability.zipf_distance(rankings, *how)


class _Gathered:
    """The distances of one condition, as its parts come in."""

    def __init__(self, sequences: int) -> None:
        self._values = np.zeros((sequences, 0))
        self._counts = np.zeros(sequences, np.intp)
        self._frames: tuple[int, ...] = ()

    def take(self, rows: NDArray[np.integer[Any]], found: Steps) -> None:
        """Take the sequences of a part."""
        width = found.values.shape[1]
        if width > self._values.shape[1]:
            more = width - self._values.shape[1]
            self._values, self._frames = np.pad(self._values, ((0, 0), (0, more))), found.frames
        self._values[rows, :width] = found.values
        self._counts[rows] = found.counts

    def steps(self) -> Steps:
        """Return what was taken."""
        return Steps(self._values, self._counts, self._frames)


def _measured(
    top: NDArray[Any],
    counts: NDArray[np.intp],
    function: Measure,
    reference: Reference,
    difficulty: int,
) -> Steps:
    """Measure the sequences of each length together."""
    from brittle import stability

    lengths = [int(one) for one in np.unique(counts) if one]
    widths = [stability.comparisons(one, reference, difficulty) for one in lengths]
    width = max(widths, default=0)
    values: NDArray[Any] = np.zeros((len(counts), 0), np.int8)
    done = np.zeros(len(counts), np.intp)
    for frames in lengths:
        mine = np.flatnonzero(counts == frames)
        size = max(1, BLOCK // (frames * max(top.shape[2], 1)))
        for start in range(0, len(mine), size):
            some = mine[start : start + size]
            found = function(top[some, :frames])
            if not values.shape[1]:
                values = np.zeros((len(counts), width), found.dtype)
            values[some, : found.shape[1]] = found
            done[some] = found.shape[1]
    return Steps(values, done, _numbers(width, reference, difficulty))


def _placed(sequences: int, parts: Sequence[Part]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return sequences x frames x classes, and how many frames each sequence has."""
    rows = [row for row, _, _ in parts] or [np.zeros(0, np.int32)]
    counts = np.bincount(np.concatenate(rows), minlength=sequences)
    width = max((classes.shape[1] for _, _, classes in parts), default=0)
    # One part may hold larger indices than another.
    kind = np.result_type(np.int16, *(classes.dtype for _, _, classes in parts))
    top = np.full((sequences, int(counts.max(initial=0)), width), -1, kind)
    for row, frame, classes in parts:
        top[row, frame] = classes
    return top, counts


def _numbers(count: int, reference: Reference, difficulty: int) -> tuple[int, ...]:
    """Return the frames that are compared: the first one or so are references only."""
    start = 1 if reference == "first" else difficulty
    return tuple(range(start, start + count))

"""The frames of a stored run: which classes stood foremost in each, and how they move.

The five foremost classes of every frame are held as small integers, 15 MB a perturbation of
ImageNet-P's 50,000 sequences. Rankings of all classes are read part by part when they are asked
for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ScoreError
from brittle.outcomes import Movement, Steps
from brittle.types import Reference

Part: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.integer[Any]]]
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
        rankings: Callable[[str], Iterator[Part]],
    ) -> None:
        """Take the parts of each condition; `rankings` reads those of all classes."""
        self._sequences, self._references, self._parts = sequences, references, parts
        self._rankings = rankings
        self._top: dict[str, tuple[NDArray[Any], NDArray[np.intp]]] = {}
        self._made: dict[tuple[str, Movement, int], Steps] = {}

    def steps(self, condition: str, kind: Movement, difficulty: int = 1) -> Steps:
        """Compare frames with their references."""
        name = condition, kind, difficulty
        if name not in self._made:
            self._made[name] = self._steps(*name)
        return self._made[name]

    def _steps(self, condition: str, kind: Movement, difficulty: int) -> Steps:
        from brittle import stability

        reference = self._references[condition]

        def zipf(ranking: Any) -> Any:
            return stability.zipf_distance(ranking, reference, difficulty)

        if kind == "zipf_distance":
            return self._streamed(condition, zipf, reference, difficulty)
        top, counts = self._foremost(condition)
        function = stability.flips if kind == "flips" else stability.top5_distance
        return _measured(
            top, counts, lambda some: function(some, reference, difficulty), reference, difficulty
        )

    def _streamed(
        self, condition: str, function: Measure, reference: Reference, difficulty: int
    ) -> Steps:
        """Measure part by part: sequences never span parts, and rankings would fill the memory."""
        values = np.zeros((self._sequences, 0))
        counts = np.zeros(self._sequences, np.intp)
        numbers: tuple[int, ...] = ()
        for row, frame, classes in self._rankings(condition):
            own, place = np.unique(row, return_inverse=True)
            part = [(place.astype(np.intp), frame, classes)]
            found = _measured(*_placed(len(own), part), function, reference, difficulty)
            if found.values.shape[1] > values.shape[1]:
                more = found.values.shape[1] - values.shape[1]
                values, numbers = np.pad(values, ((0, 0), (0, more))), found.frames
            values[own, : found.values.shape[1]] = found.values
            counts[own] = found.counts
        return Steps(values, counts, numbers)

    def _foremost(self, condition: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
        if condition not in self._top:
            self._top[condition] = _placed(self._sequences, self._parts.get(condition, ()))
        return self._top[condition]


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
    counts = np.zeros(sequences, np.intp)
    for row, _, _ in parts:
        counts += np.bincount(row, minlength=sequences)
    width = max((classes.shape[1] for _, _, classes in parts), default=0)
    kind = parts[0][2].dtype if parts else np.dtype(np.int16)
    top = np.full((sequences, int(counts.max(initial=0)), width), -1, kind)
    for row, frame, classes in parts:
        top[row, frame] = classes
    return top, counts


def _numbers(count: int, reference: Reference, difficulty: int) -> tuple[int, ...]:
    """Return the frames that are compared: the first one or so are references only."""
    start = 1 if reference == "first" else difficulty
    return tuple(range(start, start + count))


def needs_ranking(name: str) -> ScoreError:
    """Return the refusal of a distance that reads more than was kept."""
    return ScoreError(
        f"The Zipf distance needs the ranking of all classes, and {name} kept the foremost five. "
        f"Evaluate again into another folder with --keep ranking."
    )

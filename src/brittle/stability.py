"""How much predictions move from frame to frame: flips, and two distances between rankings.

A comparison is of a frame with its reference: the frame before it, or the first where each frame
is drawn afresh. At difficulty k a frame is compared with the one k before it, which pools the k
interleaved sub-sequences; frames drawn afresh are no harder for being apart, so there the first
stays the reference and difficulty is the noise's strength.

Every function takes sequences x frames x places and returns sequences x comparisons.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.errors import ScoreError
from brittle.types import Reference

Classes: TypeAlias = NDArray[np.integer[Any]]
"""Indices of classes, the foremost first."""

TOP = 5
"""Places that the top-5 distance looks at."""


def comparisons(frames: int, reference: Reference, difficulty: int = 1) -> int:
    """Return how many comparisons a sequence of that many frames has.

    >>> comparisons(31, "previous"), comparisons(31, "previous", 3), comparisons(31, "first")
    (30, 28, 30)
    """
    return frames - (difficulty if reference == "previous" else 1)


def flips(top: Classes, reference: Reference, difficulty: int = 1) -> NDArray[np.bool_]:
    """Say which frames have another foremost class than their reference.

    >>> flips(np.array([[[1], [1], [2], [1]]]), "previous").tolist()
    [[False, True, True]]
    >>> flips(np.array([[[1], [1], [2], [1]]]), "first").tolist()
    [[False, True, False]]
    """
    _check(top, reference, difficulty)
    before, after = _pairs(top[:, :, 0], reference, difficulty)
    return np.asarray(before != after)


def top5_distance(top: Classes, reference: Reference, difficulty: int = 1) -> NDArray[np.int8]:
    """Return the top-5 distances: how far the reference's five foremost classes have moved.

    d = sum over i = 1..5 of |C(i - 1) - C(s(i) - 1)| with C(k) = min(k, 5), where s(i) is the place
    in the frame of the class that is i-th in the reference. 0 to 15; it is no symmetric distance.
    `top` holds the five foremost classes, or all where there are fewer.

    >>> top5_distance(np.array([[[0, 1, 2, 3, 4], [0, 1, 2, 3, 9]]]), "previous").tolist()
    [[1]]
    """
    _check(top, reference, difficulty)
    width = min(TOP, top.shape[2])
    count = comparisons(top.shape[1], reference, difficulty)
    out = np.empty((len(top), count), np.int8)
    found = np.ascontiguousarray(top[:, :, :width])
    _top5(found, 0 if reference == "first" else difficulty, out)
    return out


def zipf_distance(
    ranking: Classes, reference: Reference, difficulty: int = 1
) -> NDArray[np.float64]:
    """Return the Zipf distances: every place counts, the foremost most.

    d = sum over i of |w(i) - w(s(i))| * w(i) with w(i) = 1 / i and s as in the top-5 distance.
    `ranking` holds all classes.

    >>> zipf_distance(np.array([[[0, 1, 2], [1, 0, 2]]]), "previous").tolist()
    [[0.75]]
    """
    _check(ranking, reference, difficulty)
    if not (np.sort(ranking[:, :, :], axis=2) == np.arange(ranking.shape[2])).all():
        raise ScoreError("A Zipf distance needs the ranking of all classes, each of them once.")
    count = comparisons(ranking.shape[1], reference, difficulty)
    out = np.empty((len(ranking), count))
    _zipf(np.ascontiguousarray(ranking), 0 if reference == "first" else difficulty, out)
    return out


def _check(top: Classes, reference: Reference, difficulty: int) -> None:
    if top.ndim != 3:
        raise ScoreError(
            f"Predictions of frames are sequences x frames x places; got the shape {top.shape}."
        )
    if isinstance(difficulty, bool) or difficulty != int(difficulty) or difficulty < 1:
        raise ScoreError(f"A difficulty is a whole number of at least 1; got {difficulty!r}.")
    if comparisons(top.shape[1], reference, difficulty) < 1:
        raise ScoreError(
            f"A sequence of {top.shape[1]} frames has nothing to compare at difficulty "
            f"{difficulty}; take a lower one."
        )


def _pairs(values: Any, reference: Reference, difficulty: int) -> tuple[Any, Any]:
    if reference == "first":
        return values[:, :1], values[:, 1:]
    return values[:, :-difficulty], values[:, difficulty:]


@kernel
def _top5(top: Any, apart: int, out: Any) -> None:
    width = top.shape[2]
    for n in range(out.shape[0]):
        for step in range(out.shape[1]):
            # Apart by nothing: the first frame is the reference of all others.
            one = top[n, step if apart else 0]
            other = top[n, step + max(apart, 1)]
            total = 0
            for i in range(width):
                place = 5
                for j in range(width):
                    if other[j] == one[i]:
                        place = j
                        break
                total += abs(i - place)
            out[n, step] = total


@kernel
def _zipf(ranking: Any, apart: int, out: Any) -> None:
    classes = ranking.shape[2]
    place = np.empty(classes, np.int64)
    for n in range(out.shape[0]):
        for step in range(out.shape[1]):
            one = ranking[n, step if apart else 0]
            other = ranking[n, step + max(apart, 1)]
            for j in range(classes):
                place[other[j]] = j
            total = 0.0
            for i in range(classes):
                weight = 1.0 / (i + 1)
                total += abs(weight - 1.0 / (place[one[i]] + 1)) * weight
            out[n, step] = total

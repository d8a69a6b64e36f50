"""Average precision of every class, exact where scores are equal, under weights of the images.

For a class with images ordered by falling score,

    AP = sum over thresholds k of (R_k - R_{k-1}) P_k,

with recall R_k and precision P_k of the images at or above the k-th distinct score; images of one
score enter together, so that AP does not depend on the order in which they are stored. There is no
interpolation between the points. This is `average_precision_score` of scikit-learn; VOC 2007 took
11 interpolated points, which is another number.

Weights are how often an image counts, so a bootstrap replicate is a row of them. Counts are summed
exactly, whatever the order.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.errors import ScoreError

Weights = NDArray[np.floating]
"""Replicates x images: how often each image counts."""


class AveragePrecision(NamedTuple):
    """Average precision, in 0..1, higher is better: as measured, then a row for each replicate."""

    values: NDArray[np.float64]
    """Rows x classes; nan where a class has no positive image."""
    positives: NDArray[np.float64]
    """Rows x classes: the weight of the images that have the class."""


def average_precision(
    scores: NDArray[Any], truth: NDArray[np.bool_], weights: Iterable[Weights] | None = None
) -> AveragePrecision:
    """Return the average precision of every class, for each row of weights.

    `scores` are N x C numbers, higher where the class is more likely there (logits and their
    sigmoids give the same, unless these round to 1); `truth` is N x C. `weights` are blocks of
    rows, as `brittle.scoring.bootstrap.weights` yields them; without any there is one row, of ones.

    >>> scores = np.array([[0.9, 0.1], [0.8, 0.6], [0.1, 0.6]])
    >>> truth = np.array([[True, False], [False, True], [True, False]])
    >>> average_precision(scores, truth).values.round(4).tolist()
    [[0.8333, 0.5]]
    """
    scores, truth = _checked(scores, truth)
    blocks = [np.ones((1, len(scores)), np.float32)] if weights is None else weights
    columns = np.ascontiguousarray(scores.T)
    order = np.argsort(-columns, axis=1, kind="stable").astype(np.int32)
    ordered = np.take_along_axis(columns, order, axis=1)
    last = np.ones(order.shape, np.bool_)
    last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    there = np.take_along_axis(np.ascontiguousarray(truth.T), order, axis=1)
    values, positives = [], []
    for block in blocks:
        if block.ndim != 2 or block.shape[1] != len(scores):
            raise ScoreError(
                f"Weights are rows of a number an image, so of {len(scores)}; got an array of "
                f"shape {block.shape}."
            )
        shape = (len(block), len(order))
        values.append(np.empty(shape))
        positives.append(np.empty(shape))
        _precisions(order, there, last, *_counted(block), values[-1], positives[-1])
    if not values:
        raise ScoreError("There are no rows of weights; give one at least, of ones.")
    return AveragePrecision(np.concatenate(values), np.concatenate(positives))


def _checked(
    scores: NDArray[Any], truth: NDArray[np.bool_]
) -> tuple[NDArray[np.floating], NDArray[np.bool_]]:
    scores, truth = np.asarray(scores), np.asarray(truth)
    if scores.ndim != 2 or scores.shape != truth.shape or truth.dtype != np.bool_:
        raise ScoreError(
            f"Scores and truth are N x C alike, numbers and booleans; got {scores.dtype} of shape "
            f"{scores.shape} and {truth.dtype} of shape {truth.shape}."
        )
    if not scores.size:
        raise ScoreError(f"There is nothing to score: {len(scores)} images x {scores.shape[1]}.")
    if scores.dtype.kind not in "fiu":
        raise ScoreError(f"Scores must be numbers; got {scores.dtype}.")
    numbers = scores if scores.dtype in (np.float32, np.float64) else scores.astype(np.float64)
    if np.isnan(numbers).any():
        row, column = np.argwhere(np.isnan(numbers))[0]
        raise ScoreError(
            f"The score of image {row} for class {column} is nan, and {np.isnan(numbers).sum()} "
            f"are in all; a model must give a number for each."
        )
    if not truth.any():
        raise ScoreError(
            "No image has any of the classes, so there is no precision to average; give labelled "
            "images with some of them."
        )
    return numbers, truth


def _counted(block: Weights) -> tuple[NDArray[Any], Any]:
    """Return a block as the kernel sums it, and the nought that it begins with.

    Whole numbers are summed as such, eight times as fast as floats and to the same value.
    """
    if block.size and block.min() >= 0 and block.max() < 256:
        small = block.astype(np.uint8)
        if np.array_equal(small, block):
            return small, np.int64(0)
    return np.ascontiguousarray(block, np.float64), np.float64(0)


@kernel
def _precisions(
    order: NDArray[np.int32],
    there: NDArray[np.bool_],
    last: NDArray[np.bool_],
    weights: NDArray[Any],
    nought: Any,
    values: NDArray[np.float64],
    positives: NDArray[np.float64],
) -> None:
    for column in range(order.shape[0]):
        for row in range(weights.shape[0]):
            hits, seen, before, area = nought, nought, nought, 0.0
            line = weights[row]
            for at in range(order.shape[1]):
                weight = line[order[column, at]]
                seen += weight
                if there[column, at]:
                    hits += weight
                if last[column, at] and hits > before:
                    area += (hits - before) * (hits / seen)
                    before = hits
            values[row, column] = area / hits if hits > 0 else np.nan
            positives[row, column] = hits

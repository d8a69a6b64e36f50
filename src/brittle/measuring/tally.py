"""Outputs of a model as the columns that a run keeps.

Ties go to the class with the lower index, as NumPy's argmax has it, whatever the batch.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.outcomes import UNLABELLED

TOP = 5
"""Classes kept for each picture, fewer where the model has fewer."""
RANKING = "ranking"
"""The column of all classes in order, for those who ask for it."""


class Columns(NamedTuple):
    """What is kept of N pictures: a row each, in the order given."""

    rank: NDArray[np.int32]
    """How many classes were put before the true one: 0 is right; -1 without a label."""
    top_classes: NDArray[np.int32]
    """N x k, the foremost first."""
    top_probabilities: NDArray[np.float32]
    """N x k, softmax over the classes that count; the first is the confidence."""
    max_logit: NDArray[np.float32]
    log_sum_exp: NDArray[np.float32]
    label_logit: NDArray[np.float32]
    """The true class's logit; NaN without a label."""


def tally(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> Columns:
    """Return the columns of N x classes logits; a label of -1 is none.

    Classes that do not count have a logit of minus infinity.

    >>> found = tally(np.array([[0.0, 2.0, 2.0]], np.float32), np.array([2]))
    >>> found.rank.tolist(), found.top_classes.tolist()
    ([1], [[1, 2, 0]])
    """
    top = _top(logits, min(TOP, logits.shape[1]))
    rows = np.arange(len(logits))[:, None]
    best = np.take_along_axis(logits, top, axis=1)
    peak = best[:, :1].astype(np.float64)
    # Where every class has minus infinity there is nothing to subtract.
    finite = np.where(np.isfinite(peak), peak, 0.0)
    total = np.log(np.exp(logits - finite).sum(axis=1, keepdims=True, dtype=np.float64)) + finite
    known = labels >= 0
    place = np.where(known, labels, 0)
    own = logits[rows[:, 0], place][:, None]
    before = (logits > own).sum(axis=1)
    tied = (logits == own) & (np.arange(logits.shape[1]) < place[:, None])
    rank = np.where(known, before + tied.sum(axis=1), UNLABELLED)
    return Columns(
        rank.astype(np.int32),
        top.astype(np.int32),
        np.exp(best - total).astype(np.float32),
        best[:, 0].astype(np.float32),
        total[:, 0].astype(np.float32),
        np.where(known, own[:, 0], np.nan).astype(np.float32),
    )


def ranking(logits: NDArray[np.float32]) -> NDArray[np.integer[Any]]:
    """Return N x classes: all classes, the foremost first, of equal ones the lower index first."""
    kind = np.int16 if logits.shape[1] <= np.iinfo(np.int16).max else np.int32
    return _top(logits, logits.shape[1]).astype(kind)


def _top(logits: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the indices of the k largest, larger first, of equal ones the lower index first."""
    if k == logits.shape[1]:
        return np.argsort(-logits, axis=1, kind="stable")
    some = np.sort(np.argpartition(-logits, k - 1, axis=1)[:, :k], axis=1)
    values = np.take_along_axis(logits, some, axis=1)
    top = np.take_along_axis(some, np.argsort(-values, axis=1, kind="stable"), axis=1)
    # A partition takes any of those that tie for the last place.
    ambiguous = (logits >= values.min(axis=1, keepdims=True)).sum(axis=1) > k
    if ambiguous.any():
        top[ambiguous] = np.argsort(-logits[ambiguous], axis=1, kind="stable")[:, :k]
    return top

"""Bins of answers: of a fixed number each, by rising confidence; or of a fixed width."""

from typing import Annotated, NamedTuple

import numpy as np

from brittle.calibration.base import Rows, Sample
from brittle.errors import ScoreError
from brittle.rows import Range


class Bins(NamedTuple):
    """R x B bins from the least confident up; an empty one has NaN for its means."""

    counts: Rows
    confidence: Rows
    """Mean confidence."""
    accuracy: Rows


class Row(NamedTuple):
    """Parameters: how many answers a bin holds; the last takes the remainder as well."""

    size: Annotated[int, Range(1)] = 100


class Widths(NamedTuple):
    """Parameters: the number of bins of equal width."""

    bins: Annotated[int, Range(1, 10_000)] = 15


def adaptive(sample: Sample, row: Row) -> Bins:
    """Bin by rank: the first `size` answers, the next; the last bin takes the remainder."""
    count = len(sample.answers)
    if count < row.size:
        raise ScoreError(
            f"Bins of {row.size} answers need at least {row.size} of them; got {count}. Ask for "
            f"smaller bins, such as size={max(1, count // 10)}."
        )
    edges = np.append(np.arange(count // row.size) * float(row.size), count)
    return _means(*(np.diff(sums, axis=1) for sums in sample.ranked.at(edges)))


def fixed(sample: Sample, row: Widths) -> Bins:
    """Bin by value: (0, 1/B], (1/B, 2/B] and so on; 0 goes to the first."""
    order, ends = sample.answers.ranks
    edges = np.linspace(0, 1, row.bins + 1)
    cuts = np.searchsorted(sample.answers.confidence[order[ends]], edges[1:], side="right")
    return _means(*(np.diff(sums[:, cuts], axis=1, prepend=0) for sums in sample.ranked))


def gaps(bins: Bins) -> Rows:
    """Return how far each bin's confidence is from its accuracy; 0 for an empty bin."""
    return np.nan_to_num(np.abs(bins.confidence - bins.accuracy), nan=0.0)


def _means(count: Rows, confidence: Rows, correct: Rows) -> Bins:
    with np.errstate(invalid="ignore"):
        full = np.where(count > 0, count, np.nan)
        return Bins(count, confidence / full, correct / full)


def shares(bins: Bins) -> Rows:
    """Return each bin's share of all the answers."""
    found: Rows = bins.counts / bins.counts.sum(axis=1, keepdims=True)
    return found

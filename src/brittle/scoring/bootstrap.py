"""Bootstrap over images: how a rate would have come out on other images of the same kind.

A replicate draws as many images as there are, with replacement, and takes the rate again. One
matrix of counts (replicates x images) serves every condition of the images, so the rates of all
of them are one product of matrices: whole numbers below 2**24, which float32 adds exactly in any
order. So the numbers do not depend on threads or on the machine.

The draws come from (seed, digest of the sorted keys): sets of the same images share their
replicates even when they are prepared apart, and so do two models on the same images.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle import seeds
from brittle.errors import ScoreError
from brittle.metrics.base import Rates

REPLICATES, LEVEL = 1000, 0.95
FEWEST = 100
"""Replicates below which a percentile interval says nothing."""
CHUNK = 1 << 22
"""Counts that are in memory at a time."""


class Number(NamedTuple):
    """A value with its percentile interval, which is nan where no replicates were made."""

    value: float
    low: float
    high: float


class Images(NamedTuple):
    """The images that a rate is taken over, sorted by key."""

    rows: NDArray[np.intp]
    """Their rows in the outcome."""
    digest: str
    """Of the sorted keys."""

    @classmethod
    def of(cls, keys: Sequence[str], rows: Sequence[int]) -> "Images":
        """Sort these rows by their keys; a key that is there twice is a `ScoreError`."""
        order = sorted(rows, key=keys.__getitem__)
        hashed = hashlib.sha256()
        before = None
        for row in order:
            key = keys[row]
            if key == before:
                raise ScoreError(f"The image {key} is there twice; each must be there once.")
            before = key
            hashed.update(f"{len(key)}:{key}".encode("utf-8", "surrogatepass"))
        return cls(np.array(order, dtype=np.intp), hashed.hexdigest())

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.rows)


def weights(images: Images, replicates: int, seed: int) -> Iterator[NDArray[np.floating]]:
    """Yield blocks of rows of counts an image; the first row of all is ones, the images as is.

    The draws are raw bits mapped to 0..n-1, since NumPy promises those to stay the same.
    """
    count = len(images)
    kind = np.float32 if count < 1 << 24 else np.float64
    bits = np.random.PCG64(seeds.stream(seed, "bootstrap", images.digest))
    rows = max(1, CHUNK // max(count, 1))
    block = np.ones((min(rows, replicates + 1), count), kind)
    at = 1
    for number in range(replicates):
        if at == rows:
            yield block
            block = np.empty((min(rows, replicates - number), count), kind)
            at = 0
        halves = bits.random_raw((count + 1) // 2).astype("<u8", copy=False).view("<u4")[:count]
        drawn = (halves.astype(np.uint64) * np.uint64(count)) >> np.uint64(32)
        block[at] = np.bincount(drawn.astype(np.intp), minlength=count)
        at += 1
    yield block


def rates(
    wrong: NDArray[np.bool_], images: Images, *, replicates: int, seed: int
) -> NDArray[np.float64]:
    """Return (1 + replicates) x columns: the percentage of images that are wrong.

    `wrong` is images x columns in the order of `images`.
    """
    return 100 * sums(wrong, images, replicates=replicates, seed=seed) / len(images)


def sums(
    values: NDArray[Any], images: Images, *, replicates: int, seed: int
) -> NDArray[np.float64]:
    """Return (1 + replicates) x columns: the sum of values, images x columns.

    Whole numbers are added exactly, so that their sums depend on neither threads nor machine.
    """
    whole = values.dtype.kind in "biu"
    largest = int(values.max(initial=0)) if whole else 1 << 24
    # Counts are 0 or more and sum to the number of images.
    exact = whole and largest * len(images) < 1 << 24
    table = values.astype(np.float32 if exact else np.float64)
    made = [
        (block.astype(table.dtype, copy=False) @ table).astype(np.float64)
        for block in weights(images, replicates, seed)
    ]
    return np.concatenate(made)


def centred(rate: Rates, most: float = np.inf) -> Rates:
    """Return a number and its replicates, these moved until their mean is what was measured.

    For what has a bias in replicates, which draw images twice; 0 and `most` bound it.

    >>> centred(np.array([5.0, 7, 8, 9])).tolist()
    [5.0, 4.0, 5.0, 6.0]
    """
    found = np.array(rate)
    drawn = found[1:][~np.isnan(found[1:])]
    if len(drawn):
        found[1:] = np.clip(found[1:] - (drawn.mean() - found[0]), 0, most)
    return found


def number(rate: Rates, level: float) -> Number:
    """Return the measured value with the percentile interval of its replicates."""
    if len(rate) == 1 or np.isnan(rate[1:]).all():
        return Number(float(rate[0]), math.nan, math.nan)
    tail = (1 - level) / 2
    found = rate[1:][~np.isnan(rate[1:])]
    # Between two infinities nothing can be interpolated.
    ways: tuple[Any, Any] = (
        ("linear", "linear") if np.isfinite(found).all() else ("lower", "higher")
    )
    low = np.quantile(found, tail, method=ways[0])
    high = np.quantile(found, 1 - tail, method=ways[1])
    return Number(float(rate[0]), float(low), float(high))


def check(replicates: int, level: float) -> None:
    """Refuse a number of replicates or a level that gives no interval."""
    if isinstance(replicates, bool) or not isinstance(replicates, int):
        raise ScoreError(f"replicates must be a whole number; got {replicates!r}.")
    if replicates != 0 and replicates < FEWEST:
        raise ScoreError(
            f"replicates must be at least {FEWEST}, or 0 for no intervals; got {replicates}."
        )
    if not 0 < level < 1:
        raise ScoreError(f"level must lie between 0 and 1, such as 0.95 for 95 %; got {level!r}.")

"""The reference's zoom: the centre, enlarged bilinearly so that first and last samples coincide.

Along an axis of n samples and a factor z: the centred m = ceil(n / z) samples become round(m z),
sample k read at k (m - 1) / (round(m z) - 1); the centre n of these are kept.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._scratch import scratch
from brittle.corruptions._smooth import Field


class Axis(NamedTuple):
    """Where the samples of one axis read: `at` and the one after it, `share` of the latter."""

    at: NDArray[np.int64]
    share: NDArray[np.float64]


@lru_cache(maxsize=512)
def axis(size: int, factor: float) -> Axis:
    """Return where each of the `size` samples of the zoomed axis reads in the unzoomed one."""
    taken = min(math.ceil(size / factor), size)
    made = max(round(taken * factor), size)
    first = (size - taken) // 2
    step = (taken - 1) / (made - 1) if made > 1 else 0.0
    place = (np.arange(size) + (made - size) // 2) * step
    at = np.minimum(np.floor(place).astype(np.int64), max(taken - 2, 0))
    share = place - at if taken > 1 else np.zeros(size)
    return Axis(at + first, share)


@kernel
def zoom_into(
    field: Field,
    rows: NDArray[np.int64],
    row_shares: NDArray[np.float64],
    columns: NDArray[np.int64],
    column_shares: NDArray[np.float64],
    out: Field,
) -> None:
    """Write the zoomed field (H x W x C) to `out`, in SciPy's order of operations."""
    height, width, channels = field.shape
    flat = field.reshape((height, width * channels))
    span = width * channels
    above, below = np.empty(span + channels), np.empty(span + channels)
    above[span:] = 0.0
    below[span:] = 0.0
    for y in range(height):
        upper = flat[rows[y]]
        lower = flat[min(rows[y] + 1, height - 1)]
        share = row_shares[y]
        rest = 1.0 - share
        for x in range(span):
            above[x] = upper[x] * rest
            below[x] = lower[x] * share
        for x in range(width):
            right = column_shares[x]
            left = 1.0 - right
            at = columns[x] * channels
            for c in range(channels):
                i = at + c
                j = i + channels
                out[y, x, c] = ((above[i] * left + above[j] * right) + below[i] * left) + below[
                    j
                ] * right


def zoom(field: Field, factor: float) -> Field:
    """Return the centre of the field enlarged by `factor`, at its own size, in scratch memory."""
    rows, columns = axis(field.shape[0], factor), axis(field.shape[1], factor)
    out: Field = scratch("zoom", field.shape)
    zoom_into(field, rows.at, rows.share, columns.at, columns.share, out)
    return out

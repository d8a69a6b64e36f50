"""Defocus blur: the picture out of focus, correlated with a disc.

Formula: trunc(255 (D * x)), D a binary disc of `radius` normalised to sum one and smoothed by a
Gaussian of sigma `alias` on a 3x3 window (radius <= 8) or a 5x5 one; borders mirrored.

A row of the disc is a stack of a few boxes, and a box is a difference of two running sums, so the
cost grows with the radius and not with its square.
"""

import math
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._exact import exp
from brittle._jit import kernel
from brittle._scratch import scratch
from brittle.corruptions._smooth import Field, indices, to_levels
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: `radius` of the disc, `alias` the sigma that softens its edge, in pixels."""

    radius: Annotated[float, Range(0, 200)]
    alias: Annotated[float, Range(0.001, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((3, 0.1), (4, 0.5), (6, 0.5), (8, 0.5), (10, 0.5)),
        "inception-299": ((4, 0.1), (5, 0.5), (7, 0.5), (10, 0.5), (12, 0.5)),
        "imagenet-64": ((0.5, 0.6), (1, 0.1), (1.5, 0.1), (2.5, 0.01), (3, 0.1)),
        "cifar-32": ((0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (1, 0.2), (1.5, 0.1)),
    },
)


def disc(row: Row) -> NDArray[np.float64]:
    """Return the correlation kernel, a square of odd side.

    Its values are single-precision, as in the reference: where a mean of pixels is a whole level,
    the rounding of 1 / area decides which level the truncation gives.
    """
    half = 8 if row.radius <= 8 else math.ceil(row.radius)
    reach = 1 if row.radius <= 8 else 2
    at = np.arange(-half, half + 1)
    binary = (at[:, None] ** 2 + at[None, :] ** 2 <= row.radius**2).astype(np.float32)
    bell = [exp(-0.5 * (x / row.alias) ** 2) for x in range(-reach, reach + 1)]
    taps = np.array([value / sum(bell) for value in bell], np.float32)
    made = binary / binary.sum()
    for _ in range(2):
        padded = made[indices(at.size, reach, "mirror")]
        sums = taps[0] * padded[: at.size]
        for i in range(1, taps.size):
            sums += taps[i] * padded[i : i + at.size]
        made = np.ascontiguousarray(sums.T)
    return np.asarray(made, np.float64)


class _Boxes(NamedTuple):
    """The kernel as boxes: rows `down` above and below, columns -`across` to `across`."""

    half: int
    down: NDArray[np.int64]
    across: NDArray[np.int64]
    weight: NDArray[np.float64]


@lru_cache(maxsize=64)
def _boxes(row: Row) -> _Boxes:
    kernel_ = disc(row)
    half = kernel_.shape[0] // 2
    found = []
    for down in range(half + 1):
        steps = np.append(kernel_[half + down, half:], 0.0)
        falls = steps[:-1] - steps[1:]
        found += [(down, across, falls[across]) for across in np.flatnonzero(abs(falls) > 1e-12)]
    columns = list(zip(*found, strict=True))
    used = max(max(columns[0]), max(columns[1]))
    return _Boxes(int(used), np.array(columns[0]), np.array(columns[1]), np.array(columns[2]))


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Sum the boxes in double precision, then truncate."""
    boxes = _boxes(row)
    height, width, channels = pixels.shape
    rows = indices(height, boxes.half, "mirror")
    columns = indices(width, boxes.half, "mirror")
    out: Field = scratch("correlated", pixels.shape)
    sums = scratch("sums", (height, (columns.size + 1) * channels), np.int32)
    weights = boxes.weight / 255.0
    _correlate(pixels, rows, columns, boxes.down, boxes.across, weights, sums, out)
    return to_levels(out)


@kernel
def _correlate(
    pixels: Pixels,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    downs: NDArray[np.int64],
    acrosses: NDArray[np.int64],
    weights: NDArray[np.float64],
    sums: NDArray[np.int32],
    out: Field,
) -> None:
    height, width, channels = pixels.shape
    half = (columns.size - width) // 2
    # Running sums along every padded row, with one zero in front; whole numbers, so exact.
    for y in range(height):
        for c in range(channels):
            sums[y, c] = 0
        for x in range(columns.size):
            for c in range(channels):
                at = (x + 1) * channels + c
                sums[y, at] = sums[y, at - channels] + np.int32(pixels[y, columns[x], c])
    into = out.reshape((height, width * channels))
    for y in range(height):
        target = into[y]
        target[:] = 0.0
        for box in range(downs.size):
            above, below = sums[rows[y + half - downs[box]]], sums[rows[y + half + downs[box]]]
            start = (half - acrosses[box]) * channels
            stop = (half + acrosses[box] + 1) * channels
            weight = weights[box]
            high, low = above[stop:], above[start:]
            if downs[box] == 0:
                for x in range(target.size):
                    target[x] += np.float64(np.int32(high[x] - low[x])) * weight
            else:
                high2, low2 = below[stop:], below[start:]
                for x in range(target.size):
                    both = np.int32(np.int32(high[x] - low[x]) + np.int32(high2[x] - low2[x]))
                    target[x] += np.float64(both) * weight


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="blur")

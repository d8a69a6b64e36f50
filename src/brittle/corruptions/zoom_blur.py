"""Zoom blur, as when the camera moves towards its object during the exposure.

Formula: trunc(255 mean(x, zoom(x, z) for z in zooms)), zoom(x, z) the centre enlarged bilinearly.
The factor 1 is in the published lists, so that the picture itself counts twice.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._scratch import scratch
from brittle.corruptions._smooth import UNIT
from brittle.corruptions._zoom import axis
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane


class Row(NamedTuple):
    """Parameters: the `zooms`, factors of at least 1."""

    zooms: Annotated[tuple[float, ...], Range(1, 100)]


def _factors(count: int, step: float) -> tuple[float, ...]:
    # The generator spaced its factors with np.arange, whose true step is (1 + step) - 1; the last
    # bit of a factor can move a crop by a pixel.
    return tuple(1 + i * ((1 + step) - 1) for i in range(count))


_LARGE = tuple(
    _factors(*row) for row in ((12, 0.01), (16, 0.01), (11, 0.02), (13, 0.02), (11, 0.03))
)
_SMALL = tuple(_factors(count, 0.01) for count in (7, 12, 16, 21, 26))

TABLES = table(
    Row,
    {
        "imagenet-224": _LARGE,
        "inception-299": _LARGE,
        "imagenet-64": _SMALL,
        "cifar-32": _SMALL,
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Add up the zoomed pictures in single precision, then truncate."""
    height, width, channels = pixels.shape
    downs = [axis(height, factor) for factor in row.zooms]
    out = np.empty_like(pixels)
    _blur(
        pixels,
        UNIT,
        np.stack([a.at for a in downs]),
        np.stack([a.share for a in downs]),
        *_runs(width, channels, row.zooms),
        scratch("zoomed", (height, (width + 1) * channels)),
        out,
    )
    return out


@lru_cache(maxsize=64)
def _runs(
    width: int, channels: int, zooms: tuple[float, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the runs of samples that read from evenly moving places, so that a run is one loop.

    A row (start, stop, move) a run, counted in values: value i reads at i + move. Then the first
    run of every zoom, and the share of the later sample for every zoom and value.
    """
    rows, firsts, shares = [], [0], []
    for factor in zooms:
        at, share = axis(width, factor)
        move = at - np.arange(width)
        edges = [0, *(np.flatnonzero(np.diff(move)) + 1).tolist(), width]
        rows += [
            (start * channels, stop * channels, move[start] * channels)
            for start, stop in pairwise(edges)
        ]
        firsts.append(len(rows))
        shares.append(np.repeat(share, channels))
    return np.array(rows, np.int64), np.array(firsts), np.stack(shares)


@kernel
def _blur(
    pixels: Pixels,
    unit: NDArray[np.float64],
    rows: NDArray[np.int64],
    row_shares: NDArray[np.float64],
    runs: NDArray[np.int64],
    firsts: NDArray[np.int64],
    shares: NDArray[np.float64],
    field: Plane,
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    size = width * channels
    flat = pixels.reshape((height, size))
    for y in range(height):
        for x in range(size):
            field[y, x] = np.float32(unit[flat[y, x]])
        for c in range(channels):
            field[y, size + c] = 0.0
    above, below = np.empty(size + channels), np.empty(size + channels)
    total = np.empty(size, np.float32)
    into = out.reshape((height, size))
    count = np.float32(rows.shape[0] + 1)
    for y in range(height):
        for x in range(size):
            total[x] = np.float32(0)
        for z in range(rows.shape[0]):
            upper, lower = field[rows[z, y]], field[min(rows[z, y] + 1, height - 1)]
            share = row_shares[z, y]
            for x in range(above.size):
                above[x] = upper[x] * (1.0 - share)
                below[x] = lower[x] * share
            right = shares[z]
            for run in range(firsts[z], firsts[z + 1]):
                start, length = runs[run, 0], runs[run, 1] - runs[run, 0]
                near = runs[run, 0] + runs[run, 2]
                far = near + channels
                above_near, above_far = above[near:], above[far:]
                below_near, below_far = below[near:], below[far:]
                late, sums = right[start:], total[start:]
                for x in range(length):
                    early = 1.0 - late[x]
                    sums[x] += np.float32(
                        ((above_near[x] * early + above_far[x] * late[x]) + below_near[x] * early)
                        + below_far[x] * late[x]
                    )
        target = into[y]
        for x in range(size):
            mean = (np.float32(field[y, x]) + total[x]) / count
            level = min(max(mean, np.float32(0)), np.float32(1))
            target[x] = np.uint8(np.int32(level * np.float32(255)))


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="blur")

"""Zoom blur, as when the camera moves towards its object during the exposure.

Formula: trunc(255 mean(x, zoom(x, z) for z in zooms)), zoom(x, z) the centre enlarged bilinearly.
The factor 1 is in the published lists, so that the picture itself counts twice.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions._smooth import UNIT
from brittle.corruptions._zoom import axis
from brittle.corruptions.base import Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


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
    height, width, _ = pixels.shape
    downs = [axis(height, factor) for factor in row.zooms]
    acrosses = [axis(width, factor) for factor in row.zooms]
    out = np.empty_like(pixels)
    _blur(
        pixels,
        UNIT,
        np.stack([a.at for a in downs]),
        np.stack([a.share for a in downs]),
        np.stack([a.at for a in acrosses]),
        np.stack([a.share for a in acrosses]),
        out,
    )
    return out


@kernel
def _blur(
    pixels: Pixels,
    unit: NDArray[np.float64],
    rows: NDArray[np.int64],
    row_shares: NDArray[np.float64],
    columns: NDArray[np.int64],
    column_shares: NDArray[np.float64],
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    size = width * channels
    field = np.empty((height, size + channels))
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
        total[:] = 0.0
        for z in range(rows.shape[0]):
            upper, lower = field[rows[z, y]], field[min(rows[z, y] + 1, height - 1)]
            share = row_shares[z, y]
            for x in range(above.size):
                above[x] = upper[x] * (1.0 - share)
                below[x] = lower[x] * share
            for x in range(width):
                right = column_shares[z, x]
                left = 1.0 - right
                at = columns[z, x] * channels
                for c in range(channels):
                    i = at + c
                    j = i + channels
                    total[x * channels + c] += np.float32(
                        ((above[i] * left + above[j] * right) + below[i] * left) + below[j] * right
                    )
        target = into[y]
        for x in range(size):
            mean = (np.float32(field[y, x]) + total[x]) / count
            target[x] = np.uint8(
                np.int32(min(max(mean, np.float32(0)), np.float32(1)) * np.float32(255))
            )


PART = Corruption(row=Row, tables=TABLES, apply=apply, group="blur")

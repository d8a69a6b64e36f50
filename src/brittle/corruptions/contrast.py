"""Contrast, as lighting and haze lower it: every channel drawn towards its mean.

Formula: trunc(255 clip((x - m) factor + m)), m the channel's mean over the picture.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions._smooth import UNIT
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: the `factor` that contrast is multiplied by."""

    factor: Annotated[float, Range(0, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.4, 0.3, 0.2, 0.1, 0.05),
        "inception-299": (0.4, 0.3, 0.2, 0.1, 0.05),
        "imagenet-64": (0.4, 0.3, 0.2, 0.1, 0.05),
        "cifar-32": (0.75, 0.5, 0.4, 0.3, 0.15),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Draw every channel towards its mean."""
    out = np.empty_like(pixels)
    _contrast(pixels, row.factor, UNIT, out)
    return out


@kernel
def _contrast(pixels: Pixels, factor: float, unit: NDArray[np.float64], out: Pixels) -> None:
    height, width, channels = pixels.shape
    table_ = np.empty((channels, 256), np.uint8)
    for c in range(channels):
        total = np.int64(0)
        for y in range(height):
            for x in range(width):
                total += np.int64(pixels[y, x, c])
        mean = total / 255.0 / (height * width)
        for level in range(256):
            value = (unit[level] - mean) * factor + mean
            table_[c, level] = np.uint8(np.int32(min(max(value, 0.0), 1.0) * 255))
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                out[y, x, c] = table_[c, pixels[y, x, c]]


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="digital")

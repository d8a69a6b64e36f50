"""Fog: a plasma fractal laid over the picture, its contrast lowered to match.

Formula: trunc(255 clip((x + amount p) m / (m + amount))), m the greatest value of x and p the
upper left H x W of a diamond-square map in 0..1, whose roughness falls by `decay` a step.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions import _plasma
from brittle.corruptions._smooth import UNIT
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane, Shape


class Row(NamedTuple):
    """Parameters: `amount` of fog, `decay` of its roughness (more is smoother)."""

    amount: Annotated[float, Range(0, 1000)]
    decay: Annotated[float, Range(1, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((1.5, 2), (2, 2), (2.5, 1.7), (2.5, 1.5), (3, 1.4)),
        "inception-299": ((1.5, 2), (2, 2), (2.5, 1.8), (2.5, 1.6), (3, 1.5)),
        "imagenet-64": ((0.4, 3), (0.7, 3), (1, 2.5), (1.5, 2), (2, 1.75)),
        "cifar-32": ((0.2, 3), (0.5, 3), (0.75, 2.5), (1, 2), (1.5, 1.75)),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> NDArray[np.float64]:
    """Draw the noise of the map."""
    return _plasma.draw_noise(stream, _plasma.map_side(shape[0], shape[1]), row.decay)


def apply(pixels: Pixels, row: Row, draws: NDArray[np.float64]) -> Pixels:
    """Lay the fog of the drawn noise over the picture."""
    side = _plasma.map_side(pixels.shape[0], pixels.shape[1])
    field = _plasma.plasma(side, row.decay, draws)
    out = np.empty_like(pixels)
    _compose(pixels, field, row.amount, int(pixels.max()), UNIT, out)
    return out


@kernel
def _compose(
    pixels: Pixels,
    field: Plane,
    amount: float,
    greatest: int,
    unit: NDArray[np.float64],
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    brightest = unit[greatest]
    whole = brightest + amount
    for y in range(height):
        for x in range(width):
            fog = amount * field[y, x]
            for c in range(channels):
                value = (unit[pixels[y, x, c]] + fog) * brightest / whole if whole > 0 else 0.0
                out[y, x, c] = np.uint8(np.int32(min(max(value, 0.0), 1.0) * 255))


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="weather")

"""Spatter: drops of water or mud on the lens.

Formula: a layer N(mean, std) smoothed by a Gaussian of `sigma`, what is under `threshold` at 0.
Water (mud = 0): the layer's edges give a relief (Canny, distance, mean, equalised, embossed, mean),
relief times layer, its greatest value brought to `strength`, lays (175, 238, 238) over the
picture. Mud (mud = 1): where the layer is above the threshold, smoothed by a Gaussian of sigma
`strength` and cut under 0.8, (63, 42, 20) replaces the picture in proportion.
"""

from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import normals
from brittle.corruptions._smooth import UNIT, smooth
from brittle.corruptions._water import MUD, WATER, colour, lay, relief
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane, Shape


class Row(NamedTuple):
    """Parameters: `mean`, `std`, `sigma`, `threshold` of the layer; `strength`; `mud` 0 or 1."""

    mean: Annotated[float, Range(-10, 10)]
    std: Annotated[float, Range(0, 10)]
    sigma: Annotated[float, Range(0, 1000)]
    threshold: Annotated[float, Range(-10, 10)]
    strength: Annotated[float, Range(0, 1000)]
    mud: Annotated[int, Range(0, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": (
            (0.65, 0.3, 4, 0.69, 0.6, 0),
            (0.65, 0.3, 3, 0.68, 0.6, 0),
            (0.65, 0.3, 2, 0.68, 0.5, 0),
            (0.65, 0.3, 1, 0.65, 1.5, 1),
            (0.67, 0.4, 1, 0.65, 1.5, 1),
        ),
        "inception-299": (
            (0.65, 0.3, 4, 0.69, 0.9, 0),
            (0.65, 0.3, 3.5, 0.68, 0.9, 0),
            (0.65, 0.3, 3, 0.68, 0.8, 0),
            (0.65, 0.3, 1.2, 0.65, 1.8, 1),
            (0.67, 0.4, 1.2, 0.65, 1.8, 1),
        ),
        "imagenet-64": (
            (0.62, 0.1, 0.7, 0.7, 0.6, 0),
            (0.65, 0.1, 0.8, 0.7, 0.6, 0),
            (0.65, 0.3, 1, 0.69, 0.6, 0),
            (0.65, 0.1, 0.7, 0.68, 0.6, 1),
            (0.65, 0.1, 0.5, 0.67, 0.6, 1),
        ),
        "cifar-32": (
            (0.62, 0.1, 0.7, 0.7, 0.5, 0),
            (0.65, 0.1, 0.8, 0.7, 0.5, 0),
            (0.65, 0.3, 1, 0.69, 0.5, 0),
            (0.65, 0.1, 0.7, 0.69, 0.6, 1),
            (0.65, 0.1, 0.5, 0.68, 0.6, 1),
        ),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> Plane:
    """Draw the layer."""
    layer = np.empty(shape[:2])
    normals(np.uint64(stream), row.mean, row.std, layer.reshape(-1))
    return layer


def apply(pixels: Pixels, row: Row, draws: Plane) -> Pixels:
    """Spatter the picture with the drawn layer."""
    layer = smooth(draws[:, :, None], row.sigma, border="nearest")[:, :, 0]
    layer[layer < row.threshold] = 0
    if row.mud:
        mask = (layer > row.threshold).astype(np.float64)[:, :, None]
        smoothed = smooth(mask, row.strength, border="nearest", single=True)
        share = smoothed[:, :, 0].astype(np.float32)
        share[share < np.float32(0.8)] = 0
    else:
        share = relief(layer, row.strength)
    hue = colour(MUD if row.mud else WATER, pixels.shape[2])
    out = np.empty_like(pixels)
    lay(pixels, share, row.mud, hue, UNIT.astype(np.float32), out)
    return out


PART = Corruption(
    citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="weather", extra=True
)

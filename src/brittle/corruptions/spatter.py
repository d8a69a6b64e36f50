"""Spatter: drops of water or mud on the lens.

Formula: a layer N(mean, std) smoothed by a Gaussian of `sigma`, what is under `threshold` at 0.
Water (mud = 0): the layer's edges give a relief (Canny, distance, mean, equalised, embossed, mean),
relief times layer, its greatest value brought to `strength`, lays (175, 238, 238) over the
picture. Mud (mud = 1): where the layer is above the threshold, smoothed by a Gaussian of sigma
`strength` and cut under 0.8, (63, 42, 20) replaces the picture in proportion.
"""

from typing import Annotated, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import normals
from brittle.corruptions._smooth import UNIT, smooth
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane, Shape

WATER = (175, 238, 238)
MUD = (63, 42, 20)
_EMBOSS = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float64)


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
        share = _relief(layer, row.strength)
    colour = _colour(MUD if row.mud else WATER, pixels.shape[2])
    out = np.empty_like(pixels)
    _lay(pixels, share, row.mud, colour, UNIT.astype(np.float32), out)
    return out


@kernel
def _lay(
    pixels: Pixels,
    share: NDArray[np.float32],
    covers: int,
    colour: NDArray[np.float32],
    unit: NDArray[np.float32],
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    one = np.float32(1)
    for y in range(height):
        for x in range(width):
            rest = one - share[y, x] if covers else one
            for c in range(channels):
                value = unit[pixels[y, x, c]] * rest + share[y, x] * colour[c]
                level = min(max(value, np.float32(0)), one) * np.float32(255)
                out[y, x, c] = np.uint8(np.int32(level))


def _colour(levels: tuple[int, int, int], channels: int) -> NDArray[np.float32]:
    red, green, blue = (level / 255.0 for level in levels)
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    return np.array([red, green, blue] if channels == 3 else [grey], np.float32)


def _relief(layer: Plane, strength: float) -> NDArray[np.float32]:
    # A layer above 1 wraps past 255, as in the generator's cast.
    liquid = (layer * 255).astype(np.int64).astype(np.uint8)
    edges = cv2.Canny(liquid, 50, 150)
    distance = cv2.distanceTransform(255 - edges, cv2.DIST_L2, 5)
    near = np.minimum(distance, np.float32(20))
    relief = cv2.blur(near, (3, 3)).astype(np.uint8)
    relief = cv2.equalizeHist(relief)
    relief = cv2.filter2D(relief, cv2.CV_8U, _EMBOSS)
    smoothed = cv2.blur(relief, (3, 3)).astype(np.float32)
    share = liquid.astype(np.float32) * smoothed
    greatest = share.max()
    if greatest > 0:
        share /= greatest
    return np.asarray(share * np.float32(strength), np.float32)


PART = Corruption(
    citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="weather", extra=True
)

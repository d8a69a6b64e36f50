"""Liquid on the lens: the relief that its edges give, and how it lies over a picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.types import Pixels, Plane

WATER = (175, 238, 238)
MUD = (63, 42, 20)
_EMBOSS = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float64)


@kernel
def lay(
    pixels: Pixels,
    share: NDArray[np.float32],
    covers: int,
    hue: NDArray[np.float32],
    unit: NDArray[np.float32],
    out: Pixels,
) -> None:
    """Add the colour in proportion to `share`; what `covers` takes the picture away as well."""
    height, width, channels = pixels.shape
    one = np.float32(1)
    for y in range(height):
        for x in range(width):
            rest = one - share[y, x] if covers else one
            for c in range(channels):
                value = unit[pixels[y, x, c]] * rest + share[y, x] * hue[c]
                level = min(max(value, np.float32(0)), one) * np.float32(255)
                out[y, x, c] = np.uint8(np.int32(level))


def colour(levels: tuple[int, int, int], channels: int) -> NDArray[np.float32]:
    """Return a colour on 0..1 in one channel or three."""
    red, green, blue = (level / 255.0 for level in levels)
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    return np.array([red, green, blue] if channels == 3 else [grey], np.float32)


def relief(layer: Plane, strength: float) -> NDArray[np.float32]:
    """Return how much water lies where: the relief of the layer's edges times the layer."""
    # A layer above 1 wraps past 255, as in the generator's cast.
    liquid = (layer * 255).astype(np.int64).astype(np.uint8)
    edges = cv2.Canny(liquid, 50, 150)
    distance = cv2.distanceTransform(255 - edges, cv2.DIST_L2, 5)
    near = np.minimum(distance, np.float32(20))
    raised = cv2.blur(near, (3, 3)).astype(np.uint8)
    raised = cv2.equalizeHist(raised)
    raised = cv2.filter2D(raised, cv2.CV_8U, _EMBOSS)
    smoothed = cv2.blur(raised, (3, 3)).astype(np.float32)
    share = liquid.astype(np.float32) * smoothed
    greatest = share.max()
    if greatest > 0:
        share /= greatest
    return np.asarray(share * np.float32(strength), np.float32)

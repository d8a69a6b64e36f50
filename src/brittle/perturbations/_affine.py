"""Rotation, scaling and shear about the centre, sampled as Pillow's AFFINE transform does.

With angle a, shear s and scale z, frame pixel p reads the picture at A (p - c) + c, where
A = [[cos(a + s), sin(a + s)], [-sin a, cos a]] / (z cos s), p is the middle of the pixel and
c = (W / 2 + 1/2, H / 2 + 1/2). Bilinear in double precision, truncated; black outside.
"""

import math

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.types import Crop, Pixels


def affine(
    pixels: Pixels, crop: Crop, *, angle: float = 0.0, scale: float = 1.0, shear: float = 0.0
) -> Pixels:
    """Return the crop of the moved picture; angles in degrees, clockwise."""
    height, width, channels = pixels.shape
    out = np.empty((crop.height, crop.width, channels), np.uint8)
    _sample(pixels, _inverse(width, height, angle, scale, shear), crop.top, crop.left, out)
    return out


def _inverse(
    width: int, height: int, angle: float, scale: float, shear: float
) -> NDArray[np.float64]:
    turn, slant = math.radians(angle), math.radians(shear)
    size = 1 / scale / math.cos(slant)
    across, down = width * 0.5 + 0.5, height * 0.5 + 0.5
    a, b = size * math.cos(turn + slant), size * math.sin(turn + slant)
    d, e = size * -math.sin(turn), size * math.cos(turn)
    return np.array(
        [
            [a, b, a * -across + b * -down + across],
            [d, e, d * -across + e * -down + down],
        ]
    )


@kernel
def _sample(pixels: Pixels, inverse: NDArray[np.float64], top: int, left: int, out: Pixels) -> None:
    height, width, channels = pixels.shape
    (a, b, c), (d, e, f) = inverse[0], inverse[1]
    for y in range(out.shape[0]):
        down = top + y + 0.5
        for x in range(out.shape[1]):
            across = left + x + 0.5
            at_x = a * across + b * down + c
            at_y = d * across + e * down + f
            if not (0 <= at_x < width and 0 <= at_y < height):
                for channel in range(channels):
                    out[y, x, channel] = 0
                continue
            column, row = math.floor(at_x - 0.5), math.floor(at_y - 0.5)
            right, lower = at_x - 0.5 - column, at_y - 0.5 - row
            near, far = max(column, 0), min(column + 1, width - 1)
            upper, under = max(row, 0), min(row + 1, height - 1)
            for channel in range(channels):
                one, two = float(pixels[upper, near, channel]), float(pixels[upper, far, channel])
                above = one + (two - one) * right
                one, two = float(pixels[under, near, channel]), float(pixels[under, far, channel])
                below = one + (two - one) * right
                out[y, x, channel] = np.uint8(np.int32(above + (below - above) * lower))

"""Perspective views of the picture's plane, sampled in OpenCV's fixed point.

The plane is turned about both axes and seen from a distance of f, its diagonal:
with X = x - W / 2, Y = y - H / 2, c = cos t, s = sin t, a point goes to
(f (c X - s) / z + W / 2, f (c Y - s (s X + c)) / z + H / 2), z = s Y + c (s X + c) + f.
A frame pixel reads at a place rounded to 1/32 pixel, with weights in whole 1/1024, rounded to the
nearest level: the convention of the generators' OpenCV, which later versions have left. What lies
outside counts as black.
"""

import math

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.types import Crop, Pixels


def tilted(pixels: Pixels, crop: Crop, angle: float) -> Pixels:
    """Return the crop of the picture whose plane is turned by `angle` degrees about both axes."""
    height, width, channels = pixels.shape
    out = np.empty((crop.height, crop.width, channels), np.uint8)
    inverse = _inverted(_matrix(width, height, math.radians(angle)))
    # OpenCV counts within blocks; the last bit of a place can depend on where they begin.
    block = min(1024 // min(16, height), width)
    _sample(pixels, inverse, crop.top, crop.left, block, out)
    return out


def _matrix(width: int, height: int, turn: float) -> list[list[float]]:
    far = math.hypot(width, height)
    c, s = math.cos(turn), math.sin(turn)
    across, down = width / 2, height / 2
    plane = [[c, 0.0, -s], [-s * s, c, -s * c], [s * c, s, c * c + far]]
    for line in plane:
        line[2] -= line[0] * across + line[1] * down
    first, second, depth = plane
    return [
        [far * p + across * q for p, q in zip(first, depth, strict=True)],
        [far * p + down * q for p, q in zip(second, depth, strict=True)],
        depth,
    ]


def _inverted(matrix: list[list[float]]) -> NDArray[np.float64]:
    """Invert by cofactors, in one order on every processor; zeros where there is no inverse."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if det == 0:
        return np.zeros((3, 3))
    adjugate = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    return np.array(adjugate) / det


@kernel
def _sample(
    pixels: Pixels, inverse: NDArray[np.float64], top: int, left: int, block: int, out: Pixels
) -> None:
    height, width, channels = pixels.shape
    limit = 2147483647.0
    (a, b, c), (d, e, f), (g, h, i) = inverse[0], inverse[1], inverse[2]
    for y in range(out.shape[0]):
        down = float(top + y)
        begin = left // block * block
        for x in range(out.shape[1]):
            if left + x == begin + block:
                begin += block
            start, step = float(begin), float(left + x - begin)
            depth = (g * start + h * down + i) + g * step
            gain = 32.0 / depth if depth != 0 else 0.0
            across = ((a * start + b * down + c) + a * step) * gain
            along = ((d * start + e * down + f) + d * step) * gain
            at_x = np.int64(np.rint(min(max(across, -limit), limit)))
            at_y = np.int64(np.rint(min(max(along, -limit), limit)))
            column, right = at_x >> 5, at_x & 31
            row, lower = at_y >> 5, at_y & 31
            in_left, in_right = 0 <= column < width, 0 <= column + 1 < width
            in_upper, in_under = 0 <= row < height, 0 <= row + 1 < height
            for channel in range(channels):
                total = 512
                if in_upper and in_left:
                    total += pixels[row, column, channel] * (32 - lower) * (32 - right)
                if in_upper and in_right:
                    total += pixels[row, column + 1, channel] * (32 - lower) * right
                if in_under and in_left:
                    total += pixels[row + 1, column, channel] * lower * (32 - right)
                if in_under and in_right:
                    total += pixels[row + 1, column + 1, channel] * lower * right
                out[y, x, channel] = np.uint8(total >> 10)

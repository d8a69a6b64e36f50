"""The affine half of the elastic transform, with OpenCV's fixed-point sampling.

A destination pixel reads its source at a place rounded to 1/32 pixel, bilinearly in single
precision, borders mirrored without the edge: the convention of the generators' OpenCV, kept here so
that the bytes do not move with OpenCV's version.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions._smooth import UNIT
from brittle.types import Pixels

_STEPS = 1024.0
"""Coordinates are counted in 1/1024 pixel before they are rounded to 1/32."""


def stretch(pixels: Pixels, jitter: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the picture on 0..1 under the affine map that moves three points by `jitter`.

    The points (x, y) are centre + s, (centre x + s, centre y - s) and centre - s, the centre at
    (W // 2, H // 2), s = min(H, W) // 3. A picture too small to hold three points is not stretched.
    """
    height, width, _ = pixels.shape
    inverse = _inverse(width, height, jitter)
    out = np.empty(pixels.shape, np.float32)
    if inverse is None:
        out[:] = UNIT[pixels]
        return out
    xs, ys = np.arange(width), np.arange(height)
    _sample(
        pixels,
        UNIT.astype(np.float32),
        _whole(inverse[0, 0] * xs * _STEPS),
        _whole(inverse[1, 0] * xs * _STEPS),
        _whole((inverse[0, 1] * ys + inverse[0, 2]) * _STEPS),
        _whole((inverse[1, 1] * ys + inverse[1, 2]) * _STEPS),
        out,
    )
    return out


def _inverse(width: int, height: int, jitter: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the map from destination to source (2 x 3), None where the points coincide."""
    centre = np.array([width // 2, height // 2], np.float64)
    size = min(width, height) // 3
    if size == 0:
        return None
    before = centre + size * np.array([[1, 1], [1, -1], [-1, -1]])
    after = (before.astype(np.float32) + jitter.astype(np.float32)).astype(np.float64)
    # The points lie on the axes of a square, so the map is two differences and needs no solver,
    # whose last bits would depend on the processor.
    (ax, bx), (ay, by) = (after[1] - after[2]) / (2 * size), (after[0] - after[1]) / (2 * size)
    det = float(ax * by - ay * bx)
    if abs(det) < 1e-9:
        return None
    inverse = np.array([[by, -ay], [-bx, ax]]) / det
    (px, py), (qx, qy) = before[0], after[0]
    shift = [
        px - (inverse[0, 0] * qx + inverse[0, 1] * qy),
        py - (inverse[1, 0] * qx + inverse[1, 1] * qy),
    ]
    return np.column_stack([inverse, shift])


def _whole(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.rint(np.clip(numbers, -(2**31), 2**31 - 1)).astype(np.int64)


@kernel
def _mirror(at: int, size: int) -> int:
    if 0 <= at < size:
        return at
    if size == 1:
        return 0
    period = 2 * size - 2
    at = at % period
    return min(at, period - at)


@kernel
def _sample(
    pixels: Pixels,
    unit: NDArray[np.float32],
    x_by_x: NDArray[np.int64],
    y_by_x: NDArray[np.int64],
    x_by_y: NDArray[np.int64],
    y_by_y: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    height, width, channels = pixels.shape
    one = np.float32(1)
    for y in range(height):
        for x in range(width):
            across = (x_by_x[x] + x_by_y[y] + 16) >> 5
            down = (y_by_x[x] + y_by_y[y] + 16) >> 5
            right = np.float32(across & 31) / np.float32(32)
            lower = np.float32(down & 31) / np.float32(32)
            left, top = across >> 5, down >> 5
            near, far = _mirror(left, width), _mirror(left + 1, width)
            upper, under = _mirror(top, height), _mirror(top + 1, height)
            for c in range(channels):
                out[y, x, c] = (
                    unit[pixels[upper, near, c]] * ((one - lower) * (one - right))
                    + unit[pixels[upper, far, c]] * ((one - lower) * right)
                    + unit[pixels[under, near, c]] * (lower * (one - right))
                    + unit[pixels[under, far, c]] * (lower * right)
                )

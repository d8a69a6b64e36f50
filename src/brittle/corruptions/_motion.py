"""ImageMagick's motion blur, after its documentation and outputs: one-sided, at whole pixels.

W = 2 ceil(radius) + 1 taps; tap i has weight exp(-i^2 / (2 sigma^2)), normalised to sum one, and
reads the pixel at (x + ceil(i cos a - 1/2), y + ceil(i sin a - 1/2)), coordinates clamped. The sum
is rounded to 16 bit, in which a level is 257, and then truncated to 8 bit.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from brittle._exact import exp
from brittle._jit import kernel
from brittle._scratch import scratch
from brittle.types import Pixels, Plane

HALF_QUANTUM = 0.5 / 257


def taps(
    radius: float, sigma: float, angle: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the taps' offsets across and down, and their weights; `angle` in degrees."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    merged: dict[tuple[int, int], float] = {}
    for i, weight in enumerate(_weights(radius, sigma)):
        step = (math.ceil(i * cos - 0.5), math.ceil(i * sin - 0.5))
        merged[step] = merged.get(step, 0.0) + weight
    across = np.array([step[0] for step in merged])
    down = np.array([step[1] for step in merged])
    return across, down, np.array(list(merged.values()))


@lru_cache(maxsize=64)
def _weights(radius: float, sigma: float) -> tuple[float, ...]:
    count = 2 * math.ceil(radius) + 1
    raw = [exp(-(i * i) / (2 * sigma * sigma)) for i in range(count)]
    whole = math.fsum(raw)
    return tuple(weight / whole for weight in raw)


def motion_blur(pixels: Pixels, radius: float, sigma: float, angle: float) -> Pixels:
    """Return the blurred copy of the pixels."""
    across, down, weights = taps(radius, sigma, angle)
    out = np.empty_like(pixels)
    left, right = -min(int(across.min()), 0), max(int(across.max()), 0)
    height, width, channels = pixels.shape
    padded: Plane = scratch("padded", (height, (left + width + right) * channels))
    _shift_and_add(pixels, across, down, weights, left, padded, out)
    return out


@kernel
def _shift_and_add(
    pixels: Pixels,
    across: NDArray[np.int64],
    down: NDArray[np.int64],
    weights: NDArray[np.float64],
    left: int,
    padded: Plane,
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    for y in range(height):
        for x in range(padded.shape[1] // channels):
            source = min(max(x - left, 0), width - 1)
            for c in range(channels):
                padded[y, x * channels + c] = pixels[y, source, c]
    size = width * channels
    line = np.empty(size)
    into = out.reshape((height, size))
    for y in range(height):
        line[:] = 0.0
        for tap in range(weights.size):
            row = padded[min(max(y + down[tap], 0), height - 1)]
            source = row[(left + across[tap]) * channels :]
            weight = weights[tap]
            for x in range(size):
                line[x] += source[x] * weight
        target = into[y]
        for x in range(size):
            target[x] = np.uint8(np.int32(line[x] + HALF_QUANTUM))

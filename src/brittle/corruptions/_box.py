"""Pillow's box resize of 8-bit pictures: weights of 22 bits, rows across first, then down.

Later versions of Pillow choose the order of the two passes, and so the rounding between them; the
published sets were made across first.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.types import Pixels

_BITS = 22


class Cells(NamedTuple):
    """Which samples each sample of the new axis averages: `number` from `first`, equal weights.

    255 times the weights of a cell is below 2^31, so the sums fit into 32 bits.
    """

    first: NDArray[np.int64]
    number: NDArray[np.int64]
    weight: NDArray[np.int32]


@lru_cache(maxsize=512)
def cells(size: int, made: int) -> Cells:
    """Return the cells of an axis of `size` samples resized to `made`."""
    scale = size / made
    stretch = max(scale, 1.0)
    shrink = 1.0 / stretch
    first, count, weight = [], [], []
    for i in range(made):
        centre = (i + 0.5) * scale
        low = max(int(centre - 0.5 * stretch + 0.5), 0)
        high = min(int(centre + 0.5 * stretch + 0.5), size)
        inside = [x for x in range(low, high) if -0.5 < (x - centre + 0.5) * shrink <= 0.5]
        first.append(inside[0])
        count.append(len(inside))
        weight.append(math.floor((1 << _BITS) / len(inside) + 0.5))
    return Cells(np.array(first), np.array(count), np.array(weight, np.int32))


def resize(pixels: Pixels, height: int, width: int) -> Pixels:
    """Return the picture at the new size, rows first resized across, then down."""
    across, down = cells(pixels.shape[1], width), cells(pixels.shape[0], height)
    narrow = np.empty((pixels.shape[0], width, pixels.shape[2]), np.uint8)
    _across(pixels, across.first, across.number, across.weight, narrow)
    out = np.empty((height, width, pixels.shape[2]), np.uint8)
    _down(narrow, down.first, down.number, down.weight, out)
    return out


@kernel
def _across(
    pixels: Pixels,
    first: NDArray[np.int64],
    count: NDArray[np.int64],
    weight: NDArray[np.int32],
    out: Pixels,
) -> None:
    height, width, channels = out.shape
    half = np.int32(1 << 21)
    for y in range(height):
        source, target = pixels[y], out[y]
        for x in range(width):
            begin = first[x]
            if count[x] == 1:
                for c in range(channels):
                    target[x, c] = source[begin, c]
            elif channels == 3:
                # The three sums at once: side by side they do not wait for each other.
                red, green, blue = half, half, half
                share = weight[x]
                for i in range(begin, begin + count[x]):
                    red += np.int32(source[i, 0]) * share
                    green += np.int32(source[i, 1]) * share
                    blue += np.int32(source[i, 2]) * share
                target[x, 0] = np.uint8(min(red >> np.int32(22), np.int32(255)))
                target[x, 1] = np.uint8(min(green >> np.int32(22), np.int32(255)))
                target[x, 2] = np.uint8(min(blue >> np.int32(22), np.int32(255)))
            else:
                for c in range(channels):
                    total = half
                    for i in range(begin, begin + count[x]):
                        total += np.int32(source[i, c]) * weight[x]
                    target[x, c] = np.uint8(min(total >> np.int32(22), np.int32(255)))


@kernel
def _down(
    pixels: Pixels,
    first: NDArray[np.int64],
    count: NDArray[np.int64],
    weight: NDArray[np.int32],
    out: Pixels,
) -> None:
    height, width, channels = out.shape
    size = width * channels
    flat = pixels.reshape((pixels.shape[0], size))
    into = out.reshape((height, size))
    total = np.empty(size, np.int32)
    for y in range(height):
        target = into[y]
        if count[y] == 1:
            source = flat[first[y]]
            for x in range(size):
                target[x] = source[x]
            continue
        for x in range(size):
            total[x] = 1 << 21
        for i in range(first[y], first[y] + count[y]):
            source = flat[i]
            for x in range(size):
                total[x] += np.int32(source[x]) * weight[y]
        for x in range(size):
            target[x] = np.uint8(min(total[x] >> np.int32(22), np.int32(255)))

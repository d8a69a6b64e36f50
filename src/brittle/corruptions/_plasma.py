"""The plasma fractal of the fog: toroidal diamond-square, as the reference fills it."""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import uniforms
from brittle.types import Plane

WIBBLE = 100.0


def map_side(height: int, width: int) -> int:
    """Return the side of the map that covers a picture: a power of two, at least 2."""
    return max(2, 1 << (max(height, width) - 1).bit_length())


def draw_noise(stream: int, side: int, decay: float) -> NDArray[np.float64]:
    """Draw the side^2 - 1 numbers of a map in the order in which `plasma` uses them.

    Each step draws three arrays (squares, then the two kinds of diamonds), uniform within the
    step's wibble, which `decay` divides after each step.
    """
    noise = np.empty(side * side - 1)
    start, wibble, cells = 0, WIBBLE, 1
    while start < noise.size:
        stop = start + 3 * cells * cells
        uniforms(np.uint64(stream), start, -wibble, wibble, noise[start:stop])
        start, wibble, cells = stop, wibble / decay, 2 * cells
    return noise


@kernel
def plasma(side: int, decay: float, noise: NDArray[np.float64]) -> Plane:
    """Return the side x side map, its least value 0 and its greatest 1."""
    field = np.zeros((side, side))
    wibble = 100.0
    start = 0
    step = side
    while step >= 2:
        half = step // 2
        cells = side // step
        size = cells * cells
        for i in range(cells):
            y, below = i * step, ((i + 1) % cells) * step
            for j in range(cells):
                x, right = j * step, ((j + 1) % cells) * step
                total = (field[y, x] + field[below, x]) + (field[y, right] + field[below, right])
                field[y + half, x + half] = total / 4 + wibble * noise[start + i * cells + j]
        start += size
        for i in range(cells):
            y, above = i * step, ((i - 1) % cells) * step
            for j in range(cells):
                x, right = j * step, ((j + 1) % cells) * step
                centre = field[y + half, x + half] + field[above + half, x + half]
                total = centre + (field[y, x] + field[y, right])
                field[y, x + half] = total / 4 + wibble * noise[start + i * cells + j]
        start += size
        for i in range(cells):
            y, below = i * step, ((i + 1) % cells) * step
            for j in range(cells):
                x, left = j * step, ((j - 1) % cells) * step
                centre = field[y + half, x + half] + field[y + half, left + half]
                total = centre + (field[y, x] + field[below, x])
                field[y + half, x] = total / 4 + wibble * noise[start + i * cells + j]
        start += size
        step = half
        wibble /= decay
    least, greatest = field[0, 0], field[0, 0]
    for y in range(side):
        for x in range(side):
            least = min(least, field[y, x])
            greatest = max(greatest, field[y, x])
    span = greatest - least
    for y in range(side):
        for x in range(side):
            field[y, x] = (field[y, x] - least) / span if span > 0 else 0.0
    return field

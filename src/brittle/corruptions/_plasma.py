"""The plasma fractal of the fog: toroidal diamond-square, as the reference fills it."""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import uniforms
from brittle._scratch import scratch
from brittle.errors import ImageError
from brittle.types import Plane

WIBBLE = 100.0
LARGEST = 16384
"""The longest side that is fogged: its map and noise take 4 GiB."""


def map_side(height: int, width: int) -> int:
    """Return the side of the map that covers a picture: a power of two, at least 2."""
    side = max(2, 1 << (max(height, width) - 1).bit_length())
    if side > LARGEST:
        raise ImageError(
            f"The fog's map is a square over the longer side; {width}x{height} is over the limit "
            f"of {LARGEST} pixels. Cut the picture or shrink it first."
        )
    return side


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


def plasma(side: int, decay: float, noise: NDArray[np.float64]) -> Plane:
    """Return the side x side map, its least value 0 and its greatest 1, in scratch memory."""
    field: Plane = scratch("plasma", (side, side))
    _fill(decay, noise, field)
    return field


@kernel
def _fill(decay: float, noise: NDArray[np.float64], field: Plane) -> None:
    side = field.shape[0]
    field[0, 0] = 0.0
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
                x = j * step
                right = x + step if j + 1 < cells else 0
                total = (field[y, x] + field[below, x]) + (field[y, right] + field[below, right])
                field[y + half, x + half] = total / 4 + wibble * noise[start + i * cells + j]
        start += size
        for i in range(cells):
            y, above = i * step, ((i - 1) % cells) * step
            for j in range(cells):
                x = j * step
                right = x + step if j + 1 < cells else 0
                centre = field[y + half, x + half] + field[above + half, x + half]
                total = centre + (field[y, x] + field[y, right])
                field[y, x + half] = total / 4 + wibble * noise[start + i * cells + j]
        start += size
        for i in range(cells):
            y, below = i * step, ((i + 1) % cells) * step
            for j in range(cells):
                x = j * step
                left = x - step if j > 0 else side - step
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
    if span == 0:
        return
    for y in range(side):
        for x in range(side):
            field[y, x] = (field[y, x] - least) / span

"""Blobs: bright patches without a form on black, of smoothed noise cut off at a level.

Formula: round(255 g 1[g >= 0.75]), g = G_sigma * b, b Bernoulli(0.7) a cell and channel. G is
truncated at 4 sigma with edges repeated, and runs over the channels too, as in the authors' code:
hence white blobs with coloured rims.

The authors made noise a pixel, with sigma 1.5 at 32 pixels and 2 at 64. A wider sigma over finer
noise leaves less and less above 0.75 (next to nothing at 224 pixels), and a narrow one leaves
specks. So here the cells of the noise grow with the picture: `cells` of them lie along its shorter
side, sigma is counted in cells, and a picture of any size shows the same blobs in more detail. At
32 pixels that is the authors' picture; `blobs(cells=64, sigma=2)` at 64 is their other one. A
picture of fewer pixels than cells has a cell a pixel.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import uniforms
from brittle.anomalies.base import LARGEST, PAPER, Anomaly
from brittle.corruptions._smooth import gauss_weights, indices, smooth
from brittle.rows import Range
from brittle.types import Pixels, Plane, Shape

SHARE, LEAST = 0.7, 0.75
"""How much of the noise is white, and the level under which its smoothing is cut off."""


class Row(NamedTuple):
    """Parameters: `cells` of noise along the shorter side; `sigma` of the smoothing in cells."""

    cells: Annotated[int, Range(1, LARGEST)] = 32
    sigma: Annotated[float, Range(0.1, 16)] = 1.5


class Draws(NamedTuple):
    """Noise of 0 and 1 in cells, and how many pixels a cell is wide."""

    noise: Plane
    scale: float


def draw(stream: int, shape: Shape, row: Row) -> Draws:
    """Draw the cells, row by row, and spread each over its pixels."""
    height, width, channels = shape
    side = min(height, width)
    cells = min(row.cells, side)
    rows, columns = (np.arange(length) * cells // side for length in (height, width))
    grid = (int(rows[-1]) + 1, int(columns[-1]) + 1, channels)
    drawn = np.empty(math.prod(grid))
    uniforms(np.uint64(stream), 0, 0.0, 1.0, drawn)
    white = (drawn < SHARE).astype(np.float64).reshape(grid)
    return Draws(np.ascontiguousarray(white[rows][:, columns]), side / cells)


def field(draws: Draws, row: Row) -> Plane:
    """Smooth the noise along both sides and over the channels, in single precision as SciPy did."""
    found = smooth(draws.noise, row.sigma * draws.scale, border="nearest", single=True)
    radius = int(4 * row.sigma + 0.5)
    weights, at = gauss_weights(row.sigma, radius), indices(found.shape[2], radius, "nearest")
    mixed = np.empty(found.shape)
    for channel in range(found.shape[2]):
        total = found[:, :, channel] * weights[0]
        for step in range(radius, 0, -1):
            before, after = at[channel + radius - step], at[channel + radius + step]
            total += (found[:, :, before] + found[:, :, after]) * weights[step]
        mixed[:, :, channel] = total.astype(np.float32)
    return mixed


def apply(draws: Draws, row: Row) -> Pixels:
    """Smooth, cut off, and take the nearest of the 256 levels."""
    smoothed = field(draws, row)
    smoothed[smoothed < LEAST] = 0
    return np.rint(smoothed * 255).astype(np.uint8)


PART = Anomaly(citation=PAPER, row=Row, draw=draw, apply=apply)

"""Elastic transform: the picture stretched by a random affine map and rumpled.

Formula: an affine map moves three points about the centre by U(-jitter, jitter) a coordinate,
bilinear; then pixel p reads p + amplitude (G_sigma * U(-1, 1)), two smoothed fields, one an axis,
bilinear. Borders are mirrored. The parameters are in pixels.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import uniforms
from brittle.corruptions import _affine
from brittle.corruptions._smooth import smooth
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane, Shape


class Warp(NamedTuple):
    """Jitter of the three points (3 x 2: x, y), and raw fields along x and y."""

    jitter: NDArray[np.float64]
    across: Plane
    down: Plane


class Row(NamedTuple):
    """Parameters: `amplitude` and `sigma` of the fields, `jitter` of the points, in pixels."""

    amplitude: Annotated[float, Range(0, 10000)]
    sigma: Annotated[float, Range(0, 1000)]
    jitter: Annotated[float, Range(0, 1000)]


def _shares(side: int, *rows: tuple[float, float, float]) -> tuple[tuple[float, ...], ...]:
    """Turn shares of the side, in which the generators state the rows, into pixels."""
    return tuple(tuple(side * share for share in row) for row in rows)


_LARGE = ((2, 0.7, 0.1), (2, 0.08, 0.2), (0.05, 0.01, 0.02), (0.07, 0.01, 0.02), (0.12, 0.01, 0.02))

TABLES = table(
    Row,
    {
        "imagenet-224": _shares(244, *_LARGE),
        "inception-299": _shares(360, *_LARGE),
        "imagenet-64": (
            (0, 0, 5.12),
            (3.2, 19.2, 3.84),
            (6.4, 5.12, 3.84),
            (6.4, 1.92, 1.92),
            (10.24, 1.92, 1.28),
        ),
        "cifar-32": (
            (0, 0, 2.56),
            (1.6, 6.4, 2.24),
            (2.56, 1.92, 1.92),
            (3.2, 1.28, 1.6),
            (3.2, 0.96, 0.96),
        ),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> Warp:
    """Draw the jitter and the two fields."""
    key, size = np.uint64(stream), shape[0] * shape[1]
    warp = Warp(np.empty((3, 2)), np.empty(shape[:2]), np.empty(shape[:2]))
    uniforms(key, 0, -row.jitter, row.jitter, warp.jitter.reshape(-1))
    uniforms(key, 6, -1.0, 1.0, warp.across.reshape(-1))
    uniforms(key, 6 + size, -1.0, 1.0, warp.down.reshape(-1))
    return warp


def apply(pixels: Pixels, row: Row, draws: Warp) -> Pixels:
    """Stretch and rumple by the drawn fields."""
    stretched = _affine.stretch(pixels, draws.jitter)
    across, down = _moves(draws.across, row), _moves(draws.down, row)
    out = np.empty_like(pixels)
    _rumple(stretched, across, down, out)
    return out


def _moves(field: Plane, row: Row) -> NDArray[np.float32]:
    smoothed = smooth(field[:, :, None], row.sigma, truncate=3.0, border="reflect")
    return (smoothed[:, :, 0] * row.amplitude).astype(np.float32)


@kernel
def _fold(place: float, size: int) -> float:
    """Mirror a coordinate into -1/2..size - 1/2, the edge repeated."""
    if -0.5 <= place <= size - 0.5:
        return place
    period = 2.0 * size
    place = (place + 0.5) % period
    return (place if place < size else period - place) - 0.5


@kernel
def _rumple(
    picture: NDArray[np.float32],
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    out: Pixels,
) -> None:
    height, width, channels = picture.shape
    for y in range(height):
        for x in range(width):
            # Double-precision places, as from an integer grid plus single-precision moves.
            row = _fold(y + np.float64(down[y, x]), height)
            column = _fold(x + np.float64(across[y, x]), width)
            top, left = int(np.floor(row)), int(np.floor(column))
            lower, right = row - top, column - left
            bottom, far = min(top + 1, height - 1), min(left + 1, width - 1)
            top, left = max(top, 0), max(left, 0)
            for c in range(channels):
                value = (
                    (
                        picture[top, left, c] * (1 - lower) * (1 - right)
                        + picture[top, far, c] * (1 - lower) * right
                    )
                    + picture[bottom, left, c] * lower * (1 - right)
                ) + picture[bottom, far, c] * lower * right
                level = min(max(np.float32(value), np.float32(0)), np.float32(1))
                out[y, x, c] = np.uint8(np.int32(level * np.float32(255)))


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="digital")

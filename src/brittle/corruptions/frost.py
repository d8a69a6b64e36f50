"""Frost: ice crystals on the lens or the window.

Formula: trunc(clip(keep x + ice f)) on 0..255, f a random H x W window of one of five ice
textures. The published sets use five photographs, which `brittle assets fetch` gets; without them
the project's own procedural ice serves, and the condition's name says so. The small editions shrink
the texture first by `scale`. A picture larger than the texture sees it mirrored on past its edges.
"""

import warnings
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle import assets
from brittle._jit import kernel
from brittle._random import uniforms
from brittle.corruptions import _ice
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import OneOf, Range, table
from brittle.types import Pixels, Shape


class Window(NamedTuple):
    """Which texture, and the row and column of its window's corner."""

    texture: int
    row: int
    column: int


class Row(NamedTuple):
    """Parameters: `keep` of the picture, `ice` added, `scale` and kind of `texture`."""

    keep: Annotated[float, Range(0, 10)]
    ice: Annotated[float, Range(0, 10)]
    scale: Annotated[float, Range(0.01, 10)] = 1.0
    texture: Annotated[str, OneOf(("photographs", "procedural"))] = "photographs"


TABLES = table(
    Row,
    {
        "imagenet-224": ((1, 0.4), (0.8, 0.6), (0.7, 0.7), (0.65, 0.7), (0.6, 0.75)),
        "inception-299": ((1, 0.4), (0.8, 0.6), (0.7, 0.7), (0.65, 0.7), (0.6, 0.75)),
        "imagenet-64": (
            (1, 0.3, 0.3),
            (0.9, 0.4, 0.3),
            (0.8, 0.45, 0.3),
            (0.75, 0.5, 0.3),
            (0.7, 0.55, 0.3),
        ),
        "cifar-32": (
            (1, 0.2, 0.2),
            (1, 0.3, 0.2),
            (0.9, 0.4, 0.2),
            (0.85, 0.4, 0.2),
            (0.75, 0.45, 0.2),
        ),
    },
)


def settle(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Name the procedural texture where no photographs are."""
    if "texture" in params or assets.have_frost():
        return params
    warnings.warn(
        "frost: the published ice photographs are not here, so procedural ice is used and the "
        "condition is named frost(..., texture=procedural). Run 'brittle assets fetch' for the "
        "benchmark's frost.",
        stacklevel=2,
    )
    return {**params, "texture": "procedural"}


def draw(stream: int, shape: Shape, row: Row) -> Window:
    """Draw a texture and a window in it."""
    numbers = np.empty(3)
    uniforms(np.uint64(stream), 0, 0.0, 1.0, numbers)
    index = int(numbers[0] * _ice.COUNT)
    height, width, _ = _ice.texture(row.texture, index, row.scale).shape
    rows, columns = max(height - shape[0], 1), max(width - shape[1], 1)
    return Window(index, int(numbers[1] * rows), int(numbers[2] * columns))


def apply(pixels: Pixels, row: Row, draws: Window) -> Pixels:
    """Lay the window over the picture."""
    ice = _ice.texture(row.texture, draws.texture, row.scale)
    rows = _mirrored(draws.row, pixels.shape[0], ice.shape[0])
    columns = _mirrored(draws.column, pixels.shape[1], ice.shape[1])
    levels = np.arange(256, dtype=np.float64)
    out = np.empty_like(pixels)
    _lay(pixels, ice, rows, columns, row.keep * levels, row.ice * levels, out)
    return out


def _mirrored(start: int, count: int, size: int) -> NDArray[np.int64]:
    at = (start + np.arange(count)) % (2 * size)
    return np.minimum(at, 2 * size - 1 - at)


@kernel
def _lay(
    pixels: Pixels,
    ice: Pixels,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    kept: NDArray[np.float64],
    added: NDArray[np.float64],
    out: Pixels,
) -> None:
    height, width, channels = pixels.shape
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                # A grey picture sees the ice's green, which is nearest to its luminance.
                level = ice[rows[y], columns[x], c if channels == 3 else 1]
                value = kept[pixels[y, x, c]] + added[level]
                out[y, x, c] = np.uint8(np.int32(min(value, 255.0)))


PART = Corruption(
    citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, settle=settle, group="weather"
)

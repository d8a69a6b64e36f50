"""Pixelation, as when a small picture is enlarged: shrunk and brought back with box filters.

Formula: Pillow's box resize to trunc(N factor) a side (at least 1) and back to N.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions import _box
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: the `factor` by which a side shrinks."""

    factor: Annotated[float, Range(0, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.6, 0.5, 0.4, 0.3, 0.25),
        "inception-299": (0.5, 0.4, 0.3, 0.25, 0.2),
        "imagenet-64": (0.9, 0.8, 0.7, 0.6, 0.5),
        "cifar-32": (0.95, 0.9, 0.85, 0.75, 0.65),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Shrink and enlarge."""
    height, width, _ = pixels.shape
    small = _box.resize(pixels, max(int(height * row.factor), 1), max(int(width * row.factor), 1))
    return _box.resize(small, height, width)


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="digital")

"""Scaling: the object comes nearer.

Formula: frame i is x scaled by (start + i step) / 100 about the centre, bilinear, black outside.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from brittle.perturbations._affine import affine
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `start` and `step` of the scale in per cent; number of `frames`."""

    start: Annotated[float, Range(1, 10000)]
    step: Annotated[float, Range(0, 1000)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((40, 2.5, 31),),
        "inception-299": ((40, 2.5, 31),),
        "imagenet-64": ((40, 2.5, 31),),
        "cifar-32": ((70, 2, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Come nearer from frame to frame."""
    for i in range(row.frames):
        yield affine(pixels, crop, scale=(i * row.step + row.start) / 100)


PART = Perturbation(citation=PAPER, row=Row, tables=TABLES, frames=frames, reference="previous")

"""Tilt: the picture's plane is turned about both of its axes, seen in perspective.

Formula: frame i is the plane of x turned by (i - frames // 2) step degrees about the horizontal and
the vertical axis, at a focal length of the picture's diagonal, bilinear, black outside.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from brittle.perturbations._perspective import tilted
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `step` from frame to frame in degrees; number of `frames`."""

    step: Annotated[float, Range(-45, 45)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((1, 31),),
        "inception-299": ((1, 31),),
        "imagenet-64": ((1, 31),),
        "cifar-32": ((0.75, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Tilt from one side to the other."""
    for i in range(row.frames):
        yield tilted(pixels, crop, (i - row.frames // 2) * row.step)


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    frames=frames,
    reference="previous",
    unprepared=("inception-299",),
)

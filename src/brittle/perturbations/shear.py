"""Shear: the picture slants from one side to the other.

Formula: frame i is x sheared along its rows by s = (i - frames // 2) step degrees about the centre
and lowered by cos s, bilinear, black outside.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from brittle.perturbations._affine import affine
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `step` from frame to frame in degrees; number of `frames`."""

    step: Annotated[float, Range(-80, 80)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((1, 31),),
        "inception-299": ((1, 31),),
        "imagenet-64": ((1, 31),),
        "cifar-32": ((1, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Slant from one side to the other."""
    for i in range(row.frames):
        yield affine(pixels, crop, shear=(i - row.frames // 2) * row.step)


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    frames=frames,
    reference="previous",
    unprepared=("inception-299",),
    extra=True,
)

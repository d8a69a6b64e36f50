"""Translation: the picture moves sideways.

Formula: frame i is x shifted by i - offset pixels to the right, black outside.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `offset` by which the first frame is shifted to the left; number of `frames`."""

    offset: Annotated[int, Range(-10000, 10000)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((20, 41),),
        "inception-299": ((20, 41),),
        "imagenet-64": ((15, 31),),
        "cifar-32": ((7, 16),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Move to the right, a pixel a frame."""
    lines = pixels[crop.top : crop.top + crop.height]
    for i in range(row.frames):
        out = np.zeros((crop.height, crop.width, pixels.shape[2]), np.uint8)
        # Column x of the frame is column x + first of the picture, where it has one.
        first = crop.left - (i - row.offset)
        start, stop = max(-first, 0), min(pixels.shape[1] - first, crop.width)
        if start < stop:
            out[:, start:stop] = lines[:, first + start : first + stop]
        yield out


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    frames=frames,
    reference="previous",
    unprepared=("inception-299",),
)

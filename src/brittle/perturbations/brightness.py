"""Brightness: from dark to light, as clouds pass.

Formula: frame i is x with the HSV value v at clip(v + (i - frames // 2) step), hue and saturation
as they were. The round trip through HSV truncates, so that the middle frame may be a level under x.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from brittle.corruptions import _hsv
from brittle.corruptions._smooth import UNIT
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `step` of the value on the scale 0..1; number of `frames`."""

    step: Annotated[float, Range(-1, 1)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.02, 31),),
        "inception-299": ((0.02, 31),),
        "imagenet-64": ((0.02, 31),),
        "cifar-32": ((0.015, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Raise the value from frame to frame."""
    clean = crop.of(pixels)
    for i in range(row.frames):
        # The generators divide whole numbers: the double nearest to the decimal fraction.
        lift = round((i - row.frames // 2) * row.step, 12)
        out = np.empty_like(clean)
        _hsv.change(clean, 1.0, 0.0, lift, UNIT, out)
        yield out


PART = Perturbation(citation=PAPER, row=Row, tables=TABLES, frames=frames, reference="previous")

"""Brightness, as daylight varies: the HSV value raised.

Formula: v becomes clip(v + lift), hue and saturation stay.
"""

from typing import Annotated, NamedTuple

import numpy as np

from brittle.corruptions import _hsv
from brittle.corruptions._smooth import UNIT
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: `lift` added to the value on the scale 0..1; a negative one darkens."""

    lift: Annotated[float, Range(-1, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.1, 0.2, 0.3, 0.4, 0.5),
        "inception-299": (0.1, 0.2, 0.3, 0.4, 0.5),
        "imagenet-64": (0.1, 0.2, 0.3, 0.4, 0.5),
        "cifar-32": (0.05, 0.1, 0.15, 0.2, 0.3),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Raise the value of every pixel."""
    out = np.empty_like(pixels)
    _hsv.change(pixels, 1.0, 0.0, row.lift, UNIT, out)
    return out


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="weather")

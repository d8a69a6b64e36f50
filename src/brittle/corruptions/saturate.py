"""Saturation: colours made paler or stronger.

Formula: the HSV saturation s becomes clip(gain s + shift). A grey picture of one channel has no
saturation and stays as it is; a grey pixel of three channels has hue 0, so a shift reddens it, in
the published sets too.
"""

from typing import Annotated, NamedTuple

import numpy as np

from brittle.corruptions import _hsv
from brittle.corruptions._smooth import UNIT
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: `gain` times the saturation, plus `shift`."""

    gain: Annotated[float, Range(0, 1000)]
    shift: Annotated[float, Range(-1, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.3, 0), (0.1, 0), (2, 0), (5, 0.1), (20, 0.2)),
        "inception-299": ((0.3, 0), (0.1, 0), (2, 0), (5, 0.1), (20, 0.2)),
        "imagenet-64": ((0.3, 0), (0.1, 0), (2, 0), (5, 0.1), (30, 0.2)),
        "cifar-32": ((0.3, 0), (0.1, 0), (1.5, 0), (2, 0.1), (2.5, 0.2)),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Change the saturation of every pixel."""
    out = np.empty_like(pixels)
    _hsv.change(pixels, row.gain, row.shift, 0.0, UNIT, out)
    return out


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="digital", extra=True)

"""Rademacher noise: every channel value is black or white by the toss of a coin.

Formula: 255 B, B Bernoulli(1/2), which is +-1 on the scale -1..1 of the authors.
"""

from typing import NamedTuple

from brittle.anomalies._bits import coins
from brittle.anomalies.base import PAPER, Anomaly
from brittle.types import Pixels, UInt8


class Row(NamedTuple):
    """No parameters."""


def apply(draws: UInt8, row: Row) -> Pixels:  # noqa: ARG001
    """Take 1 for white."""
    return draws * draws.dtype.type(255)


PART = Anomaly(citation=PAPER, row=Row, draw=coins, apply=apply)

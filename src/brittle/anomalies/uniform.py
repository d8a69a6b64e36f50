"""Uniform noise: every channel value on its own, each of the 256 levels equally likely.

Formula: floor(256 U), U uniform on [0, 1). The authors kept it for validation, so that a detector
tuned on it is not judged by it.
"""

from typing import NamedTuple

from brittle.anomalies._bits import levels
from brittle.anomalies.base import PAPER, Anomaly
from brittle.types import Pixels, UInt8


class Row(NamedTuple):
    """No parameters."""


def apply(draws: UInt8, row: Row) -> Pixels:  # noqa: ARG001
    """Take the bytes for levels."""
    return draws.copy()


PART = Anomaly(citation=PAPER, row=Row, draw=levels, apply=apply)

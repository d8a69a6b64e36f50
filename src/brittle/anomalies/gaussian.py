"""Gaussian noise: every channel value on its own, grey on average.

Formula: round(127.5 (1 + clip(N(0, std), -1, 1))). The authors gave the clipped noise to networks
as it was, without their mean and deviation; here it is a picture, -1 black and 1 white, and the
network prepares it as any other.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import normals
from brittle.anomalies.base import PAPER, Anomaly
from brittle.rows import Range
from brittle.types import Pixels, Plane, Shape


class Row(NamedTuple):
    """Parameters: `std` of the noise on the scale -1..1."""

    std: Annotated[float, Range(0, 100)] = 0.5


def draw(stream: int, shape: Shape, row: Row) -> Plane:
    """Draw the noise before it is clipped."""
    noise = np.empty(math.prod(shape))
    normals(np.uint64(stream), 0.0, float(row.std), noise)
    return noise.reshape(shape)


def apply(draws: Plane, row: Row) -> Pixels:  # noqa: ARG001
    """Clip, and take the nearest of the 256 levels."""
    return np.rint((np.clip(draws, -1, 1) + 1) * 127.5).astype(np.uint8)


PART = Anomaly(citation=PAPER, row=Row, draw=draw, apply=apply)

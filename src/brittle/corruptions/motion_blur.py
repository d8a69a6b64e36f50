"""Motion blur, as when the camera moves quickly: a one-sided Gaussian along a random direction.

Formula: x(p) becomes the sum over i of w_i x(p + i u), u the direction of an angle drawn from
-45..45 degrees, w_i the normalised exp(-i^2 / (2 sigma^2)), i = 0..2 ceil(radius).
"""

from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import uniforms
from brittle.corruptions import _motion
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Shape


class Row(NamedTuple):
    """Parameters: `radius`, half the number of taps, and `sigma` of their weights, in pixels."""

    radius: Annotated[float, Range(0, 1000)]
    sigma: Annotated[float, Range(0.001, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((10, 3), (15, 5), (15, 8), (15, 12), (20, 15)),
        "inception-299": ((12, 4), (17, 6), (17, 9), (17, 13), (22, 16)),
        "imagenet-64": ((10, 1), (10, 1.5), (10, 2), (10, 2.5), (12, 3)),
        "cifar-32": ((6, 1), (6, 1.5), (6, 2), (8, 2), (9, 2.5)),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> float:  # noqa: ARG001
    """Draw the angle in degrees."""
    angle = np.empty(1)
    uniforms(np.uint64(stream), 0, -45.0, 45.0, angle)
    return float(angle[0])


def apply(pixels: Pixels, row: Row, draws: float) -> Pixels:
    """Blur along the angle."""
    return _motion.motion_blur(pixels, row.radius, row.sigma, draws)


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="blur")

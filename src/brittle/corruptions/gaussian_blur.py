"""Gaussian blur of the whole picture.

Formula: trunc(255 (G_sigma * x)), G truncated at 4 sigma, the edge pixels repeated.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._smooth import blur
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels


class Row(NamedTuple):
    """Parameters: `sigma` in pixels."""

    sigma: Annotated[float, Range(0, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": (1, 2, 3, 4, 6),
        "inception-299": (1.5, 2.5, 3.5, 4.5, 6.5),
        "imagenet-64": (0.5, 0.75, 1, 1.25, 1.5),
        "cifar-32": (0.4, 0.6, 0.7, 0.8, 1),
    },
)


def apply(pixels: Pixels, row: Row, draws: None) -> Pixels:  # noqa: ARG001
    """Smooth in double precision, then truncate."""
    return blur(pixels, row.sigma)


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, apply=apply, group="blur", extra=True)

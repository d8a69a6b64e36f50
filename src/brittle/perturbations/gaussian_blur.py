"""Gaussian blur that grows, as a lens goes out of focus.

Formula: frame i is trunc(255 (G_s * x)), s = start + step i, G truncated at `truncate` s, the edge
pixels repeated.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from brittle.corruptions._smooth import blur
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `start` and `step` of the sigma in pixels; `truncate` in sigmas; number of
    `frames`.
    """

    start: Annotated[float, Range(0, 1000)]
    step: Annotated[float, Range(0, 100)]
    truncate: Annotated[float, Range(0, 10)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.25, 0.035, 6, 31),),
        "inception-299": ((0.35, 0.035, 6, 31),),
        "imagenet-64": ((0.35, 0.014, 7, 31),),
        "cifar-32": ((0.3, 0.015, 7, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Blur a little more from frame to frame."""
    clean = crop.of(pixels)
    for i in range(row.frames):
        yield blur(clean, row.start + row.step * i, truncate=row.truncate)


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    frames=frames,
    reference="previous",
    extra=True,
)

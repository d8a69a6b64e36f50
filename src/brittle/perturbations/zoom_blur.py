"""Zoom blur that grows, as when the camera moves towards its object during the exposure.

Formula: frame i is trunc(255 mean(x, scale(x, 1 + step j) for j = 1..i)), scale about the centre,
bilinear, itself truncated to 8 bit.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions._smooth import UNIT
from brittle.perturbations._affine import affine
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `step` of the scale from frame to frame; number of `frames`."""

    step: Annotated[float, Range(0, 10)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.004, 31),),
        "inception-299": ((0.004, 31),),
        "imagenet-64": ((0.004, 31),),
        "cifar-32": ((0.004, 31),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Add one more zoomed picture to the mean from frame to frame."""
    clean = crop.of(pixels)
    total = np.zeros(clean.size, np.float32)
    unit = UNIT.astype(np.float32)
    for i in range(row.frames):
        zoomed = affine(pixels, crop, scale=1 + row.step * i) if i else clean
        out = np.empty_like(clean)
        _mean(zoomed.reshape(-1), unit, i + 1, total, out.reshape(-1))
        yield out


@kernel
def _mean(
    flat: Pixels,
    unit: NDArray[np.float32],
    count: int,
    total: NDArray[np.float32],
    out: Pixels,
) -> None:
    """Add to the total, in single precision, and write the mean."""
    many, most = np.float32(count), np.float32(255)
    for i in range(flat.size):
        total[i] += unit[flat[i]]
        out[i] = np.uint8(np.int32(min(total[i] / many * most, most)))


PART = Perturbation(citation=PAPER, row=Row, tables=TABLES, frames=frames, reference="previous")

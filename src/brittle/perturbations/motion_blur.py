"""Motion blur whose direction turns, as when the camera is swung about.

Formula: frame i is x blurred along the angle (i - frames + 1) step degrees: the sum over k of
w_k x(p + k u), w_k the normalised exp(-k^2 / (2 sigma^2)), k = 0..2 ceil(radius). In the editions
of 64 pixels the source picture is blurred, before it is resized.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from brittle.corruptions import _motion
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels


class Row(NamedTuple):
    """Parameters: `radius`, half the number of taps, and `sigma` of their weights, in pixels;
    `step` of the angle in degrees; number of `frames`.
    """

    radius: Annotated[float, Range(0, 1000)]
    sigma: Annotated[float, Range(0.001, 1000)]
    step: Annotated[float, Range(-360, 360)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((10, 3, 4, 31),),
        "inception-299": ((13, 3, 4, 31),),
        "imagenet-64": ((14, 3, 5, 31),),
        "cifar-32": ((6, 1.8, 9, 21),),
    },
    levels=1,
)


def frames(pixels: Pixels, row: Row, draws: None, crop: Crop) -> Iterator[Pixels]:  # noqa: ARG001
    """Blur along an angle that turns to 0."""
    clean = crop.of(pixels)
    for i in range(row.frames):
        yield _motion.motion_blur(clean, row.radius, row.sigma, (i - row.frames + 1) * row.step)


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    frames=frames,
    reference="previous",
    unprepared=("imagenet-64",),
)

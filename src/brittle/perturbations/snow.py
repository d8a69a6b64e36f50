"""Snow: the same flakes fall in a direction that turns, over a whitened picture.

Formula: a layer of N(mean, std), zoomed by `zoom`, under `threshold` to 0, drawn once and
motion-blurred at start + step i degrees, gives s; with y = keep x + (1 - keep) max(x, 1.5 grey(x)
+ 0.5), frame i is trunc(255 clip(y + s + s turned by 180 degrees)).
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import normals
from brittle.corruptions import _motion
from brittle.corruptions._flakes import compose, flake_levels
from brittle.corruptions._smooth import UNIT
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels, Plane, Shape


class Row(NamedTuple):
    """Parameters: `mean`, `std`, `zoom` and `threshold` of the flakes, `radius` and `sigma` of
    their motion blur, `keep` the weight of the picture against its whitened form, `start` and
    `step` of the angle in degrees; number of `frames`.
    """

    mean: Annotated[float, Range(-10, 10)]
    std: Annotated[float, Range(0, 10)]
    zoom: Annotated[float, Range(1, 100)]
    threshold: Annotated[float, Range(0, 10)]
    radius: Annotated[float, Range(0, 1000)]
    sigma: Annotated[float, Range(0.001, 1000)]
    keep: Annotated[float, Range(0, 1)]
    start: Annotated[float, Range(-360, 360)]
    step: Annotated[float, Range(-360, 360)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.05, 0.3, 3, 0.5, 14, 4, 0.85, -150, 4, 31),),
        "inception-299": ((0.05, 0.3, 3, 0.5, 14, 4, 0.85, -150, 4, 31),),
        "imagenet-64": ((0.05, 0.28, 2, 0.5, 10, 2.5, 0.85, -150, 4, 31),),
        "cifar-32": ((0.05, 0.3, 2, 0.5, 10, 2, 0.85, -150, 4, 31),),
    },
    levels=1,
)


def draw(stream: int, shape: Shape, row: Row) -> Plane:
    """Draw the layer."""
    layer = np.empty(shape[:2])
    normals(np.uint64(stream), row.mean, row.std, layer.reshape(-1))
    return layer


def frames(pixels: Pixels, row: Row, draws: Plane, crop: Crop) -> Iterator[Pixels]:
    """Turn the fall of the drawn flakes."""
    clean = crop.of(pixels)
    flakes = flake_levels(draws, row.zoom, row.threshold)
    for i in range(row.frames):
        fallen = _motion.motion_blur(flakes, row.radius, row.sigma, i * row.step + row.start)
        out = np.empty_like(clean)
        compose(clean, fallen, row.keep, UNIT, False, out)
        yield out


PART = Perturbation(
    citation=PAPER, row=Row, tables=TABLES, draw=draw, frames=frames, reference="previous"
)

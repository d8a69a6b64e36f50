"""Snow: flakes that fall aslant, over a whitened picture.

Formula: a layer of N(mean, std), zoomed by `zoom`, under `threshold` to 0, motion-blurred at an
angle drawn from -135..-45 degrees, gives s; the picture becomes
y = keep x + (1 - keep) max(x, 1.5 grey(x) + 0.5), and the result is
trunc(255 clip(y + s + s turned by 180 degrees)).
"""

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np

from brittle._random import normals, uniforms
from brittle.corruptions import _motion
from brittle.corruptions._flakes import compose, flake_levels
from brittle.corruptions._smooth import UNIT
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import Range, table
from brittle.types import Pixels, Plane, Shape

Flakes: TypeAlias = tuple[Plane, float]
"""The layer of normal numbers and the angle of the fall in degrees."""


class Row(NamedTuple):
    """Parameters: `mean`, `std`, `zoom` and `threshold` of the flakes, `radius` and `sigma` of
    their motion blur, `keep` the weight of the picture against its whitened form.
    """

    mean: Annotated[float, Range(-10, 10)]
    std: Annotated[float, Range(0, 10)]
    zoom: Annotated[float, Range(1, 100)]
    threshold: Annotated[float, Range(0, 10)]
    radius: Annotated[float, Range(0, 1000)]
    sigma: Annotated[float, Range(0.001, 1000)]
    keep: Annotated[float, Range(0, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": (
            (0.1, 0.3, 3, 0.5, 10, 4, 0.8),
            (0.2, 0.3, 2, 0.5, 12, 4, 0.7),
            (0.55, 0.3, 4, 0.9, 12, 8, 0.7),
            (0.55, 0.3, 4.5, 0.85, 12, 8, 0.65),
            (0.55, 0.3, 2.5, 0.85, 12, 12, 0.55),
        ),
        "inception-299": (
            (0.1, 0.3, 3, 0.5, 10, 4, 0.8),
            (0.2, 0.3, 2, 0.5, 12, 4, 0.7),
            (0.55, 0.3, 4, 0.9, 12, 8, 0.7),
            (0.55, 0.3, 4.5, 0.85, 12, 8, 0.65),
            (0.55, 0.3, 2.5, 0.85, 12, 12, 0.55),
        ),
        "imagenet-64": (
            (0.1, 0.2, 1, 0.6, 8, 3, 0.8),
            (0.1, 0.2, 1, 0.5, 10, 4, 0.8),
            (0.15, 0.3, 1.75, 0.55, 10, 4, 0.7),
            (0.25, 0.3, 2.25, 0.6, 12, 6, 0.65),
            (0.3, 0.3, 1.25, 0.65, 14, 12, 0.6),
        ),
        "cifar-32": (
            (0.1, 0.2, 1, 0.6, 8, 3, 0.95),
            (0.1, 0.2, 1, 0.5, 10, 4, 0.9),
            (0.15, 0.3, 1.75, 0.55, 10, 4, 0.9),
            (0.25, 0.3, 2.25, 0.6, 12, 6, 0.85),
            (0.3, 0.3, 1.25, 0.65, 14, 12, 0.8),
        ),
    },
)


def draw(stream: int, shape: Shape, row: Row) -> Flakes:
    """Draw the layer and the angle."""
    layer = np.empty(shape[:2])
    normals(np.uint64(stream), row.mean, row.std, layer.reshape(-1))
    angle = np.empty(1)
    uniforms(np.uint64(stream), layer.size, -135.0, -45.0, angle)
    return layer, float(angle[0])


def apply(pixels: Pixels, row: Row, draws: Flakes) -> Pixels:
    """Let the drawn flakes fall on the picture."""
    layer, angle = draws
    flakes = flake_levels(layer, row.zoom, row.threshold)
    fallen = _motion.motion_blur(flakes, row.radius, row.sigma, angle)
    out = np.empty_like(pixels)
    compose(pixels, fallen, row.keep, UNIT, True, out)
    return out


PART = Corruption(citation=PAPER, row=Row, tables=TABLES, draw=draw, apply=apply, group="weather")

"""Spatter: drops of water on the lens run down.

Formula: a layer N(mean, std) smoothed by a Gaussian of `sigma`, what is under `threshold` at 0, is
drawn once; its relief (Canny, distance, mean, equalised, embossed, mean) times itself, its greatest
value brought to `opacity`, lays (175, 238, 238) over x. From frame to frame row y of the layer
becomes the sum over k of run_k times row y - k + (K - 1) // 2, K the length of `run`.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from brittle._random import normals
from brittle.corruptions._smooth import UNIT, smooth
from brittle.corruptions._water import WATER, colour, lay, relief
from brittle.perturbations.base import PAPER, Perturbation
from brittle.rows import Range, table
from brittle.types import Crop, Pixels, Plane, Shape


class Row(NamedTuple):
    """Parameters: `mean`, `std`, `sigma` and `threshold` of the layer; `opacity` of the water; the
    weights `run` with which it runs down; number of `frames`.
    """

    mean: Annotated[float, Range(-10, 10)]
    std: Annotated[float, Range(0, 10)]
    sigma: Annotated[float, Range(0, 1000)]
    threshold: Annotated[float, Range(-10, 10)]
    opacity: Annotated[float, Range(0, 1000)]
    run: Annotated[tuple[float, ...], Range(0, 1)]
    frames: Annotated[int, Range(2, 1000)]


_LARGE, _SMALL = (0.05, 0.1, 0.15, 0.7), (0.2, 0.8)

TABLES = table(
    Row,
    {
        "imagenet-224": ((0.65, 0.27, 3.7, 0.69, 0.6, _LARGE, 31),),
        "inception-299": ((0.65, 0.3, 4, 0.69, 0.6, _LARGE, 31),),
        "imagenet-64": ((0.6, 0.25, 1.75, 0.7, 0.6, _SMALL, 31),),
        "cifar-32": ((0.6, 0.265, 1.75, 0.7, 0.6, _SMALL, 31),),
    },
    levels=1,
)


def draw(stream: int, shape: Shape, row: Row) -> Plane:
    """Draw the layer."""
    layer = np.empty(shape[:2])
    normals(np.uint64(stream), row.mean, row.std, layer.reshape(-1))
    return layer


def frames(pixels: Pixels, row: Row, draws: Plane, crop: Crop) -> Iterator[Pixels]:
    """Let the drawn layer run down."""
    clean = crop.of(pixels)
    layer = smooth(draws[:, :, None], row.sigma, border="nearest")[:, :, 0].copy()
    layer[layer < row.threshold] = 0
    hue, unit = colour(WATER, clean.shape[2]), UNIT.astype(np.float32)
    for i in range(row.frames):
        if i:
            layer = lower(layer, row.run)
        out = np.empty_like(clean)
        lay(clean, relief(layer, row.opacity), 0, hue, unit, out)
        yield out


def lower(layer: Plane, run: tuple[float, ...]) -> Plane:
    """Return the layer a frame later; what comes in from above is dry."""
    height = layer.shape[0]
    fallen = np.zeros_like(layer)
    for k, weight in enumerate(run):
        step = k - (len(run) - 1) // 2
        start, stop = max(step, 0), min(height + step, height)
        if start < stop:
            fallen[start:stop] += weight * layer[start - step : stop - step]
    return fallen


PART = Perturbation(
    citation=PAPER,
    row=Row,
    tables=TABLES,
    draw=draw,
    frames=frames,
    reference="previous",
    extra=True,
)

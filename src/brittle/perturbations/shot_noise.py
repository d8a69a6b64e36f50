"""Shot noise that flickers: the light is counted photon by photon, in every frame anew.

Formula: frame 0 is x; frame i is trunc(255 clip(Poisson(x photons) / photons)), x in
0..1, every value of every frame drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, poisson_law
from brittle.perturbations._noise import noise
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `photons` that white stands for; fewer is noisier; number of `frames`."""

    photons: Annotated[float, Range(0.001, 1e5)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((300, 31), (120, 31), (60, 31)),
        "inception-299": ((250, 31), (100, 31), (50, 31)),
        "imagenet-64": ((500, 31), (250, 31), (125, 31)),
        "cifar-32": ((700, 31), (400, 31), (200, 31)),
    },
    levels=3,
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return poisson_law(row.photons)


PART = noise(Row, TABLES, law, extra=False)

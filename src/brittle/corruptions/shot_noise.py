"""Shot noise: the light is counted photon by photon.

Formula: trunc(255 clip(Poisson(x photons) / photons)), x in 0..1, every value drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, noise, poisson_law
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `photons` that white stands for; fewer is noisier."""

    photons: Annotated[float, Range(0.001, 1e5)]


TABLES = table(
    Row,
    {
        "imagenet-224": (60, 25, 12, 5, 3),
        "inception-299": (50, 20, 10, 5, 3),
        "imagenet-64": (250, 100, 50, 30, 15),
        "cifar-32": (500, 250, 100, 75, 50),
    },
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return poisson_law(row.photons)


PART = noise(Row, TABLES, law, extra=False)

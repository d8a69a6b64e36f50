"""Shot noise: the light is counted photon by photon.

Formula: trunc(255 clip(Poisson(x photons) / photons)), x in 0..1, every value drawn on its own.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from brittle.corruptions._law import Law, noise
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
    found = np.zeros((256, 256))
    found[0, 0] = 1.0
    for level in range(1, 256):
        rate = level / 255 * row.photons
        # Twelve standard deviations and 40 counts hold all but 1e-30 of the mass.
        reach = 12 * math.sqrt(rate) + 40
        counts = np.arange(max(0, math.floor(rate - reach)), math.ceil(rate + reach))
        logs = [k * math.log(rate) - rate - math.lgamma(k + 1) for k in counts.tolist()]
        mass = np.array([math.exp(value) for value in logs])
        outputs = (np.clip(counts / row.photons, 0, 1) * 255).astype(np.uint8)
        np.add.at(found[level], outputs, mass / mass.sum())
    return found


PART = noise(Row, TABLES, law, extra=False)

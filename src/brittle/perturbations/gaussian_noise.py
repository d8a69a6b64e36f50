"""Gaussian noise that flickers: N(0, std) added to every channel value, in every frame anew.

Formula: frame 0 is x; frame i is trunc(255 clip(x + N(0, std))), x in 0..1, every
value of every frame drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, normal_law
from brittle.perturbations._noise import noise
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `std` of the noise on the scale 0..1; number of `frames`."""

    std: Annotated[float, Range(0, 100)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.03, 31), (0.05, 31), (0.08, 31)),
        "inception-299": ((0.035, 31), (0.055, 31), (0.085, 31)),
        "imagenet-64": ((0.025, 31), (0.05, 31), (0.075, 31)),
        "cifar-32": ((0.02, 31), (0.04, 31), (0.06, 31)),
    },
    levels=3,
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return normal_law(lambda _: 255 * row.std)


PART = noise(Row, TABLES, law, extra=False)

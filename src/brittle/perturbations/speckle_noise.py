"""Speckle noise that flickers: noise in proportion to the value, in every frame anew.

Formula: frame 0 is x; frame i is trunc(255 clip(x + x N(0, std))), x in 0..1, every
value of every frame drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, normal_law
from brittle.perturbations._noise import noise
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `std` of the factor; number of `frames`."""

    std: Annotated[float, Range(0, 100)]
    frames: Annotated[int, Range(2, 1000)]


TABLES = table(
    Row,
    {
        "imagenet-224": ((0.05, 31), (0.1, 31), (0.15, 31)),
        "inception-299": ((0.06, 31), (0.11, 31), (0.16, 31)),
        "imagenet-64": ((0.05, 31), (0.1, 31), (0.15, 31)),
        "cifar-32": ((0.05, 31), (0.07, 31), (0.1, 31)),
    },
    levels=3,
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return normal_law(lambda level: level * row.std)


PART = noise(Row, TABLES, law, extra=True)

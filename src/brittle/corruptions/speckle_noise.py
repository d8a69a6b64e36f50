"""Speckle noise, as in radar and ultrasound: noise in proportion to the value.

Formula: trunc(255 clip(x + x N(0, std))), x in 0..1, every value drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, noise, normal_law
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `std` of the factor."""

    std: Annotated[float, Range(0, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.15, 0.2, 0.35, 0.45, 0.6),
        "inception-299": (0.16, 0.21, 0.36, 0.46, 0.61),
        "imagenet-64": (0.15, 0.2, 0.25, 0.3, 0.35),
        "cifar-32": (0.06, 0.1, 0.12, 0.16, 0.2),
    },
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return normal_law(lambda level: level * row.std)


PART = noise(Row, TABLES, law, extra=True)

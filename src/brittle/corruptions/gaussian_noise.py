"""Gaussian noise, as in low light: N(0, std) added to every channel value.

Formula: trunc(255 clip(x + N(0, std))), x in 0..1, every value drawn on its own.
"""

from typing import Annotated, NamedTuple

from brittle.corruptions._law import Law, noise, normal_law
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `std` of the noise on the scale 0..1."""

    std: Annotated[float, Range(0, 100)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.08, 0.12, 0.18, 0.26, 0.38),
        "inception-299": (0.09, 0.13, 0.19, 0.27, 0.4),
        "imagenet-64": (0.04, 0.08, 0.12, 0.15, 0.18),
        "cifar-32": (0.04, 0.06, 0.08, 0.09, 0.1),
    },
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    return normal_law(lambda _: 255 * row.std)


PART = noise(Row, TABLES, law, extra=False)

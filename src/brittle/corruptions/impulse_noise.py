"""Impulse noise, colour salt and pepper: broken bits.

Formula: every channel value is hit with probability `amount`; a hit is 0 or 255, each with
probability 1/2.
"""

from typing import Annotated, NamedTuple

import numpy as np

from brittle.corruptions._law import Law, noise
from brittle.rows import Range, table


class Row(NamedTuple):
    """Parameters: `amount`, the share of values that are hit."""

    amount: Annotated[float, Range(0, 1)]


TABLES = table(
    Row,
    {
        "imagenet-224": (0.03, 0.06, 0.09, 0.17, 0.27),
        "inception-299": (0.04, 0.07, 0.1, 0.18, 0.28),
        "imagenet-64": (0.01, 0.02, 0.05, 0.08, 0.14),
        "cifar-32": (0.01, 0.02, 0.03, 0.05, 0.07),
    },
)


def law(row: Row) -> Law:
    """Return the probability of every output level for every input level."""
    found = np.eye(256) * (1 - row.amount)
    found[:, [0, 255]] += row.amount / 2
    return found


PART = noise(Row, TABLES, law, extra=False)

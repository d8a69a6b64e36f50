"""What a metric is: a pure function of error rates, with what it needs and how it is printed.

A metric's file offers `PART = Metric(...)`. Its function gets the error rates of the cells that it
asked for, in percent, and returns a total with the columns that it is summed from. Every rate has
a leading axis: first what was measured, then a value for each bootstrap replicate. So a metric is
written once, for plain numbers and for intervals alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle.outcomes import Cell, Reads, Role

Rates: TypeAlias = NDArray[np.float64]
"""Errors in percent, or distances; the leading axis holds what was measured, then replicates."""

PAPER = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"


class Normaliser(NamedTuple):
    """The errors of another model, which errors are divided by."""

    means: Mapping[str, Rates]
    """Group -> its mean error over the five severities; of sequences what the metric reads."""
    clean: Rates


@dataclass(frozen=True, kw_only=True)
class Errors:
    """The error rates that a metric asked for."""

    rates: Mapping[Cell, Rates]
    baseline: Normaliser | None = None

    def of(self, *roles: Role) -> dict[Cell, Rates]:
        """Return the cells of these roles, in the suite's order."""
        return {cell: rate for cell, rate in self.rates.items() if cell.role in roles}

    def groups(self) -> dict[str, Rates]:
        """Return corruption -> rates with a last axis of severities, mildest first."""
        found: dict[str, dict[int, Rates]] = {}
        for cell, rate in self.of("grid", "extra").items():
            found.setdefault(cell.group, {})[cell.severity or 0] = rate
        return {
            group: np.stack([row[severity] for severity in sorted(row)], axis=-1)
            for group, row in found.items()
        }

    def clean(self) -> Rates:
        """Return the error on the clean images."""
        return mean(self.of("clean"))

    def divisor(self) -> Normaliser:
        """Return the baseline, which is there because the metric asked for one."""
        assert self.baseline is not None
        return self.baseline


class Sum(NamedTuple):
    """A total, and the columns that it is summed from."""

    total: Rates
    columns: Mapping[str, Rates]


def mean(columns: Mapping[Cell, Rates] | Mapping[str, Rates]) -> Rates:
    """Return the mean of columns."""
    found: Rates = np.mean(list(columns.values()), axis=0, dtype=np.float64)
    return found


def everything(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Take every cell of the roles that are asked for."""
    return tuple(cells)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric: its function, what it needs, and how papers print it."""

    title: str
    """As printed: `mCE`."""
    about: str
    """Its documentation: `__doc__` of its file."""
    formula: str
    summed: str
    """How the total comes from the columns."""
    citation: str
    of: Callable[[Errors], Sum]
    roles: tuple[tuple[Role, ...], ...]
    """Each entry must be there in at least one of its roles; all cells of these roles are used."""
    choose: Callable[[Sequence[Cell]], tuple[Cell, ...]] = everything
    """Which of those cells are used."""
    reads: Reads = "top1"
    """What is read of each cell: an error (the true class is not the foremost one, or not among
    five), or how far predictions move from frame to frame."""
    baseline: bool = False
    """Whether errors are divided by those of a baseline."""
    corruptions: tuple[str, ...] = ()
    """The corruptions or perturbations that the plain title stands for; over others it says so."""
    off_grid: bool = False
    """Whether it says nothing of a grid of corruptions, so that its name would mislead there."""
    whole: bool = False
    """Whether every one of `corruptions` must be there; otherwise the title says how many are."""
    severities: tuple[int, ...] = ()
    """The severities that it is defined for; empty for any."""
    better: Literal["lower", "higher"] = "lower"
    unit: str = "%"
    digits: int = 1
    """Decimals that papers print of the total."""
    column: str
    """What a column holds: `CE`."""
    column_digits: int = 1

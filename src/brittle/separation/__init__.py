"""Separation: how well scores tell strange from usual, one file a number (see `base.Measure`).

>>> curve = Groups([3.0, 2.0, 1.0], [1.0, 0.5, 0.0, 0.0]).curve
>>> float(measure(curve, "auroc")[0]), float(measure(curve, "fpr(recall=0.5)")[0])
(0.9583333333333334, 0.0)
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.families import Family
from brittle.rows import make_row
from brittle.separation.base import Curve, Groups, Measure
from brittle.spec import Spec, parse

__all__ = ["SEPARATION", "Asked", "Curve", "Groups", "Measure", "ask", "measure"]

SEPARATION: Family[Measure] = Family("measure of separation", "brittle.separation", Measure)


class Asked(NamedTuple):
    """A measure with its parameters, as a spec asked for it."""

    spec: Spec
    measure: Measure
    row: Any

    @property
    def title(self) -> str:
        """As printed, parameters included."""
        made = self.measure.titled
        return made(self.row) if made else self.measure.title

    def of(self, curve: Curve) -> NDArray[np.float64]:
        """Return a number for each row of the curve."""
        return self.measure.of(curve, self.row)


def ask(spec: str | Spec) -> Asked:
    """Read `auroc` or `fpr(recall=0.8)`.

    >>> ask("fpr(recall=0.8)").title
    'FPR80'
    """
    made = parse(spec) if isinstance(spec, str) else spec
    part = SEPARATION.load(made.name)
    return Asked(made, part, make_row(part.row, made.params, where=made.name))


def measure(curve: Curve, spec: str | Spec) -> NDArray[np.float64]:
    """Return the number that a spec asks for, for each row of a curve."""
    return ask(spec).of(curve)

"""FPR95 (conservative): the least false positive rate with at least 95 % of the strange found.

A threshold whose recall is below the wanted one is not taken, however near; so the promise holds.
Lower is better.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation._recall import Row, percent
from brittle.separation.base import SCALING, Counts, Curve, Measure


def of(curve: Curve, row: Row) -> NDArray[np.float64]:
    """Read the rate at the first threshold with enough recall."""
    return _first(curve.true, curve.false, row.recall)


@kernel
def _first(true: Counts, false: Counts, recall: float) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        last = true.shape[1] - 1
        at = 0
        while true[row, at] / true[row, last] < recall:
            at += 1
        found[row] = false[row, at] / false[row, last] if recall > 0 else 0.0
    return found


PART = Measure(
    title="FPR95 (conservative)",
    about=__doc__,
    formula="min of FP(t) / N over thresholds t with a recall of at least the wanted one",
    citation=SCALING,
    of=of,
    row=Row,
    titled=lambda row: f"FPR{percent(row)} (conservative)",
    better="lower",
)

"""AUPR-In: average precision, the usual ones being the positive class and a low score a hit.

Beside AUPR, which finds the strange ones: this one finds what is safe. Higher is better; guessing
gives the share of usual ones.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation.base import BASELINE, Counts, Curve, Measure, NoRow


def of(curve: Curve, row: NoRow) -> NDArray[np.float64]:
    """Walk up from the lowest threshold."""
    return _precision(curve.true, curve.false)


@kernel
def _precision(true: Counts, false: Counts) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        last = true.shape[1] - 1
        total = 0.0
        for at in range(last, -1, -1):
            # Below the threshold above: those that score at most this one.
            above_false = false[row, at - 1] if at else 0
            above_true = true[row, at - 1] if at else 0
            gained = false[row, at] - above_false
            if gained:
                hits = false[row, last] - above_false
                total += gained * (hits / (hits + true[row, last] - above_true))
        found[row] = total / false[row, last]
    return found


PART = Measure(
    title="AUPR-In",
    about=__doc__,
    formula="AUPR of the negated scores, usual = positive",
    citation=BASELINE,
    of=of,
)

"""AUPR: average precision, the strange ones being the positive class.

The mean, over the strange ones, of the share of strange ones among all that score at least as
high. Higher is better; guessing gives the share of strange ones, so groups of other sizes have
other values.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation.base import BASELINE, Counts, Curve, Measure, NoRow


def of(curve: Curve, row: NoRow) -> NDArray[np.float64]:
    """Weigh each precision by the recall that is gained there."""
    return _precision(curve.true, curve.false)


@kernel
def _precision(true: Counts, false: Counts) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        total = 0.0
        before = 0
        for at in range(true.shape[1]):
            hits = true[row, at]
            if hits > before:
                total += (hits - before) * (hits / (hits + false[row, at]))
                before = hits
        found[row] = total / before
    return found


PART = Measure(
    title="AUPR",
    about=__doc__,
    formula="sum over thresholds of (R_n - R_{n-1}) P_n, strange = positive",
    citation=BASELINE,
    of=of,
)

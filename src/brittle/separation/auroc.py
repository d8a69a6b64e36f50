"""AUROC: how often a strange one has a higher score than a usual one.

Equal scores count one half. Higher is better; 0.5 is guessing, whatever the sizes of the groups.
Exact: pairs are counted in whole numbers and divided once.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation.base import BASELINE, Counts, Curve, Measure, NoRow


def of(curve: Curve, row: NoRow) -> NDArray[np.float64]:
    """Count the pairs in their right order."""
    return _won(curve.true, curve.false)


@kernel
def _won(true: Counts, false: Counts) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        twice = 0
        before_true = 0
        before_false = 0
        for at in range(true.shape[1]):
            # Those usual ones lose against every strange one above, and tie with those beside.
            twice += (false[row, at] - before_false) * (true[row, at] + before_true)
            before_true = true[row, at]
            before_false = false[row, at]
        found[row] = twice / (2.0 * before_true * before_false)
    return found


PART = Measure(
    title="AUROC",
    about=__doc__,
    formula="P(s+ > s-) + P(s+ = s-) / 2 for a strange s+ and a usual s-",
    citation=BASELINE,
    of=of,
)

"""Detection error: the least mean of both rates of error that any threshold reaches.

As though a strange one were as likely as a usual one. Lower is better; 0.5 is guessing.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation.base import Counts, Curve, Measure, NoRow


def of(curve: Curve, row: NoRow) -> NDArray[np.float64]:
    """Try every threshold, and none."""
    return _least(curve.true, curve.false)


@kernel
def _least(true: Counts, false: Counts) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        last = true.shape[1] - 1
        least = 0.5
        for at in range(last + 1):
            missed = (true[row, last] - true[row, at]) / true[row, last]
            least = min(least, (missed + false[row, at] / false[row, last]) / 2)
        found[row] = least
    return found


PART = Measure(
    title="detection error",
    about=__doc__,
    formula="min over thresholds of (miss rate + false positive rate) / 2",
    citation="Liang, Li and Srikant (ODIN), ICLR 2018, arXiv:1706.02690",
    of=of,
    better="lower",
)

"""AUPR (trapezoid): the area under straight lines from point to point of precision over recall.

What some tools print as AUPR; `aupr` is the plain name. Precision does not run straight between
two thresholds, so this may be too kind where many scores tie. It begins at recall 0 with
precision 1. Higher is better.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation.base import Counts, Curve, Measure, NoRow


def of(curve: Curve, row: NoRow) -> NDArray[np.float64]:
    """Sum the trapezoids."""
    return _area(curve.true, curve.false)


@kernel
def _area(true: Counts, false: Counts) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        total = 0.0
        before = 0
        precision_before = 1.0
        for at in range(true.shape[1]):
            hits = true[row, at]
            reached = hits + false[row, at]
            if reached:  # a replicate may have nobody at the first thresholds
                precision = hits / reached
                total += (hits - before) * (precision + precision_before)
                before = hits
                precision_before = precision
        found[row] = total / (2.0 * before)
    return found


PART = Measure(
    title="AUPR (trapezoid)",
    about=__doc__,
    formula="sum over thresholds of (R_n - R_{n-1}) (P_n + P_{n-1}) / 2, P_0 = 1",
    citation="Davis and Goadrich, ICML 2006, on why not to interpolate so",
    of=of,
)

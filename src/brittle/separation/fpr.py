"""FPR95: the share of usual ones taken for strange when 95 % of the strange ones are found.

By the convention of the published code: the threshold whose recall is nearest to the wanted one,
be it above or below. Of thresholds that have the same recall it takes the lowest, hence the most
false alarms; at full recall the highest. `fpr_conservative` never takes a recall that is too low.
Lower is better.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.separation._recall import Row, percent
from brittle.separation.base import SCALING, Counts, Curve, Measure


def of(curve: Curve, row: Row) -> NDArray[np.float64]:
    """Read the rate at the nearest threshold."""
    return _nearest(curve.true, curve.false, row.recall)


@kernel
def _nearest(true: Counts, false: Counts, recall: float) -> NDArray[np.float64]:
    found = np.empty(len(true))
    for row in range(len(true)):
        last = true.shape[1] - 1
        everyone = true[row, last]
        least = np.inf
        chosen = 0
        for at in range(last + 1):
            away = abs(true[row, at] / everyone - recall)
            if away <= least:
                least = away
                chosen = at
            if true[row, at] == everyone:
                break
        found[row] = false[row, chosen] / false[row, last]
    return found


PART = Measure(
    title="FPR95",
    about=__doc__,
    formula="FP(t) / N at the threshold t whose recall is nearest to the wanted one",
    citation=SCALING,
    of=of,
    row=Row,
    titled=lambda row: f"FPR{percent(row)}",
    better="lower",
)

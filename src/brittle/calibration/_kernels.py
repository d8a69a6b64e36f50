"""The kernel of ranked answers: sums over the answers from the least confident up, in one pass."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel


@kernel
def ranked_sums(
    weights: NDArray[Any],
    order: NDArray[np.intp],
    ends: NDArray[np.intp],
    confidence: NDArray[np.float64],
    correct: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return 3 x R x (G + 1): counts, confidence and right answers, before and after each run."""
    sums = np.zeros((3, len(weights), len(ends) + 1))
    for row in range(len(weights)):
        count = 0.0
        sure = 0.0
        right = 0.0
        run = 0
        for place in range(len(order)):
            one = order[place]
            weight = float(weights[row, one])
            count += weight
            sure += weight * confidence[one]
            right += weight * correct[one]
            if place == ends[run]:
                run += 1
                sums[0, row, run] = count
                sums[1, row, run] = sure
                sums[2, row, run] = right
    return sums

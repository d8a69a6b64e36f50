"""The kernels of a curve: merging two sorted lists, and summing weights over thresholds."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel

Floats: TypeAlias = NDArray[np.floating]


@kernel
def merge(
    strange: Floats,
    usual: Floats,
    thresholds: Floats,
    true: NDArray[np.int64],
    false: NDArray[np.int64],
) -> int:
    """Walk both rising lists from their ends; return the number of different scores."""
    i, j, found = len(strange), len(usual), 0
    while i > 0 or j > 0:
        at = strange[i - 1] if j == 0 or (i > 0 and strange[i - 1] > usual[j - 1]) else usual[j - 1]
        while i > 0 and strange[i - 1] == at:
            i -= 1
        while j > 0 and usual[j - 1] == at:
            j -= 1
        thresholds[found] = at
        true[found] = len(strange) - i
        false[found] = len(usual) - j
        found += 1
    return found


@kernel
def accumulate(places: NDArray[np.intp], weights: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Sum the weights at each place, and all before it."""
    sums = np.zeros((len(weights), size), np.int64)
    for row in range(len(weights)):
        for one in range(len(places)):
            sums[row, places[one]] += int(weights[row, one])
        for at in range(1, size):
            sums[row, at] += sums[row, at - 1]
    return sums

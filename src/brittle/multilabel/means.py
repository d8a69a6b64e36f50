"""Mean average precision over classes: plain, and weighted by how frequent each class is.

A class that no image has, in the sample or in a bootstrap replicate of it, has no recall and so no
average precision: it is left out of both means of that row, and is not counted as nought. A row in
which no class is left is nan.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.multilabel.precision import AveragePrecision

Rows = NDArray[np.float64]
"""What was measured, then a number for each replicate."""


def mean(found: AveragePrecision) -> Rows:
    """Return mAP, the plain mean over the classes that are there: sum_c AP_c / C.

    >>> found = AveragePrecision(np.array([[0.5, 1.0, np.nan]]), np.array([[9.0, 1, 0]]))
    >>> mean(found).tolist()
    [0.75]
    """
    return _weighted(found, (found.positives > 0).astype(np.float64))


def weighted_mean(found: AveragePrecision) -> Rows:
    """Return the frequency-weighted mAP: sum_c n_c AP_c / sum_c n_c, n_c the images with class c.

    >>> found = AveragePrecision(np.array([[0.5, 1.0, np.nan]]), np.array([[9.0, 1, 0]]))
    >>> weighted_mean(found).tolist()
    [0.55]
    """
    return _weighted(found, found.positives)


def _weighted(found: AveragePrecision, weights: NDArray[np.float64]) -> Rows:
    there = found.positives > 0
    total = np.where(there, weights * found.values, 0.0).sum(axis=1)
    count = np.where(there, weights, 0.0).sum(axis=1)
    rows: Rows = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return rows

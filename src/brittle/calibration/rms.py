"""RMS calibration error: the root of the mean squared gap between confidence and accuracy.

Bins hold 100 answers each, by rising confidence; the last one takes the remainder and counts like
the others. `rms_published` is what the published code prints. Lower is better; 0 to 1.
"""

import numpy as np

from brittle.calibration._bins import Row, adaptive, gaps, shares
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Sum over the bins."""
    bins = adaptive(sample, row)
    found: Rows = np.sqrt((shares(bins) * gaps(bins) ** 2).sum(axis=1))
    return found


PART = Measure(
    title="RMS calibration error",
    about=__doc__,
    formula="sqrt(sum_b n_b/n (confidence_b - accuracy_b)^2)",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

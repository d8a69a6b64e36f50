"""RMS calibration error (published): the root of the mean squared gap, the last bin left out.

The published code drops its last bin, that of the most confident answers, by an off-by-one that
was copied on, and still divides by all answers; `rms` counts every bin. With fewer than two bins
it is 0, whatever the answers. Lower is better; 0 to 1.
"""

import numpy as np

from brittle.calibration._bins import Row, adaptive, gaps, shares
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Sum over the bins."""
    bins = adaptive(sample, row)
    found: Rows = np.sqrt((shares(bins)[:, :-1] * gaps(bins)[:, :-1] ** 2).sum(axis=1))
    return found


PART = Measure(
    title="RMS calibration error (published)",
    about=__doc__,
    formula="sqrt(sum_b n_b/n (confidence_b - accuracy_b)^2), all bins but the last",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

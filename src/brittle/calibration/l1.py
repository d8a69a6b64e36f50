"""L1 calibration error: the mean gap between confidence and accuracy.

Bins hold 100 answers each, by rising confidence; the last one takes the remainder and counts like
the others. `l1_published` is what the published code prints. Lower is better; 0 to 1.
"""

from brittle.calibration._bins import Row, adaptive, gaps, shares
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Sum over the bins."""
    bins = adaptive(sample, row)
    found: Rows = (shares(bins) * gaps(bins)).sum(axis=1)
    return found


PART = Measure(
    title="L1 calibration error",
    about=__doc__,
    formula="sum_b n_b/n |confidence_b - accuracy_b|",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

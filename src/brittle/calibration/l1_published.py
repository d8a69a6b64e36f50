"""L1 calibration error (published): the mean gap, the last bin left out.

The published code drops its last bin, that of the most confident answers, by an off-by-one that
was copied on, and still divides by all answers; `l1` counts every bin. With fewer than two bins it
is 0, whatever the answers. Lower is better; 0 to 1.
"""

from brittle.calibration._bins import Row, adaptive, gaps, shares
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Sum over the bins."""
    bins = adaptive(sample, row)
    found: Rows = (shares(bins)[:, :-1] * gaps(bins)[:, :-1]).sum(axis=1)
    return found


PART = Measure(
    title="L1 calibration error (published)",
    about=__doc__,
    formula="sum_b n_b/n |confidence_b - accuracy_b|, all bins but the last",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

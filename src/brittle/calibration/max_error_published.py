"""maximum calibration error (published): the largest gap of a bin, the last bin left out.

The published code drops its last bin, that of the most confident answers, by an off-by-one that
was copied on, and still divides by all answers; `max_error` counts every bin. With fewer than two
bins it is 0, whatever the answers. Lower is better; 0 to 1.
"""

from brittle.calibration._bins import Row, adaptive, gaps
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Take the worst bin."""
    bins = adaptive(sample, row)
    found: Rows = gaps(bins)[:, :-1].max(axis=1, initial=0.0)
    return found


PART = Measure(
    title="maximum calibration error (published)",
    about=__doc__,
    formula="max_b |confidence_b - accuracy_b|, all bins but the last",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

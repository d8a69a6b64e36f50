"""maximum calibration error: the largest gap between confidence and accuracy of a bin.

Bins hold 100 answers each, by rising confidence; the last one takes the remainder and counts like
the others. `max_error_published` is what the published code prints. Lower is better; 0 to 1.
"""

from brittle.calibration._bins import Row, adaptive, gaps
from brittle.calibration.base import DEEP, Measure, Rows, Sample


def of(sample: Sample, row: Row) -> Rows:
    """Take the worst bin."""
    bins = adaptive(sample, row)
    found: Rows = gaps(bins).max(axis=1, initial=0.0)
    return found


PART = Measure(
    title="maximum calibration error",
    about=__doc__,
    formula="max_b |confidence_b - accuracy_b|",
    citation=DEEP,
    of=of,
    biased=True,
    row=Row,
)

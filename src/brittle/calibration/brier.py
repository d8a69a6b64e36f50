"""Brier score: the squared distance from the probabilities of all classes to the truth.

A proper score: it rewards being right as well as knowing when. Lower is better; 0 to 2.
"""

from brittle.calibration.base import Measure, NoRow, Rows, Sample


def of(sample: Sample, row: NoRow) -> Rows:
    """Take the mean over the answers."""
    assert sample.answers.square_loss is not None
    return sample.mean(sample.answers.square_loss)


PART = Measure(
    title="Brier score",
    about=__doc__,
    formula="mean of sum_c (p_c - [c is true])^2",
    citation="Brier, Monthly Weather Review 1950",
    of=of,
    needs=("square_loss",),
)

"""NLL: the mean of minus the logarithm of the true class's probability, in nats.

A proper score, infinite where a true class had the probability 0. Lower is better; 0 or more.
"""

import numpy as np

from brittle.calibration.base import Measure, NoRow, Rows, Sample


def of(sample: Sample, row: NoRow) -> Rows:
    """Take the mean over the answers."""
    losses = sample.answers.log_loss
    assert losses is not None
    endless = np.isinf(losses)
    found = sample.mean(np.where(endless, 0.0, losses))
    # An answer that is not drawn must not count: 0 times infinity is no number.
    return np.where(sample.sum(endless) > 0, np.inf, found)


PART = Measure(
    title="NLL",
    about=__doc__,
    formula="mean of -log p_true",
    citation="Guo et al., ICML 2017, arXiv:1706.04599",
    of=of,
    needs=("log_loss",),
)

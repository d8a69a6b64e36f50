"""relative mCE: how much the corruptions add to the clean error, compared with a baseline.

A model that is good on clean images has much to lose; this asks only for the loss. Lower is better;
0 is a model that loses nothing, AlexNet has 100, and better classifiers often have more.
"""

from brittle.metrics._grid import FIVE, TEST, tested
from brittle.metrics.base import PAPER, Errors, Metric, Sum, mean


def of(errors: Errors) -> Sum:
    """Divide each corruption's loss over the clean images by the baseline's loss."""
    clean, baseline = errors.clean(), errors.divisor()
    columns = {
        group: 100 * ((rates.mean(axis=-1) - clean) / (baseline.means[group] - baseline.clean))
        for group, rates in errors.groups().items()
    }
    return Sum(mean(columns), columns)


PART = Metric(
    title="relative mCE",
    about=__doc__,
    formula=("100 * sum_s (E(s,c) - E(clean)) / sum_s (B(s,c) - B(clean)), mean over the fifteen"),
    summed="mean",
    citation=PAPER,
    of=of,
    roles=(("grid",), ("clean",)),
    choose=tested,
    baseline=True,
    corruptions=TEST,
    whole=True,
    severities=FIVE,
    column="relative CE",
    column_digits=0,
)

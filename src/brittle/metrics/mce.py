"""mCE: the mean error under the fifteen corruptions, each divided by a baseline's error.

A corruption is hard or easy by itself; dividing by the error of one agreed model (AlexNet) lets
each count alike. Lower is better; AlexNet has 100, and a model can have more.
"""

from brittle.metrics._grid import FIVE, TEST, tested
from brittle.metrics.base import PAPER, Errors, Metric, Sum, mean


def of(errors: Errors) -> Sum:
    """Divide each corruption's mean error by the baseline's."""
    means = errors.divisor().means
    columns = {
        group: 100 * (rates.mean(axis=-1) / means[group])
        for group, rates in errors.groups().items()
    }
    return Sum(mean(columns), columns)


PART = Metric(
    title="mCE",
    formula="CE_c = 100 * sum_s E(s,c) / sum_s B(s,c); mCE = mean of CE_c over the fifteen",
    summed="mean",
    citation=PAPER,
    of=of,
    roles=(("grid",),),
    choose=tested,
    baseline=True,
    corruptions=TEST,
    severities=FIVE,
    column="CE",
    column_digits=0,
)

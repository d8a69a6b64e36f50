"""extra mCE: the mCE of the four corruptions that are kept apart for validation.

They are for choosing among methods; the mCE proper never holds them. Lower is better.
"""

from brittle.metrics._grid import FIVE, VALIDATION, validated
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
    title="extra mCE",
    formula="CE_c = 100 * sum_s E(s,c) / sum_s B(s,c); extra mCE = mean of CE_c over the four",
    summed="mean",
    citation=PAPER,
    of=of,
    roles=(("extra", "grid"),),
    choose=validated,
    baseline=True,
    corruptions=VALIDATION,
    severities=FIVE,
    column="CE",
    column_digits=0,
)

"""extra mCE: the mCE of the four corruptions that are kept apart for validation.

They are for choosing among methods; the mCE proper never holds them. Lower is better.
"""

from brittle.metrics._grid import FIVE, VALIDATION, divided, validated
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="extra mCE",
    about=__doc__,
    formula="CE_c = 100 * sum_s E(s,c) / sum_s B(s,c); extra mCE = mean of CE_c over the four",
    summed="mean",
    citation=PAPER,
    of=divided,
    roles=(("extra", "grid"),),
    choose=validated,
    baseline=True,
    corruptions=VALIDATION,
    whole=True,
    severities=FIVE,
    column="CE",
    column_digits=0,
)

"""mCE: the mean error under the fifteen corruptions, each divided by a baseline's error.

A corruption is hard or easy by itself; dividing by the error of one agreed model (AlexNet) lets
each count alike. Lower is better; AlexNet has 100, and a model can have more.
"""

from brittle.metrics._grid import FIVE, TEST, divided, tested
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mCE",
    about=__doc__,
    formula="CE_c = 100 * sum_s E(s,c) / sum_s B(s,c); mCE = mean of CE_c over the fifteen",
    summed="mean",
    citation=PAPER,
    of=divided,
    roles=(("grid",),),
    choose=tested,
    baseline=True,
    corruptions=TEST,
    whole=True,
    severities=FIVE,
    column="CE",
    column_digits=0,
)

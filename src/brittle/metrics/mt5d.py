"""mT5D: the mean top-5 distance under the ten perturbations, each divided by a baseline's.

How far the five foremost classes move from a frame to the next, whether or not the first of them
changes. Needs no labels. Lower is better; AlexNet has 100.
"""

from brittle.metrics._sequences import TEST, divided, tested
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mT5D",
    about=__doc__,
    formula="T5D_p = 100 * uT5D_p / uT5D_p(baseline); mT5D = mean of T5D_p over the ten",
    summed="mean",
    citation=PAPER,
    of=divided,
    roles=(("sequence",),),
    choose=tested,
    reads="top5_distance",
    baseline=True,
    whole=True,
    corruptions=TEST,
    unit="%",
    digits=1,
    column="T5D",
    column_digits=0,
)

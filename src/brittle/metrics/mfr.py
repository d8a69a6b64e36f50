"""mFR: the mean flip rate under the ten perturbations, each divided by a baseline's.

How often the foremost class changes from a frame to the next, or from the clean frame to a noisy
one; dividing by the flip probability of one agreed model (AlexNet) lets each perturbation count
alike. Needs no labels. Lower is better; AlexNet has 100, and a model can have more.
"""

from brittle.metrics._sequences import TEST, divided, tested
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mFR",
    about=__doc__,
    formula="FR_p = 100 * FP_p / FP_p(baseline); mFR = mean of FR_p over the ten",
    summed="mean",
    citation=PAPER,
    of=divided,
    roles=(("sequence",),),
    choose=tested,
    reads="flips",
    baseline=True,
    whole=True,
    corruptions=TEST,
    unit="%",
    digits=1,
    column="FR",
    column_digits=0,
)

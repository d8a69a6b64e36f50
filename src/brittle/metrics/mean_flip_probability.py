"""mean flip probability: how often the foremost class changes between frames, not divided.

The plain mean over the perturbations of a suite (the validation ones count only where there are no
others). It needs no baseline, so it fits one's own perturbations and films; hard perturbations
dominate it. Needs no labels. Lower is better, 0 to 100.
"""

from brittle.metrics._sequences import TEST, plain, tested_if_any
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mean flip probability",
    about=__doc__,
    formula="FP_p = mean over sequences of the share of comparisons whose top-1 class differs",
    summed="mean",
    citation=PAPER,
    of=plain,
    roles=(("sequence",),),
    choose=tested_if_any,
    reads="flips",
    corruptions=TEST,
    unit="%",
    digits=2,
    column="FP",
    column_digits=2,
)

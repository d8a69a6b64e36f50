"""mean top-5 distance: how far the five foremost classes move between frames, not divided.

The plain mean over the perturbations of a suite (the validation ones count only where there are no
others). Needs no labels. Lower is better, 0 to 15.
"""

from brittle.metrics._sequences import TEST, plain, tested_if_any
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mean top-5 distance",
    about=__doc__,
    formula="uT5D_p = mean of d = sum over i = 1..5 of |C(i-1) - C(s(i)-1)|, C(k) = min(k, 5)",
    summed="mean",
    citation=PAPER,
    of=plain,
    roles=(("sequence",),),
    choose=tested_if_any,
    reads="top5_distance",
    corruptions=TEST,
    unit="",
    digits=2,
    column="uT5D",
    column_digits=2,
)

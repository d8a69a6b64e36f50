"""mean Zipf distance: how far all classes move between frames, the foremost counting most.

It reads the ranking of all classes, which a run keeps with `--keep ranking`. The plain mean over
the perturbations of a suite. Needs no labels. Lower is better.
"""

from brittle.metrics._sequences import TEST, plain, tested_if_any
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="mean Zipf distance",
    about=__doc__,
    formula="d = sum over i of |w(i) - w(s(i))| * w(i), w(i) = 1/i",
    summed="mean",
    citation=PAPER,
    of=plain,
    roles=(("sequence",),),
    choose=tested_if_any,
    reads="zipf_distance",
    corruptions=TEST,
    unit="",
    digits=3,
    column="Zipf",
    column_digits=3,
)

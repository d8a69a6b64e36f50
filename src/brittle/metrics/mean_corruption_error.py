"""mean corruption error: the plain mean of the errors under the corruptions.

The headline of CIFAR-10-C and its like, where no baseline was agreed on. Papers often call it mCE;
here it never has that name, since it is not divided by anything. Validation corruptions
count only where there are no others. Lower is better, 0 to 100.
"""

from brittle.metrics._grid import TEST, tested_if_any
from brittle.metrics.base import PAPER, Errors, Metric, Sum, mean


def of(errors: Errors) -> Sum:
    """Take the mean over severities, then over corruptions."""
    columns = {group: rates.mean(axis=-1) for group, rates in errors.groups().items()}
    return Sum(mean(columns), columns)


PART = Metric(
    title="mean corruption error",
    about=__doc__,
    formula="mean over s of E(s,c), then mean over the corruptions c",
    summed="mean",
    citation=PAPER,
    of=of,
    roles=(("grid", "extra"),),
    choose=tested_if_any,
    corruptions=TEST,
    column="mean error",
)

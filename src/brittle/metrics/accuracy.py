"""accuracy: how often the foremost class is the true one, as ImageNet-A is printed.

The total is the mean over the shifts; without any, over the free conditions; without those, the
accuracy on the plain photographs. Higher is better, 0 to 100.
"""

from brittle.metrics._plain import PLAIN, plain
from brittle.metrics.base import Errors, Metric, Sum


def of(errors: Errors) -> Sum:
    """Take what every cell lacks to 100."""
    wrong = plain(errors)
    return Sum(100 - wrong.total, {name: 100 - rate for name, rate in wrong.columns.items()})


PART = Metric(
    title="accuracy",
    about=__doc__,
    formula="100 - top-1 error",
    summed="mean over the shifts; else the free conditions; else the plain photographs",
    citation="Hendrycks et al., CVPR 2021, arXiv:1907.07174",
    of=of,
    off_grid=True,
    roles=PLAIN,
    better="higher",
    column="accuracy",
)

"""top-1 error: how often the foremost class is not the true one, in every cell off the grid.

The total is the mean over the shifts; without any, over the free conditions; without those, the
error on the plain photographs. Lower is better, 0 to 100.
"""

from brittle.metrics._plain import PLAIN, plain
from brittle.metrics.base import Metric

PART = Metric(
    title="top-1 error",
    about=__doc__,
    formula="share of images whose foremost class is not the true one",
    summed="mean over the shifts; else the free conditions; else the plain photographs",
    citation="Hendrycks et al., ICCV 2021, arXiv:2006.16241",
    of=plain,
    off_grid=True,
    roles=PLAIN,
    column="error",
)

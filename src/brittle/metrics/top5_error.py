"""top-5 error: how often the true class is not among the five foremost, in every cell off the grid.

The total is made as that of the top-1 error. Lower is better, 0 to 100. Of fewer than six classes
it is 0 whatever the model does.
"""

from brittle.metrics._plain import PLAIN, plain
from brittle.metrics.base import Metric

PART = Metric(
    title="top-5 error",
    about=__doc__,
    formula="share of images whose true class is not among the five foremost ones",
    summed="mean over the shifts; else the free conditions; else the plain photographs",
    citation="Russakovsky et al., IJCV 2015, arXiv:1409.0575",
    of=plain,
    off_grid=True,
    roles=PLAIN,
    reads="top5",
    column="error",
)

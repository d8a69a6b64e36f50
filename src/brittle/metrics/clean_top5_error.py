"""clean top-5 error: how often the true class is not among five on the clean images.

Lower is better, 0 to 100. Of fewer than six classes it is 0 whatever the model does.
"""

from brittle.metrics._plain import CLEAN, plain
from brittle.metrics.base import Metric

PART = Metric(
    title="clean top-5 error",
    about=__doc__,
    formula="share of images whose true class is not among the five foremost ones",
    summed="the clean images; the mean over sets where there are several",
    citation="Russakovsky et al., IJCV 2015, arXiv:1409.0575",
    of=plain,
    roles=CLEAN,
    reads="top5",
    column="error",
)

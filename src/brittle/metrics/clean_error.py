"""clean error: top-1 error on the clean or in-distribution images.

Lower is better, 0 to 100.
"""

from brittle.metrics._plain import CLEAN, plain
from brittle.metrics.base import PAPER, Metric

PART = Metric(
    title="clean error",
    about=__doc__,
    formula="share of images whose foremost class is not the true one",
    summed="the clean images; the mean over sets where there are several",
    citation=PAPER,
    of=plain,
    roles=CLEAN,
    column="error",
)

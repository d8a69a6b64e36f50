"""clean error: top-1 error on the clean or in-distribution images.

Lower is better, 0 to 100.
"""

from brittle.metrics._plain import CLEAN, plain
from brittle.metrics.base import PAPER, Errors, Metric, Sum


def of(errors: Errors) -> Sum:
    """Take the clean cells as they are."""
    return plain(errors)


PART = Metric(
    title="clean error",
    formula="share of images whose foremost class is not the true one",
    summed="the clean images; the mean over sets where there are several",
    citation=PAPER,
    of=of,
    roles=CLEAN,
    column="error",
)

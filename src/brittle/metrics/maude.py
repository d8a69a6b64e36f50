"""mAUDE: the mean area under the error as a corruption grows from nothing to severity 5.

The score of the draft of 2018: no baseline, and the clean error counts. Lower is better, 0 to 100.
"""

from brittle.metrics._grid import FIVE, TEST, tested
from brittle.metrics.base import Errors, Metric, Sum, mean


def of(errors: Errors) -> Sum:
    """Take the trapezoids between severities 0 (clean) and 5, divided by 5."""
    half = errors.clean() / 2
    columns = {
        group: (half + rates[..., :-1].sum(axis=-1) + rates[..., -1] / 2) / 5
        for group, rates in errors.groups().items()
    }
    return Sum(mean(columns), columns)


PART = Metric(
    title="mAUDE",
    about=__doc__,
    formula="AUDE_c = (E(clean)/2 + E(1,c) + ... + E(4,c) + E(5,c)/2) / 5, mean over the fifteen",
    summed="mean",
    citation="Hendrycks and Dietterich, draft of 2018, arXiv:1807.01697",
    of=of,
    roles=(("grid",), ("clean",)),
    choose=tested,
    corruptions=TEST,
    whole=True,
    severities=FIVE,
    column="AUDE",
    column_digits=0,
)

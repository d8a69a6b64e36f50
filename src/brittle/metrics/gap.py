"""gap: how much higher the error on shifted images is than on the in-distribution ones.

Lower is better; 0 is a model that does not notice the shift, and a negative gap one that finds the
shifted images easier.
"""

from brittle.metrics._plain import titles
from brittle.metrics.base import Errors, Metric, Sum, mean


def of(errors: Errors) -> Sum:
    """Subtract the in-distribution error from each shift's."""
    home = mean(errors.of("iid") or errors.of("clean"))
    shifts = errors.of("shift")
    names = titles(tuple(shifts))
    columns = {names[cell]: rate - home for cell, rate in shifts.items()}
    return Sum(mean(columns), columns)


PART = Metric(
    title="gap",
    about=__doc__,
    formula="E(shift) - E(iid)",
    summed="mean over the shifts",
    citation="Hendrycks et al., ICCV 2021, arXiv:2006.16241",
    of=of,
    roles=(("shift",), ("iid", "clean")),
    column="gap",
)

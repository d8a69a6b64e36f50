"""Metrics: error rates to a number, one file each (see `base.Metric`).

>>> find("relative mCE")[0]
'relative_mce'
>>> find("mCE")[1].better
'lower'
"""

from brittle.families import Family
from brittle.metrics.base import Errors, Metric, Normaliser, Rates, Sum

__all__ = ["METRICS", "Errors", "Metric", "Normaliser", "Rates", "Sum", "find"]

METRICS: Family[Metric] = Family("metric", "brittle.metrics", Metric)


def find(name: str) -> tuple[str, Metric]:
    """Return a metric's name and the metric; case does not count, nor `-` and blanks for `_`."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return plain, METRICS.load(plain)

"""Baselines: the errors that errors are divided by, one file each (see `base.Baseline`).

>>> round(BASELINES.load("alexnet").mean("fog"), 4)
81.9324
"""

from brittle.baselines.base import Baseline
from brittle.families import Family

__all__ = ["BASELINES", "Baseline"]

BASELINES: Family[Baseline] = Family("baseline", "brittle.baselines", Baseline)

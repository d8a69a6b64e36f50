"""Every number of calibration: formula, direction, citation."""

from brittle.calibration import CALIBRATION
from scripts.reference._measures import measures


def make() -> str:
    """Return the table."""
    return measures(CALIBRATION)

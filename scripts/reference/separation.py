"""Every number of separation: formula, direction, citation."""

from brittle.separation import SEPARATION
from scripts.reference._measures import measures


def make() -> str:
    """Return the table."""
    return measures(SEPARATION)

"""The corruptions: one file each, its severity tables beside its function."""

from brittle.corruptions.base import Corruption
from brittle.families import Family

CORRUPTIONS: Family[Corruption] = Family("corruption", "brittle.corruptions", Corruption)

__all__ = ["CORRUPTIONS", "Corruption"]

"""What a corrupted set on disk is found to hold, however it is laid out."""

from collections.abc import Callable
from typing import NamedTuple

from brittle.sources import Item
from brittle.types import Pixels


class Grid(NamedTuple):
    """The images of a set and how to load each under a condition."""

    kind: str
    """Name of the layout."""
    items: tuple[Item, ...]
    conditions: tuple[str, ...]
    load: Callable[[Item, str], Pixels]
    fingerprint: str


class Place(NamedTuple):
    """A condition of a set and where it lies."""

    condition: str
    folder: str
    """Below the set's root."""

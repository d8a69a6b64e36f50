"""What a corrupted set on disk is found to hold, however it is laid out."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
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
    """Of the images by key and label, or a manifest's own."""
    contents: Mapping[str, str]
    """Condition -> what its files look like; none where the fingerprint covers them."""


class Place(NamedTuple):
    """A condition of a set and where it lies."""

    condition: str
    folder: str
    """Below the set's root."""


def images(items: Sequence[Item]) -> str:
    """Return the fingerprint of images that have a name each and no digest."""
    hashed = hashlib.sha256(b"brittle-published-1")
    for item in items:
        hashed.update(repr(tuple(item[:2])).encode("utf-8", "surrogateescape"))
    return hashed.hexdigest()

"""What a feed is: one set of images, and each of them under several conditions.

A condition gives a picture of an image, or the frames of a sequence.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from brittle.editions import Edition
from brittle.errors import SourceError
from brittle.sources import Item
from brittle.types import Pixels, Reference


@dataclass(frozen=True, kw_only=True)
class Feed:
    """The pictures of one set; safe to read from many threads.

    Images have keys and an order; conditions are named in their canonical form. A feed never gives
    generated pixels and pixels from published files under one identity.
    """

    edition: Edition
    pixels: Literal["generated", "read"]
    items: tuple[Item, ...]
    """The images by key; a label is the name of a class."""
    digests: tuple[str, ...]
    """SHA-256 of each image as stored; empty texts where nobody read it beforehand."""
    conditions: tuple[str, ...]
    """The canonical names of all conditions that it can give."""
    versions: Mapping[str, int]
    """The version of every part in them."""
    fingerprint: str
    """Names the pictures whatever the machine: keys, labels, contents, and how they are stored."""
    give: Callable[[Item, str, Sequence[str]], Iterator[Pixels]]
    """Gets an image, its digest and conditions; yields the picture under each, H x W x 3; of
    sequences the frames of each, one after the other."""
    facts: Mapping[str, Any]
    """What a reader must know besides, for the record."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """Condition -> what its files look like, where the fingerprint does not cover them."""
    largest: tuple[int, int] | None = None
    """Height and width of the largest picture that it gives; None where the edition says it."""
    references: Mapping[str, Reference] = field(default_factory=dict)
    """Condition -> the frame that each frame is compared with; empty where there are no frames."""
    frames: Callable[[Item, str], int] | None = None
    """How many frames a condition gives of an image; None where each gives one picture."""

    @property
    def identity(self) -> str:
        """A short name that is the same for the same pictures, safe as a folder's."""
        frames = "" if self.frames is None else "-frames"
        read = "" if self.pixels == "generated" else "-read"
        return f"{self.edition.name}{frames}{read}-{self.fingerprint[:10]}"

    def count(self, index: int, condition: str) -> int:
        """Return how many pictures a condition gives of an image."""
        return 1 if self.frames is None else self.frames(self.items[index], condition)

    def pictures(self, index: int, conditions: Sequence[str]) -> Iterator[Pixels]:
        """Yield an image's picture under each of the conditions."""
        return self.give(self.items[index], self.digests[index], conditions)

    def only(self, keys: Iterable[str], *, what: str) -> "Feed":
        """Return the feed of the images with those keys, in their order; `what` begins an error."""
        place = {item.key: row for row, item in enumerate(self.items)}
        keys = list(keys)
        if missing := [key for key in keys if key not in place]:
            raise SourceError(
                f"{what} lacks {len(missing)} of the {len(keys)} images that are measured, such as "
                f"{missing[0]}. Give the pictures that the set was made from."
            )
        rows = [place[key] for key in keys]
        if rows == list(range(len(self.items))):
            return self
        hashed = hashlib.sha256(f"brittle-part-1 {self.fingerprint}".encode())
        for row in rows:
            hashed.update(repr(tuple(self.items[row])).encode("utf-8", "surrogateescape"))
        return replace(
            self,
            items=tuple(self.items[row] for row in rows),
            digests=tuple(self.digests[row] for row in rows),
            fingerprint=hashed.hexdigest(),
        )

    def relabelled(self, name: Callable[[str | None], str | None]) -> "Feed":
        """Return the feed with other labels for the same images."""
        items = tuple(item._replace(label=name(item.label)) for item in self.items)
        hashed = hashlib.sha256(f"brittle-named-1 {self.fingerprint}".encode())
        hashed.update(repr([item.label for item in items]).encode("utf-8", "surrogateescape"))
        return replace(self, items=items, fingerprint=hashed.hexdigest())

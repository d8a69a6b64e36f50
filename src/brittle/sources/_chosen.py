"""A sample of a source that does not depend on the order or the number of its images."""

from collections.abc import Sequence
from typing import final

from brittle import seeds
from brittle.errors import SourceError, SpecError
from brittle.sources.base import Item, Source
from brittle.types import Pixels


def chosen(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    """Return `count` items, those whose hashed keys come first; all of them if they are fewer."""
    if not items:
        raise SourceError("There are no images to choose from.")
    if count is not None and count < 1:
        raise SpecError(f"A sample has at least 1 picture; got {count}.")
    return sorted(items, key=lambda item: (seeds.stream(seed, "sample", item.key), item.key))[
        :count
    ]


@final
class Chosen(Source):
    """Some of the items of a source, in the source's order."""

    def __init__(self, inner: Source, items: Sequence[Item]) -> None:
        """Read nothing yet."""
        some = {item.key for item in items}
        self.kind, self.root, self.classes = inner.kind, inner.root, inner.classes
        self.items = tuple(item for item in inner.items if item.key in some)
        self._inner = inner

    @property
    def upright(self) -> bool:
        """Whether pictures are turned by their EXIF orientation."""
        return self._inner.upright

    def read(self, item: Item) -> bytes:
        """Return what is stored for an item."""
        return self._inner.read(item)

    def decode(self, item: Item, data: bytes) -> Pixels:
        """Turn it into pixels."""
        return self._inner.decode(item, data)

"""A source whose every item is an image file of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

from brittle.errors import ImageError
from brittle.sources._decode import decode
from brittle.sources.base import Item, Options, Source
from brittle.types import Pixels


@final
@dataclass(frozen=True, eq=False, repr=False)
class Files(Source):
    """Image files below `root`, each at its item's name; `ignored` counts the other files."""

    kind: str
    root: Path
    items: tuple[Item, ...]
    classes: tuple[str, ...]
    options: Options
    ignored: int = 0

    @property
    def upright(self) -> bool:
        """Whether pictures are turned by their EXIF orientation."""
        return self.options.exif

    def read(self, item: Item) -> bytes:
        """Return the file's bytes."""
        try:
            return (self.root / item.name).read_bytes()
        except OSError as error:
            raise ImageError(f"{item.name}: it cannot be read ({error.strerror}).") from error

    def decode(self, item: Item, data: bytes) -> Pixels:
        """Decode the file's bytes to H x W x 3 RGB."""
        options = self.options
        return decode(data, name=item.name, exif=options.exif, max_pixels=options.max_pixels)

"""A source whose items are the rows of arrays."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from brittle.errors import ImageError, SourceError
from brittle.sources.base import Item, Source
from brittle.types import Pixels, UInt8

_SHAPE = struct.Struct("<3Q")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Rows(Source):
    """Images of one size, N x H x W x C uint8 with C of 1, 3 or 4, under their row numbers."""

    kind: str
    root: Path
    items: tuple[Item, ...]
    classes: tuple[str, ...]
    images: UInt8
    max_pixels: int

    def read(self, item: Item) -> bytes:
        """Return the row's height, width and channels, and then its bytes."""
        row = int(item.key) if item.key.isdecimal() else -1
        # Not by its label, which a suite may know by another name.
        if not 0 <= row < len(self.items) or self.items[row][::2] != item[::2]:
            raise SourceError(f"'{item.key}' is not an item of {self.root}; take one of items.")
        image: UInt8 = self.images[row]
        return _SHAPE.pack(*image.shape) + image.tobytes()

    def decode(self, item: Item, data: bytes) -> Pixels:
        """Turn a row's shape and bytes into H x W x 3 RGB."""
        height, width, channels = _SHAPE.unpack_from(data)
        if height * width > self.max_pixels:
            raise ImageError(
                f"{item.name}: it is {width} x {height}, more than the {self.max_pixels} pixels "
                f"that are allowed (the limit max_pixels)."
            )
        image = np.frombuffer(data, np.uint8, offset=_SHAPE.size).reshape(height, width, channels)
        return np.repeat(image, 3, axis=2) if channels == 1 else image[:, :, :3].copy()


def as_rows(images: UInt8, what: str) -> UInt8:
    """Check that an array holds images, and give grey ones a channel."""
    if images.dtype != np.uint8:
        raise SourceError(f"{what} holds {images.dtype}; images must be uint8, from 0 to 255.")
    rows = images[..., None] if images.ndim == 3 else images
    if rows.ndim != 4 or rows.shape[3] not in (1, 3, 4) or 0 in rows.shape[1:]:
        shape = " x ".join(map(str, images.shape))
        raise SourceError(
            f"{what} has the shape {shape or 'of a single number'}; images must be N x H x W, or "
            f"N x H x W x C with 1, 3 or 4 channels last."
        )
    if not len(rows):
        raise SourceError(f"There are no images in {what}: its first dimension is 0.")
    return rows


def row_items(labels: Sequence[str | None], names: Sequence[str]) -> tuple[Item, ...]:
    """Number the items in the published order."""
    pairs = enumerate(zip(labels, names, strict=True))
    return tuple(Item(f"{row:05d}", label, name) for row, (label, name) in pairs)

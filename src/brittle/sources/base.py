"""What a source of labelled images is: its nouns and the contract that every kind meets."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from brittle.spec import Value
    from brittle.types import Pixels

MAX_PIXELS = 178_956_970
"""Larger images are refused unless asked for: the count at which Pillow itself suspects a bomb."""

SUFFIXES = (".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
"""The endings, in lower case, of the files that are taken for images; any case is recognised."""


class Item(NamedTuple):
    """One image of a source, by name and not by position.

    `key` is unique and stable: a posix-like path without the file's suffix, such as
    `n01440764/ILSVRC2012_val_00000293`, or the index of an array's row in five digits.
    `label` is the NAME of the class (a folder's name, a wnid), or None for an unlabelled image; in
    multi-label sources it is the text of several names (see `brittle.labels.many`).
    `name` is what a person would look for: a path relative to the root, or `data.npy[42]`.
    """

    key: str
    label: str | None
    name: str


class Broken(NamedTuple):
    """An image that cannot be read as one: its item's name, and why."""

    name: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a source is to be read.

    `exif` turns pictures upright by their EXIF orientation (the published sets ignored it),
    `split` picks a part of a source that has several, and images of more than `max_pixels` are
    refused before they are decoded. `side` is the size of pictures that are made and do not say
    their own; `params` are those of `Kind.params` that were given with the kind.
    """

    exif: bool = False
    split: str = "test"
    max_pixels: int = MAX_PIXELS
    side: int | None = None
    params: "Mapping[str, Value]" = field(default_factory=dict)


class Source(ABC):
    """Labelled images in one order, each with a key; safe to read from many threads.

    `items` are ordered by key, or for arrays as published. `classes` are the distinct label names
    in the order of the class indices; for folders in ABC order. A source holds no open file that
    would need closing, and nothing that it reads is ever executed.
    """

    kind: str
    root: Path
    items: tuple[Item, ...]
    classes: tuple[str, ...]

    @property
    def upright(self) -> bool:
        """Whether pictures are turned by their EXIF orientation, which no digest shows."""
        return False

    @abstractmethod
    def read(self, item: Item) -> bytes:
        """Return what is stored for an item, of which its digest is taken.

        For a file these are its bytes; for a row of an array its shape and bytes.
        """

    @abstractmethod
    def decode(self, item: Item, data: bytes) -> "Pixels":
        """Turn what `read` returned into new H x W x 3 RGB pixels, C-contiguous and writable.

        Grey is expanded and alpha is dropped. Bytes that are no whole image are an `ImageError`
        whose message begins with the item's name.
        """

    def load(self, item: Item) -> "Pixels":
        """Read and decode one item: H x W x 3 uint8 RGB."""
        return self.decode(item, self.read(item))

    def __repr__(self) -> str:
        """Say what is there, without listing a million items."""
        count = f"{len(self.items)} images, {len(self.classes)} classes"
        return f"<{self.kind} source of {count} at {self.root}>"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of source: what it looks like on disk, how to tell, and how to open it.

    `layout` is one line for help and errors. `recognises` looks at names only, is False for what
    is not there, and never raises. `open` raises a `SourceError` for what it cannot read as a
    whole. `splits` are the allowed values of `Options.split`; empty when there is only one.
    `params` are the parameters that may be given with the kind, as `voc(difficult=true)`, and
    their types.
    """

    layout: str
    recognises: Callable[[Path], bool]
    open: Callable[[Path, Options], Source]
    splits: tuple[str, ...] = ()
    params: Mapping[str, type] = field(default_factory=dict)

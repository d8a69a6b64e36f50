"""Tar archives in the WebDataset convention: one `.tar`, a folder of them, or a pattern.

The members that share a path up to the first dot of the last part are one sample:
`n01440764/0001.jpg` and `n01440764/0001.cls` are `n01440764/0001`. The image is known by its
suffix. The label is the text of `.cls`, else `label` or `cls` in `.json`, else the name of the
folder that the image is in; whole numbers go through `classes.txt` beside the archives if it is
there. Archives are read in place, and items are ordered by key however they are spread.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, final

from brittle.errors import SourceError
from brittle.files import plain
from brittle.sources._braces import is_pattern, matching
from brittle.sources._classes import named, names_beside
from brittle.sources._decode import decode
from brittle.sources._keys import is_image, labels_of, ordered
from brittle.sources._sample import sample_key, stored_label
from brittle.sources._tar import Member, members
from brittle.sources._tree import files_in, holds_only
from brittle.sources.base import SUFFIXES, Item, Kind, Options, Source
from brittle.types import Pixels

_PACKED = (".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tar.lz4")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Shards(Source):
    """Images in tar archives, each read by its offset; `ignored` counts members of no sample."""

    kind: str
    root: Path
    items: tuple[Item, ...]
    classes: tuple[str, ...]
    options: Options
    places: dict[str, tuple[Path, Member]]
    ignored: int = 0

    @property
    def upright(self) -> bool:
        """Whether pictures are turned by their EXIF orientation."""
        return self.options.exif

    def read(self, item: Item) -> bytes:
        """Return the image's bytes in its archive."""
        if item.key not in self.places:
            raise SourceError(f"'{item.key}' is not an item of {self.root}; take one of items.")
        archive, member = self.places[item.key]
        return member.read(archive)

    def decode(self, item: Item, data: bytes) -> Pixels:
        """Decode the image's bytes to H x W x 3 RGB."""
        options = self.options
        return decode(data, name=item.name, exif=options.exif, max_pixels=options.max_pixels)


class _Found(NamedTuple):
    """An image in an archive, with its label before class names are looked up."""

    key: str
    label: str | int | None
    name: str
    archive: Path
    member: Member


def recognises(path: Path) -> bool:
    """Tell if there is a tar archive, a folder of them and nothing else, or a pattern for them."""
    if path.name.lower().endswith((".tar", *_PACKED)) and not path.is_dir():
        return path.is_file() or is_pattern(str(path))
    return holds_only(path, ".tar", *_PACKED)


def open_shards(path: Path, options: Options) -> Shards:
    """Read the headers and labels of all archives; images stay where they are."""
    archives = _archives(path)
    root = path if path.is_dir() else archives[0].parent
    found: list[_Found] = []
    ignored = 0
    for archive in archives:
        images, others = _images(archive, _shown(archive, root))
        found += images
        ignored += others
    if not found:
        raise SourceError(
            f"There are no images in {path}: looked in {len(archives)} archives for members that "
            f"end in {', '.join(SUFFIXES)}, found {ignored} others."
        )
    labels, classes = _named(found, root)
    items = ordered(
        Item(image.key, label, image.name) for image, label in zip(found, labels, strict=True)
    )
    places = {image.key: (image.archive, image.member) for image in found}
    return Shards("shards", root, items, classes or labels_of(items), options, places, ignored)


def _archives(path: Path) -> list[Path]:
    if path.is_dir():
        names = [name for name in files_in(path) if name.lower().endswith((".tar", *_PACKED))]
        archives = [path / name for name in sorted(names)]
    else:
        archives = [path] if path.is_file() else matching(str(path))
    if not archives:
        raise SourceError(f"There are no images in {path}: looked for .tar files.")
    for archive in archives:
        if archive.name.lower().endswith(_PACKED):
            raise SourceError(
                f"{archive} is compressed, so that no image in it can be reached directly; "
                f"decompress it to a .tar (gunzip, bunzip2, unxz, unzstd), or extract it and give "
                f"the folder."
            )
    return archives


def _shown(archive: Path, root: Path) -> str:
    try:
        return archive.relative_to(root).as_posix()
    except ValueError:
        return archive.as_posix()


def _images(archive: Path, shown: str) -> tuple[list[_Found], int]:
    samples: dict[str, dict[str, Member]] = {}
    ignored = 0
    for member in members(archive):
        if any(part.startswith(".") for part in member.name.split("/")):
            ignored += 1
            continue
        key, ending = sample_key(member.name)
        parts = samples.setdefault(key, {})
        if ending in parts:
            raise SourceError(f"{archive} has {member.name} twice; make the archive again.")
        parts[ending] = member
    found: list[_Found] = []
    for key, parts in samples.items():
        images = [member for member in parts.values() if is_image(member.name)]
        label = stored_label(archive, key, parts) if images else None
        found += [_Found(plain(key), label, f"{shown}/{m.name}", archive, m) for m in images]
        ignored += 0 if images else len(parts)
    return found, ignored


def _named(found: list[_Found], root: Path) -> tuple[Iterator[str | None], tuple[str, ...] | None]:
    numbers = [image.label for image in found if isinstance(image.label, int)]
    if len(numbers) < len(found):
        texts = (None if image.label is None else plain(str(image.label)) for image in found)
        return texts, None
    labels, classes = named(numbers, names_beside(root), f"The labels of {root}")
    return iter(labels), classes


PART = Kind(
    layout="<shards>-000000.tar with <key>.jpg and <key>.cls, as WebDataset writes them",
    recognises=recognises,
    open=open_shards,
)

"""Corrupted pictures in folders: `fog/3/n01440764/ILSVRC2012_val_00000293.JPEG`.

The published ImageNet-C has 3,750,000 files. Its images are listed once; the other conditions are
walked to see that they hold the same, and nothing is kept of that.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from brittle.errors import SourceError
from brittle.feeds._grid import Grid, Place, images
from brittle.files import plain
from brittle.sources import MAX_PIXELS, Item
from brittle.sources._decode import decode
from brittle.sources._keys import is_image, ordered, some, without_suffix
from brittle.sources._tree import walk
from brittle.types import Pixels

SAMPLED = 64
"""Files of a condition whose sizes are looked at: a look at all would take hours."""


def listed(root: Path, places: Sequence[Place]) -> Grid:
    """List a set without a manifest; conditions that hold different images are refused."""
    first = root / places[0].folder
    names = [name for name in walk(first) if is_image(name)]
    if not names:
        raise SourceError(f"{first} is a condition's folder and holds no images.")
    items = ordered(Item(plain(without_suffix(n)), _label(n), n) for n in names)
    known = frozenset(names)
    for place in places[1:]:
        found, strange = 0, []
        for name in walk(root / place.folder):
            if not is_image(name):
                continue
            found += 1
            if name not in known:
                strange.append(name)
        if strange or found != len(known):
            raise SourceError(
                f"{root / place.folder} holds {found} images and {first} {len(known)}"
                + (f"; only the former has {some(strange, 3)}" if strange else "")
                + ". All conditions of a set must hold the same images; complete or remove the one."
            )
    return grid(root, places, items, {}, images(items), _contents(root, places, items))


def grid(
    root: Path,
    places: Sequence[Place],
    items: tuple[Item, ...],
    endings: Mapping[str, str],
    fingerprint: str,
    contents: Mapping[str, str] | None = None,
) -> Grid:
    """Return the grid of items whose names lie below every place.

    `endings` holds the files' ending for the conditions where it is not that of the item's name.
    """
    folders = {place.condition: place.folder for place in places}

    def load(item: Item, condition: str) -> Pixels:
        name = item.name
        if condition in endings:
            name = without_suffix(name) + endings[condition]
        path = root / folders[condition] / name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise SourceError(f"{path} cannot be read ({error.strerror}).") from error
        return decode(data, name=str(path), max_pixels=MAX_PIXELS)

    return Grid("folder", items, tuple(folders), load, fingerprint, contents or {})


def _label(name: str) -> str | None:
    first, slash, _ = name.partition("/")
    return plain(first) if slash else None


def _contents(root: Path, places: Sequence[Place], items: Sequence[Item]) -> dict[str, str]:
    """Hash some files' sizes a condition: the whole is too large to be read twice."""
    sample = items[:: -(-len(items) // SAMPLED)]
    found = {}
    for place in places:
        hashed = hashlib.sha256()
        for item in sample:
            path = root / place.folder / item.name
            try:
                hashed.update(f"{path.stat().st_size} ".encode())
            except OSError as error:
                raise SourceError(f"{path} cannot be read ({error.strerror}).") from error
        found[place.condition] = hashed.hexdigest()[:16]
    return found

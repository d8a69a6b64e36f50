"""Corrupted pictures in tar archives: `fog/3/000000.tar`, the same images in the same archive.

An archive's list of members is read when its first picture is asked for and forgotten when others
take its place, since the lists of all archives of all conditions would fill the memory.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from brittle.errors import SourceError
from brittle.feeds._grid import Grid, Place
from brittle.sources import Item, Source, open_source
from brittle.types import Pixels


def grid(root: Path, places: Sequence[Place], fingerprint: str) -> Grid:
    """List the images by the archives of one condition."""
    folders = {place.condition: place.folder for place in places}
    items = open_source(root / places[0].folder, kind="shards").items

    @lru_cache(maxsize=3 * len(places))
    def opened(path: Path) -> tuple[Source, dict[str, Item]]:
        source = open_source(path, kind="shards")
        return source, {item.key: item for item in source.items}

    def load(item: Item, condition: str) -> Pixels:
        path = root / folders[condition] / item.name.partition("/")[0]
        source, members = opened(path)
        if item.key not in members:
            raise SourceError(f"{path} lacks {item.key}; the set was changed, see brittle verify.")
        return source.load(members[item.key])

    return Grid("shards", items, tuple(folders), load, fingerprint, {})

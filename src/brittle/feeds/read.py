"""Pictures of a corrupted set that lies on disk, as published or as `brittle build` made it.

Recognised are a set with brittle's manifest in any layout; folders `corruption/severity/class/`,
also below `noise`, `blur`, `weather`, `digital` and `extra`, the five archives that ImageNet-C
comes in; and CIFAR-10-C's arrays `corruption.npy` with `labels.npy`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from brittle import editions, manifest
from brittle.conditions import CLEAN
from brittle.corruptions import CORRUPTIONS
from brittle.errors import SourceError
from brittle.feeds import _arrays, _folders, _tars
from brittle.feeds._arrays import Block
from brittle.feeds._grid import Grid, Place
from brittle.feeds.base import Feed
from brittle.rows import SEVERITIES
from brittle.sources import Item
from brittle.types import Pixels

ARCHIVES = ("noise", "blur", "weather", "digital", "extra")
"""The archives of the published ImageNet-C, and the folders that they unpack to."""


def published(path: Path, *, edition: str) -> Feed | None:
    """Return the feed of the corrupted set at a path; None if there is none.

    A set of another edition, or archives that are still packed, are a `SourceError`.
    """
    if not path.is_dir():
        return None
    if (made := manifest.read(path) if _is_built(path) else None) is not None:
        if made["plan"]["edition"] != edition:
            raise SourceError(
                f"{path} is a set of edition {made['plan']['edition']}, and {edition} is measured; "
                f"give --edition {made['plan']['edition']} or another set."
            )
        return _feed(_built(path, made), edition, made["plan"])
    if (found := _unlisted(path)) is None:
        return None
    return _feed(found, edition, {})


def _is_built(path: Path) -> bool:
    return (path / manifest.JSON).is_file()


def _unlisted(path: Path) -> Grid | None:
    """Find a published set by the names that are there."""
    places = sorted(_places(path), key=lambda place: place.condition)
    if places:
        return _folders.listed(path, places)
    blocks = [
        Block(_name(name, severity), f"{name}.npy", severity - 1, len(SEVERITIES))
        for name in CORRUPTIONS.names()
        if (path / f"{name}.npy").is_file()
        for severity in SEVERITIES
    ]
    if blocks:
        return _arrays.grid(path, blocks, None)
    packed = [name for name in ARCHIVES if (path / f"{name}.tar").is_file()]
    if packed:
        raise SourceError(
            f"{path} holds {packed[0]}.tar as it is published; unpack it there (tar -xf "
            f"{packed[0]}.tar) and give the same folder."
        )
    return None


def _places(path: Path) -> Iterator[Place]:
    for above in ("", *(f"{name}/" for name in ARCHIVES)):
        for name in CORRUPTIONS.names():
            for severity in SEVERITIES:
                folder = f"{above}{name}/{severity}"
                if (path / folder).is_dir():
                    yield Place(_name(name, severity), folder)


def _name(corruption: str, severity: int) -> str:
    return f"{corruption}(severity={severity})"


def _built(path: Path, made: dict[str, Any]) -> Grid:
    """Find a set by its manifest."""
    plan, seal = made["plan"], made["fingerprint"]
    cells = plan["conditions"]
    places = [
        Place(c["name"], c["group"] if c["severity"] is None else f"{c['group']}/{c['severity']}")
        for c in cells
    ]
    if plan["layout"] == "npy":
        return _arrays.grid(path, _blocks(path, cells), seal)
    if plan["layout"] == "shards":
        return _tars.grid(path, places, seal)
    if plan["layout"] != "folder":
        raise SourceError(f"{path} is laid out as {plan['layout']}, which cannot be read back.")
    import pyarrow.compute as pc

    items, endings, head = [], {}, places[0]
    for table in manifest.rows(path):
        for place in places:
            if place.condition not in endings:
                rows = table.filter(pc.equal(table["condition"], place.condition)).slice(0, 1)
                for file in rows["path"].to_pylist():
                    endings[place.condition] = "." + file.rpartition(".")[2]
        mine = table.filter(pc.equal(table["condition"], head.condition))
        columns = (mine[name].to_pylist() for name in ("key", "label", "path"))
        items += [
            Item(key, label, file.removeprefix(f"{head.folder}/"))
            for key, label, file in zip(*columns, strict=True)
        ]
    return _folders.grid(path, places, tuple(items), endings, seal)


def _blocks(path: Path, cells: Sequence[dict[str, Any]]) -> list[Block]:
    groups: dict[str, list[str]] = {}
    for cell in cells:
        groups.setdefault(cell["group"], []).append(cell["name"])
    blocks = []
    for group, names in groups.items():
        own = f"{group}/{group}.npy"
        file = own if (path / own).is_file() else f"{group}.npy"
        blocks += [Block(name, file, number, len(names)) for number, name in enumerate(names)]
    return blocks


def _feed(found: Grid, edition: str, plan: dict[str, Any]) -> Feed:
    used = editions.get(edition)

    def give(item: Item, digest: str, names: Sequence[str]) -> Iterator[Pixels]:  # noqa: ARG001
        for name in names:
            pixels = found.load(item, name)
            if used.side is not None and pixels.shape[:2] != (used.side, used.side):
                raise SourceError(
                    f"{name} of {item.key} is {pixels.shape[1]}x{pixels.shape[0]}; pictures of "
                    f"{edition} are {used.side}x{used.side}. Give the edition that it is."
                )
            yield pixels

    ranked = sorted(found.conditions, key=lambda name: name != CLEAN)
    facts = {"layout": found.kind, "built": plan or None}
    return Feed(
        edition=used,
        pixels="read",
        items=found.items,
        digests=("",) * len(found.items),
        conditions=tuple(ranked),
        versions=plan.get("versions", {}),
        fingerprint=found.fingerprint,
        contents=found.contents,
        give=give,
        facts={name: value for name, value in facts.items() if value is not None},
    )

"""Corrupted pictures in arrays: `fog.npy`, whose severities are stacked in blocks of n rows."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.errors import SourceError
from brittle.feeds._grid import Grid
from brittle.feeds._grid import images as named_images
from brittle.sources import Item
from brittle.sources._classes import named, names_beside
from brittle.sources._rows import as_rows, row_items
from brittle.types import Pixels

LABELS = "labels.npy"


class Block(NamedTuple):
    """A condition, the array that it lies in, and its place among the array's blocks."""

    condition: str
    file: str
    """Below the set's root."""
    number: int
    of: int


def grid(root: Path, blocks: Sequence[Block], fingerprint: str | None) -> Grid:
    """Map the arrays; labels that are not the same for every block are refused."""
    images: dict[str, NDArray[np.uint8]] = {}
    counts: dict[str, int] = {}
    for block in blocks:
        if block.file not in images:
            images[block.file] = as_rows(mapped(root / block.file), str(root / block.file))
        rows = len(images[block.file])
        if rows % block.of:
            raise SourceError(
                f"{root / block.file} has {rows} rows, which are not {block.of} severities of "
                f"equally many pictures."
            )
        counts[block.file] = rows // block.of
    if len(set(counts.values())) != 1:
        few, many = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
        raise SourceError(
            f"{root / few} holds {counts[few]} pictures a severity and {root / many} "
            f"{counts[many]}; all conditions of a set must hold the same images."
        )
    count = next(iter(counts.values()))
    labels = _labels(root, blocks[0], count)
    items = row_items(labels, [f"row {row}" for row in range(count)])
    places = {block.condition: (block.file, block.number * count) for block in blocks}

    def load(item: Item, condition: str) -> Pixels:
        file, start = places[condition]
        row = images[file][start + int(item.key)]
        return np.repeat(row, 3, axis=2) if row.shape[2] == 1 else np.array(row[:, :, :3])

    if fingerprint is not None:
        return Grid("npy", items, tuple(places), load, fingerprint, {})
    return Grid("npy", items, tuple(places), load, named_images(items), _contents(places, images))


def mapped(path: Path) -> NDArray[np.uint8]:
    """Map an array; what is none is a `SourceError`."""
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise SourceError(f"{path} cannot be read as a .npy array of numbers ({error}).") from error
    if not isinstance(found, np.ndarray):
        raise SourceError(f"{path} is a .npz archive by content; give the arrays by themselves.")
    return found


def _labels(root: Path, block: Block, count: int) -> list[str] | list[None]:
    folder = (root / block.file).parent
    path = folder / LABELS
    if not path.is_file():
        return [None] * count
    labels = mapped(path)
    if labels.dtype.kind not in "iu" or labels.ndim != 1 or len(labels) % count:
        raise SourceError(
            f"{path} is {labels.dtype} of shape {labels.shape}; it must hold a class index for "
            f"each of {count} pictures, or for each of them in every block."
        )
    blocks = labels.reshape(-1, count)
    if (blocks != blocks[0]).any():
        raise SourceError(f"{path} gives a picture another class at another severity.")
    return named(blocks[0].tolist(), names_beside(folder), str(path))[0]


def _contents(
    places: dict[str, tuple[str, int]], images: dict[str, NDArray[np.uint8]]
) -> dict[str, str]:
    """Hash every array: a million small pictures are read in seconds."""
    digests = {}
    for file, rows in images.items():
        hashed = hashlib.sha256(f"{rows.shape}".encode())
        for start in range(0, len(rows), 1024):
            hashed.update(np.ascontiguousarray(rows[start : start + 1024]).data)
        digests[file] = hashed.hexdigest()[:16]
    return {condition: f"{digests[file]}-{at}" for condition, (file, at) in places.items()}

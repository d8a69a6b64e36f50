"""Pictures as files: encoded, named and written."""

import os
from collections.abc import Iterable
from pathlib import Path

import cv2

from brittle.codec import encode_jpeg
from brittle.errors import BuildError, ImageError
from brittle.files import ASIDE
from brittle.labels import many
from brittle.layouts._cells import Cell
from brittle.sources import Item
from brittle.types import Pixels

_PNG = [cv2.IMWRITE_PNG_COMPRESSION, 3, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT]
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
_FORBIDDEN = frozenset('/\\:*?"<>|\0')


def is_jpeg(cell: Cell, jpeg: int | None) -> bool:
    """Say whether the pictures of a cell are stored as JPEG."""
    return jpeg is not None and not cell.lossless


def encode(pixels: Pixels, cell: Cell, jpeg: int | None) -> bytes:
    """Return the picture's file: JPEG as the published sets store it, or PNG."""
    if jpeg is not None and not cell.lossless:
        return encode_jpeg(pixels, jpeg, optimize=True)
    colour = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR) if pixels.shape[2] == 3 else pixels
    done, data = cv2.imencode(".png", colour, _PNG)
    if not done:
        raise ImageError(f"A picture of {pixels.shape[1]}x{pixels.shape[0]} does not fit a PNG.")
    return bytes(data.tobytes())


def stem(item: Item) -> str:
    """Return the last part of an item's key, which is a file's name without its ending."""
    return item.key.rpartition("/")[2]


def check_names(items: Iterable[Item], names: Iterable[str]) -> None:
    """Refuse two items that would be one file, and labels that cannot be a folder."""
    owner: dict[str, Item] = {}
    for item, name in zip(items, names, strict=True):
        if not (item.key + (item.label or "")).isprintable() and not _is_utf8(item):
            raise BuildError(
                f"The image {item.key!r} has a name that is not UTF-8, which a manifest cannot "
                f"hold; rename it."
            )
        for word in (*name.split("/"), *([item.label] if item.label is not None else [])):
            if word in ("", ".", "..") or not _FORBIDDEN.isdisjoint(word):
                raise BuildError(
                    f"The image {item.key} would be stored as '{name}', which is not a safe file "
                    f"name; rename the image or its class."
                )
        if name in owner:
            raise BuildError(
                f"The images {owner[name].key} and {item.key} would both be stored as '{name}'; "
                f"rename one of them."
            )
        owner[name] = item


def check_labels(items: Iterable[Item], classes: Iterable[str]) -> None:
    """Refuse labels of several classes or of none: every layout has one place a class."""
    known = {None, *classes}
    for item in items:
        label = item.label
        if label not in known and (not label or many.SEPARATOR in label):
            raise BuildError(
                f"The image {item.key} has the label '{label}' of "
                f"{len(many.split(label or '')) or 'no'} classes, and a set on disk has one class "
                f"an image. Build the bare pictures, as of a folder (--kind folder), and keep "
                f"their table of labels."
            )


def _is_utf8(item: Item) -> bool:
    try:
        return bool(f"{item.key}{item.label}".encode())
    except UnicodeEncodeError:
        return False


def put(path: str, data: bytes) -> None:
    """Write a whole file or none, without forcing it to disk.

    Millions of small files would wait for the disk each; a reader sees whole files only, a killed
    process loses nothing, and after a power cut a resume compares sizes. The name aside is fixed,
    so that the build that comes after a kill writes over what the kill left.
    """
    folder, slash, name = path.rpartition("/")
    aside = f"{folder}{slash}.{name}{ASIDE}"
    try:
        file = os.open(aside, _NEW, 0o666)
    except FileNotFoundError:
        os.makedirs(folder, exist_ok=True)
        file = os.open(aside, _NEW, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]
    finally:
        os.close(file)
    os.replace(aside, path)


def same_size(path: Path, size: int) -> bool:
    """Say whether there is a file of that size."""
    try:
        return path.stat().st_size == size
    except OSError:
        return False

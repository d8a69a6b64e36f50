"""Images and labels in one `.npz` archive."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brittle.errors import SourceError

IMAGES = ("x", "images")
LABELS = ("y", "labels")
LARGEST = 2**31
"""Bytes that an unpacked member may have: unlike a `.npy` file it has to be held in memory."""


def read_npz(path: Path) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the images, read-only, and the labels if there are any."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            images = _pick(path, sizes, IMAGES)
            labels = _pick(path, sizes, LABELS)
            if images is None:
                raise SourceError(
                    f"There are no images in {path}: looked for an array named "
                    f"{' or '.join(IMAGES)}, found {', '.join(sorted(sizes)) or 'none'}."
                )
            return _read(archive, images), None if labels is None else _read(archive, labels)
    except (OSError, ValueError, EOFError, SyntaxError, zipfile.BadZipFile) as error:
        raise SourceError(f"{path} cannot be read as arrays of numbers ({error}).") from error


def _pick(path: Path, sizes: dict[str, int], names: tuple[str, ...]) -> str | None:
    found = [f"{name}.npy" for name in names if f"{name}.npy" in sizes]
    if len(found) > 1:
        raise SourceError(f"{path} holds both {' and '.join(found)}; keep one of them.")
    if found and sizes[found[0]] > LARGEST:
        raise SourceError(
            f"{found[0]} in {path} has {sizes[found[0]]} bytes unpacked, more than the {LARGEST} "
            f"that are held in memory; unpack it, and give the .npy file."
        )
    return found[0] if found else None


def _read(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    # zipfile never unpacks more than the size that its directory gives, which has been checked.
    with archive.open(name) as stream:
        array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    array.flags.writeable = False
    return array

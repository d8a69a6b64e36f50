"""Images in NumPy files: uint8, N x H x W x C or N x H x W, in the published order.

A folder holds one `.npy` file of images, and may hold `labels.npy` with a class index a row and
`classes.txt` with a class name a line; a single `.npy` file is read with the same files beside it.
A `.npz` file holds `x` or `images`, and may hold `y` or `labels`. `.npy` images stay on disk and
are mapped; pickled contents are refused.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brittle.errors import SourceError
from brittle.sources._classes import named, names_beside
from brittle.sources._keys import some
from brittle.sources._npz import read_npz
from brittle.sources._rows import Rows, as_rows, row_items
from brittle.sources._tree import files_in, holds_only
from brittle.sources.base import Kind, Options

LABELS = "labels.npy"


def recognises(path: Path) -> bool:
    """Tell if there is a NumPy file, or a folder of `.npy` files and no images."""
    if path.is_file():
        return path.suffix.lower() in (".npy", ".npz")
    return holds_only(path, ".npy")


def open_arrays(path: Path, options: Options) -> Rows:
    """Map the images and read their labels."""
    if path.suffix.lower() == ".npz" and not path.is_dir():
        images, labels = read_npz(path)
    else:
        file = _only(path) if path.is_dir() else path
        images, labels = _mapped(file), None
        beside = file.parent / LABELS
        if beside.is_file() and file.name != LABELS:
            labels = _mapped(beside)
        path = file
    rows = as_rows(images, str(path))
    texts, classes = _labels(labels, len(rows), path)
    names = [f"{path.name}[{row}]" for row in range(len(rows))]
    items = row_items(texts, names)
    return Rows("arrays", path.parent, items, classes, rows, options.max_pixels)


def _only(folder: Path) -> Path:
    files = [name for name in files_in(folder) if name.lower().endswith(".npy")]
    images = [name for name in files if name != LABELS]
    if not images:
        raise SourceError(f"There are no images in {folder}: looked for a .npy file of images.")
    if len(images) > 1:
        raise SourceError(
            f"{folder} holds {len(images)} arrays of images ({some(images, 3)}). If it is a "
            f"corrupted set such as CIFAR-10-C, it is a result and not a source of clean images; "
            f"give the clean images, or one file, such as {folder / images[0]}, to read it alone."
        )
    return folder / images[0]


def _mapped(path: Path) -> NDArray[Any]:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise SourceError(f"{path} cannot be read as a .npy array of numbers ({error}).") from error
    if not isinstance(found, np.ndarray):
        found.close()
        raise SourceError(f"{path} is a .npz archive by content; give it that name.")
    return found


def _labels(
    labels: NDArray[Any] | None, count: int, path: Path
) -> tuple[list[str] | list[None], tuple[str, ...]]:
    names = names_beside(path.parent)
    if labels is None:
        return [None] * count, names or ()
    what = f"The labels of {path}"
    if labels.dtype.kind not in "iu" or labels.shape != (count,):
        raise SourceError(
            f"{what} are {labels.dtype} of shape {labels.shape}; they must be one whole number an "
            f"image, so of shape ({count},)."
        )
    return named(labels.tolist(), names, what)


PART = Kind(
    layout="<images>.npy with labels.npy and classes.txt beside it, or <any>.npz with x and y",
    recognises=recognises,
    open=open_arrays,
)

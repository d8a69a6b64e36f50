"""Labelled pictures that are in memory already."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from brittle.errors import SourceError
from brittle.files import plain
from brittle.sources._rows import Rows, as_rows, row_items
from brittle.sources.base import MAX_PIXELS
from brittle.types import UInt8


def in_memory(
    images: UInt8 | Sequence[UInt8],
    labels: Sequence[str | int] | None = None,
    *,
    classes: Sequence[str] | None = None,
) -> Rows:
    """Make a source of pictures: a uint8 array N x H x W x C, or a list of H x W x C of any sizes.

    Labels are class names, or indices of `classes` (without these a class is called by its index).
    Keys are places in the array, `00042`.

    >>> in_memory(np.zeros((2, 8, 8, 3), np.uint8), ["cat", "dog"]).items[1]
    Item(key='00001', label='dog', name='picture 1')
    """
    if isinstance(images, np.ndarray):
        rows: Any = as_rows(images, "The array")
    else:
        rows = [as_rows(np.asarray(one)[None], f"Picture {n}")[0] for n, one in enumerate(images)]
        if not rows:
            raise SourceError("There are no pictures in the list.")
    names = _names(labels, len(rows), classes)
    listed = (
        tuple(classes)
        if classes is not None
        else tuple(sorted({n for n in names if n is not None}))
    )
    shown = [f"picture {number}" for number in range(len(rows))]
    return Rows("memory", Path(), row_items(names, shown), listed, rows, MAX_PIXELS)


def _names(
    labels: Sequence[str | int] | None, count: int, classes: Sequence[str] | None
) -> list[str] | list[None]:
    if labels is None:
        return [None] * count
    if len(labels) != count:
        raise SourceError(f"There are {count} pictures and {len(labels)} labels; give one each.")
    if all(isinstance(label, str) for label in labels):
        return [plain(str(label)) for label in labels]
    try:
        numbers = np.asarray(labels)
    except ValueError:
        numbers = np.asarray([None])
    if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
        raise SourceError("Labels are class names or whole numbers, one a picture and not mixed.")
    if classes is None:
        return [str(number) for number in numbers.tolist()]
    if numbers.min() < 0 or numbers.max() >= len(classes):
        raise SourceError(
            f"The labels go from {numbers.min()} to {numbers.max()}; there are {len(classes)} "
            f"classes, so they must lie from 0 to {len(classes) - 1}."
        )
    return [classes[number] for number in numbers.tolist()]

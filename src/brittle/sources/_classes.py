"""Class names for class indices."""

from collections.abc import Sequence
from pathlib import Path

from brittle.errors import SourceError

FILE = "classes.txt"
"""Holds one class name a line, the first for index 0; lies beside the data."""

_MOST = 1_000_000


def names_beside(folder: Path) -> tuple[str, ...] | None:
    """Read the class names in a folder; None if there are none."""
    path = folder / FILE
    return read_names(path) if path.is_file() else None


def read_names(path: Path) -> tuple[str, ...]:
    """Read one class name a line; a blank line or a name given twice is a `SourceError`."""
    try:
        names = tuple(line.strip() for line in path.read_text("utf-8-sig").rstrip().splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read as UTF-8 text ({error}).") from error
    if not all(names):
        raise SourceError(f"{path} has no name in line {names.index('') + 1}; give one a line.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceError(
            f"{path} names two classes '{twice[0]}'; labels go by name, so tell them apart."
        )
    return names


def named(
    indices: Sequence[int], names: tuple[str, ...] | None, what: str
) -> tuple[list[str], tuple[str, ...]]:
    """Return the label of every index, and the classes in the order of the indices.

    Without names a class is called by its index, and there are as many as the largest one asks
    for, so that the place of a class in the list is its index.
    """
    low, high = (min(indices), max(indices)) if len(indices) else (0, -1)
    count = _MOST if names is None else len(names)
    if low < 0 or high >= count:
        wrong = low if low < 0 else high
        where = "" if names is None else f" named in {FILE}"
        raise SourceError(
            f"{what} holds {wrong}; class indices must lie from 0 to {count - 1}{where}."
        )
    classes = names if names is not None else tuple(map(str, range(high + 1)))
    return [classes[index] for index in indices], classes

"""Keys and labels made of file names, the same on every machine."""

from collections.abc import Iterable
from itertools import pairwise

from brittle.errors import SourceError
from brittle.sources.base import SUFFIXES, Item


def is_image(name: str) -> bool:
    """Tell by its suffix whether a name is an image's.

    >>> is_image("a/B.JPEG"), is_image("a/.jpg"), is_image("notes.txt")
    (True, False, False)
    """
    base = name.rpartition("/")[2].lower()
    return base.endswith(SUFFIXES) and base not in SUFFIXES


def without_suffix(name: str) -> str:
    """Return a path without the last suffix of its last part.

    >>> without_suffix("n01/a.b.JPEG")
    'n01/a.b'
    """
    return name[: name.rindex(".")] if "." in name.rpartition("/")[2] else name


def ordered(items: Iterable[Item]) -> tuple[Item, ...]:
    """Sort items by key, by code points; twin keys are a `SourceError` that names both files."""
    done = tuple(sorted(items, key=lambda item: (item.key, item.name)))
    for one, two in pairwise(done):
        if one.key == two.key:
            raise SourceError(
                f"{one.name} and {two.name} would both have the key '{one.key}'; "
                f"rename or remove one of them."
            )
    return done


def labels_of(items: Iterable[Item]) -> tuple[str, ...]:
    """Return the distinct labels in ABC order."""
    return tuple(sorted({item.label for item in items if item.label is not None}))


def some(names: Iterable[str], limit: int = 5) -> str:
    """Name the first few in ABC order, and say how many more there are."""
    known = sorted(names)
    more = f" and {len(known) - limit} more" if len(known) > limit else ""
    return ", ".join(known[:limit]) + more

"""Where labelled images come from.

`open_source` finds out what lies at a path and gives its images one by one under stable keys;
`scan` reads all of them once, so that broken files are known before the work begins.
A kind of source is one file of this folder that offers a `PART` (see `base.Kind`).
"""

import os
from pathlib import Path

from brittle.errors import SourceError, SpecError
from brittle.families import Family, hint
from brittle.sources._scan import Scan, scan
from brittle.sources.base import MAX_PIXELS, SUFFIXES, Broken, Item, Kind, Options, Source
from brittle.spec import Spec, parse

__all__ = [
    "FAMILY",
    "MAX_PIXELS",
    "SUFFIXES",
    "Broken",
    "Item",
    "Kind",
    "Options",
    "Scan",
    "Source",
    "open_source",
    "scan",
]

FAMILY: Family[Kind] = Family(noun="source", package="brittle.sources", kind=Kind)
"""The kinds of source, by name."""

FALLBACK = "folder"
"""What a path is taken for when no other kind recognises it."""


def open_source(
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    exif: bool = False,
    split: str = "test",
    max_pixels: int = MAX_PIXELS,
    side: int | None = None,
) -> Source:
    """Open the labelled images at a path: a folder, an image, arrays, CIFAR batches, tar shards.

    The kind is found from the names that are there, unless given, with parameters if it takes any:
    `voc(difficult=true)`. `exif` turns pictures upright by their EXIF orientation, `split` is one
    of the parts of a kind that holds several, and images of more than `max_pixels` are refused
    when they are loaded. `side` is the size of pictures that are made, as `anomaly:blobs`, and do
    not say their own; others keep theirs. Nothing is decoded yet; see `scan`.
    An unknown kind is a `SpecError`, anything else that cannot be opened a `SourceError`.
    """
    if max_pixels < 1:
        raise SourceError(f"max_pixels is {max_pixels}; an image has at least 1 pixel.")
    spec = None if kind is None else parse(kind)
    params = {} if spec is None else spec.params
    options = Options(exif=exif, split=split, max_pixels=max_pixels, side=side, params=params)
    try:
        return _open(Path(path), spec, options)
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror or error}).") from error


def _open(place: Path, kind: Spec | None, options: Options) -> Source:
    name = _detect(place) if kind is None else kind.name
    part = FAMILY.load(name)
    _check_params(name, part, options)
    if not os.path.lexists(place) and not part.recognises(place):
        raise SourceError(f"There is nothing at {place}; give a folder or file that exists.")
    allowed = part.splits or (Options.split,)
    if options.split not in allowed:
        only = f"its splits are {' and '.join(part.splits)}" if part.splits else "it has one part"
        raise SourceError(
            f"{place} has no split '{options.split}': it is read as {name}, and {only}. "
            + ("Give one of them." if part.splits else "Give the path of the part you mean.")
        )
    return part.open(place, options)


def _check_params(name: str, part: Kind, options: Options) -> None:
    for key, value in options.params.items():
        if key not in part.params:
            known = hint(key, part.params, "parameter") if part.params else "it takes none."
            raise SpecError(f"The source {name}: {known}")
        if type(value) is not part.params[key]:
            raise SpecError(
                f"The source {name}: {key} must be a {part.params[key].__name__}; got {value!r}."
            )


def _detect(path: Path) -> str:
    others = [name for name in FAMILY.names() if name != FALLBACK]
    found = [name for name in others if FAMILY.load(name).recognises(path)]
    if len(found) > 1:
        raise SourceError(
            f"{path} could be read as {' or as '.join(found)}; say which one with the option kind."
        )
    return found[0] if found else FALLBACK

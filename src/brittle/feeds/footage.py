"""One's own films: each is a sequence, measured as it is, every so many-th frame of it."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from brittle import films
from brittle.editions import Edition
from brittle.errors import ImageError, SourceError, SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.feeds.base import Feed
from brittle.files import plain
from brittle.outcomes import FOOTAGE
from brittle.sources import Item
from brittle.sources._keys import ordered, without_suffix
from brittle.sources._tree import walk
from brittle.types import Pixels

LONGEST = 4096
"""Frames of a film; longer ones are hardly one scene, and a cut counts as a flip."""


def footage(path: Path, edition: Edition, *, stride: int = 1) -> Feed:
    """Return the feed of the films at a path: a file, or all below a folder.

    The condition is `footage`, or `footage(stride=5)` where frames are left out.
    """
    if isinstance(stride, bool) or not isinstance(stride, int) or stride < 1:
        raise SpecError(f"A stride is a whole number of at least 1; got {stride!r}.")
    films.need_video()
    root = path if path.is_dir() else path.parent
    if path.is_dir():
        names = [name for name in walk(path) if name.lower().endswith(films.ENDINGS)]
    else:
        names = [path.name] if path.is_file() else []
    if not names:
        raise SourceError(
            f"{path} holds no films; they end in {', '.join(films.ENDINGS)}. A folder of pictures "
            f"is measured with a suite such as imagenet-p."
        )
    items = ordered(Item(plain(without_suffix(name)), None, name) for name in names)
    condition = FOOTAGE if stride == 1 else f"{FOOTAGE}(stride={stride})"
    most = LONGEST * stride
    look = EXECUTORS.load("threads").map
    seen = list(look(lambda item: _look(root / item.name, most), items, workers=usable_cores()))
    digests = [digest for digest, _, _ in seen]
    counts = {
        item.key: -(-count // stride) for item, (_, count, _) in zip(items, seen, strict=True)
    }
    for item in items:
        if counts[item.key] < 2:
            raise SourceError(
                f"{item.name} has {counts[item.key]} frame{'s' * (not counts[item.key])} at this "
                f"stride, and two are compared; take a smaller --stride, or remove the film."
            )
        if counts[item.key] > LONGEST:
            raise SourceError(
                f"{item.name} has more than {LONGEST:,} frames at this stride; cut it, or take a "
                f"larger --stride."
            )

    def give(item: Item, digest: str, names: Sequence[str]) -> Iterator[Pixels]:  # noqa: ARG001
        for _ in names:
            try:
                yield from films.decoded(str(root / item.name), stride=stride)
            except ImageError as error:
                raise SourceError(str(error)) from error

    hashed = hashlib.sha256(b"brittle-footage-1")
    for item, digest in zip(items, digests, strict=True):
        hashed.update(f"{item.key} {digest} {counts[item.key]}\n".encode("utf-8", "replace"))
    return Feed(
        edition=edition,
        pixels="read",
        items=items,
        digests=tuple(digests),
        conditions=(condition,),
        versions={},
        fingerprint=hashed.hexdigest(),
        give=give,
        facts={"layout": "footage", "stride": stride},
        largest=max((size for _, _, size in seen), key=lambda size: size[0] * size[1]),
        references={condition: "previous"},
        frames=lambda item, _: counts[item.key],
    )


def _look(path: Path, most: int) -> tuple[str, int, tuple[int, int]]:
    """Return a film's SHA-256, the number of its frames, and the size of the largest."""
    with open(os.fspath(path), "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return (digest, *films.measure(str(path), most=most))

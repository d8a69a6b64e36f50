"""Read every image of a source once: which are broken, and what the good ones are."""

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from brittle.errors import ImageError, SourceError
from brittle.executors import EXECUTORS
from brittle.sources.base import Broken, Item, Source

SHOWN = 20
"""How many broken images an error lists by name."""

_TAG = b"brittle-source-1"


class Scan(NamedTuple):
    """What a whole reading of a source found.

    `items` are the good ones in the source's order, `digests` the SHA-256 of what is stored for
    each, `broken` the others. `fingerprint` is the SHA-256 over key, label and digest of the good
    items in order: it names the images whatever the machine, the root or the number of workers.
    """

    items: tuple[Item, ...]
    digests: tuple[str, ...]
    broken: tuple[Broken, ...]
    fingerprint: str


def scan(
    source: Source,
    *,
    workers: int = 1,
    skip_broken: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Scan:
    """Read and fully decode every image once, with `workers` threads and in flat memory.

    Broken images are collected to the end, and are then a `SourceError` that lists them, unless
    `skip_broken`. `progress` is called in the calling thread with the number of newly finished
    images.
    """
    if workers < 1:
        raise SourceError(f"workers is {workers}; give 1 or more.")
    good: list[tuple[Item, str]] = []
    broken: list[Broken] = []
    for item, found in _examined(source, workers):
        if isinstance(found, Broken):
            broken.append(found)
        else:
            good.append((item, found))
        if progress is not None:
            progress(1)
    if broken and not (skip_broken and good):
        raise SourceError(_complaint(source, broken))
    return Scan(
        items=tuple(item for item, _ in good),
        digests=tuple(digest for _, digest in good),
        broken=tuple(broken),
        fingerprint=_fingerprint(good),
    )


def _examined(source: Source, workers: int) -> Iterator[tuple[Item, str | Broken]]:
    """Give every item's digest, or why it is broken, in order; only a few images are in flight."""
    mapped = EXECUTORS.load("serial" if workers == 1 else "threads").map
    with contextlib.closing(
        mapped(lambda item: _examine(source, item), source.items, workers=workers)
    ) as found:
        yield from zip(source.items, found, strict=True)


def _examine(source: Source, item: Item) -> str | Broken:
    try:
        data = source.read(item)
        source.decode(item, data)
    except ImageError as error:
        return Broken(item.name, str(error).removeprefix(f"{item.name}: "))
    except OSError as error:
        return Broken(item.name, f"it cannot be read ({error.strerror or error})")
    return hashlib.sha256(data).hexdigest()


def _complaint(source: Source, broken: list[Broken]) -> str:
    shown = sorted(broken)[:SHOWN]
    lines = [f"  {name}: {reason}" for name, reason in shown]
    if len(broken) > SHOWN:
        lines.append(f"  and {len(broken) - SHOWN} more")
    whole = f"{len(broken)} of {len(source.items)} images in {source.root} are broken:"
    if len(broken) == len(source.items):
        advice = "No image is left; give a source with whole images."
    else:
        advice = "Mend or remove them, or go on without them with --skip-broken (skip_broken=True)."
    return "\n".join([whole, *lines, advice])


def _fingerprint(good: list[tuple[Item, str]]) -> str:
    hashed = hashlib.sha256(_TAG)
    for item, digest in good:
        for field in (item.key, item.label, digest):
            # A length before each text keeps ("ab", "c") and ("a", "bc") apart.
            data = None if field is None else field.encode("utf-8", "surrogateescape")
            hashed.update(b"\0" if data is None else b"\1" + len(data).to_bytes(8, "little"))
            hashed.update(data or b"")
    return hashed.hexdigest()

"""What is in the source: its good images and their sizes, found once and kept for a resume."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, final

from brittle.editions import Edition
from brittle.errors import BuildError
from brittle.files import replacing
from brittle.progress import Progress
from brittle.sources import Item, Source, scan
from brittle.types import Pixels


class Kept:
    """A file that keeps what a scan found, so that an unchanged source is read once."""

    def __init__(self, path: Path) -> None:
        """Look at nothing yet."""
        self._path = path

    def put(self, facts: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]) -> None:
        """Keep facts for JSON, and columns of texts."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        found = pa.table({name: pa.array(c, pa.string()) for name, c in columns.items()})
        found = found.replace_schema_metadata({"brittle": json.dumps(facts)})
        with replacing(self._path) as aside:
            pq.write_table(found, aside, compression="zstd")

    def get(self) -> tuple[dict[str, Any], dict[str, list[Any]]] | None:
        """Return what was kept; None if nothing was."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._path.is_file():
            return None
        try:
            with pq.ParquetFile(self._path) as file:
                found = file.read()
            return json.loads(found.schema.metadata[b"brittle"]), found.to_pydict()
        except (pa.ArrowException, OSError, KeyError, ValueError):
            # Damaged: the source is read again.
            return None


class Survey(NamedTuple):
    """A scan with what a layout has to know beforehand."""

    items: tuple[Item, ...]
    digests: tuple[str, ...]
    """SHA-256 of what is stored for each image, in hexadecimal."""
    sizes: dict[tuple[int, int], str]
    """Every (height, width) that occurs, and an image that has it."""
    skipped: tuple[str, ...]
    """Names of the broken images that are left out."""
    fingerprint: str


def survey(
    source: Source, kept: Kept, *, stamp: str | None, workers: int, skip_broken: bool, quiet: bool
) -> Survey:
    """Return the kept survey if the source has the same stamp, else read the whole source."""
    before = kept.get()
    if before is not None and stamp is not None and before[0]["stamp"] == stamp:
        facts, columns = before
        if skip_broken or not facts["skipped"]:
            names = (columns[name] for name in Item._fields)
            return Survey(
                tuple(Item(*row) for row in zip(*names, strict=True)),
                tuple(columns["digest"]),
                {(height, width): key for height, width, key in facts["sizes"]},
                tuple(facts["skipped"]),
                facts["fingerprint"],
            )
    measured = _Measured(source)
    with Progress(len(source.items), label="reading", quiet=quiet) as progress:
        found = scan(measured, workers=workers, skip_broken=skip_broken, progress=progress.advance)
    sizes: dict[tuple[int, int], str] = {}
    for item in found.items:
        sizes.setdefault(measured.seen[item.key], item.key)
    skipped = tuple(broken.name for broken in found.broken)
    facts = {
        "stamp": stamp,
        "sizes": [[*size, key] for size, key in sizes.items()],
        "skipped": skipped,
        "fingerprint": found.fingerprint,
    }
    columns = {name: [item[at] for item in found.items] for at, name in enumerate(Item._fields)}
    kept.put(facts, {**columns, "digest": list(found.digests)})
    return Survey(found.items, found.digests, sizes, skipped, found.fingerprint)


def prepared_size(found: Survey, edition: Edition) -> tuple[int, int] | None:
    """Return the size of all prepared pictures, None if they differ.

    An edition that takes pictures as they are refuses others here, before the work begins.
    """
    if edition.side is None:
        return next(iter(found.sizes)) if len(found.sizes) == 1 else None
    wanted = (edition.side, edition.side)
    for (height, width), key in found.sizes.items():
        if edition.steps is None and (height, width) != wanted:
            raise BuildError(
                f"{edition.name} takes pictures of {edition.side}x{edition.side} as they are; "
                f"{key} is {width}x{height}. Use another edition, such as --edition any."
            )
    return wanted


def stamp_of(source: Source, exif: bool) -> str | None:
    """Hash what can be seen of a source without reading it: items, sizes and times of files.

    None if the files behind the items cannot be found by the items' names; then nothing is known.
    """
    hashed = hashlib.sha256(f"{source.kind} exif={exif}\n".encode())
    known: dict[str, bool] = {}
    for item in source.items:
        hashed.update(repr(tuple(item)).encode("utf-8", "surrogateescape"))
        # `a/b.JPEG` is a file, `a.npy[7]` lies in the file before the bracket, `a.tar/b` in a.tar.
        name = item.name.rpartition("[")[0] if item.name.endswith("]") else item.name
        for place in (name, *map(str, PurePosixPath(name).parents)):
            if place not in known:
                known[place] = _add(hashed, source.root / place)
            if known[place]:
                break
        else:
            return None
    return hashed.hexdigest()


def _add(hashed: "hashlib._Hash", path: Path) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    if not path.is_file():
        return False
    hashed.update(f"{found.st_size} {found.st_mtime_ns}\n".encode())
    return True


@final
class _Measured(Source):
    """A source that notes the size of what it decodes."""

    def __init__(self, inner: Source) -> None:
        self.kind, self.root = inner.kind, inner.root
        self.items, self.classes = inner.items, inner.classes
        self.seen: dict[str, tuple[int, int]] = {}
        self._inner = inner

    def read(self, item: Item) -> bytes:
        return self._inner.read(item)

    def decode(self, item: Item, data: bytes) -> Pixels:
        pixels = self._inner.decode(item, data)
        self.seen[item.key] = (pixels.shape[0], pixels.shape[1])
        return pixels

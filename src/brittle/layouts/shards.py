"""WebDataset: tar archives `corruption/severity/000000.tar`, one a shard of images.

A sample is `<key>.jpg` (or `.png` where storage is lossless) and, if it has a label, `<key>.cls`
with the class index, as WebDataset reads it; `classes.txt` beside the archives names the classes.
WebDataset cuts names at the first dot, so dots in the last part of a key become underscores.
Headers hold no time, owner or machine: equal pictures give equal archives.
"""

import hashlib
import os
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, final

from brittle.files import ASIDE, write_bytes
from brittle.layouts._files import check_names, encode, is_jpeg, same_size, stem
from brittle.layouts.base import Job, Layout, Writer
from brittle.manifest import Row
from brittle.types import Pixels

BLOCK = 512
HELD = 1 << 24
"""Bytes of one image's files that are held in memory until their turn comes; more go to disk."""


class Files(NamedTuple):
    """One image's files, one after the other."""

    data: IO[bytes]
    sizes: list[int]


class Archive:
    """A tar file in the making, under a name aside."""

    def __init__(self, path: Path) -> None:
        """Write over what a killed build may have left under the same name."""
        self.path, self.size, self._hash = path, 0, hashlib.sha256()
        self._aside = path.with_name(f".{path.name}{ASIDE}")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream = open(self._aside, "wb")  # noqa: SIM115 - open until the shard ends

    def add(self, name: str, data: bytes) -> None:
        """Append one file."""
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        header = entry.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
        self._put(header + data + bytes(-len(data) % BLOCK))

    def end(self) -> bytes:
        """Make the archive whole, give it its name and return its SHA-256."""
        self._put(bytes(2 * BLOCK))
        self._stream.close()
        os.replace(self._aside, self.path)
        return self._hash.digest()

    def drop(self) -> None:
        """Leave no archive."""
        self._stream.close()
        self._aside.unlink(missing_ok=True)

    def _put(self, data: bytes) -> None:
        self._stream.write(data)
        self._hash.update(data)
        self.size += len(data)


@final
class Shards(Writer):
    """Encodes in the workers, appends in source order in the caller's thread."""

    def __init__(self, job: Job) -> None:
        """Refuse twin names."""
        self._job = job
        self._open: list[Archive] = []
        self._names = [_member(item.key, stem(item)) for item in job.items]
        check_names(job.items, self._names)
        place = {name: index for index, name in enumerate(job.classes)}
        self._labels = [
            None if item.label is None else str(place[item.label]).encode() for item in job.items
        ]

    def write(self, index: int, pictures: Iterator[Pixels]) -> Files:  # noqa: ARG002
        """Encode one image's pictures."""
        job, sizes = self._job, []
        # The file is closed in `take`, which gets it in another thread.
        held = tempfile.SpooledTemporaryFile(max_size=HELD, dir=str(job.scratch))  # noqa: SIM115
        try:
            for cell, pixels in zip(job.cells, pictures, strict=True):
                data = encode(pixels, cell, job.jpeg)
                held.write(data)
                sizes.append(len(data))
        except BaseException:
            held.close()
            raise
        held.seek(0)
        return Files(held, sizes)

    def take(self, index: int, written: Files) -> None:
        """Append the image to the archive of every cell."""
        job, name, label = self._job, self._names[index], self._labels[index]
        if not self._open:
            number = index // job.shard
            self._open = [Archive(job.root / self._path(p, number)) for p in self._places()]
        with written.data as data:
            for cell, archive, size in zip(job.cells, self._open, written.sizes, strict=True):
                ending = "jpg" if is_jpeg(cell, job.jpeg) else "png"
                if label is not None:
                    archive.add(f"{name}.cls", label)
                archive.add(f"{name}.{ending}", data.read(size))

    def end_shard(self, number: int) -> list[Row]:
        """Name the shard's archives."""
        rows = []
        for cell, archive in zip(self._job.cells, self._open, strict=True):
            digest = archive.end()
            path = self._path(cell.place, number)
            rows.append(Row(path, archive.size, digest, condition=cell.name))
        self._open = []
        return rows

    def intact(self, number: int, rows: Iterable[tuple[str, int, bytes]]) -> bool:  # noqa: ARG002
        """Look at the size of every archive."""
        return all(same_size(self._job.root / path, size) for path, size, _ in rows)

    def finish(self) -> Iterator[Row]:
        """Name the classes beside the archives of every condition."""
        if not self._job.classes:
            return
        data = "".join(f"{name}\n" for name in self._job.classes).encode()
        for place in self._places():
            write_bytes(self._job.root / place / "classes.txt", data)
            yield Row(f"{place}/classes.txt", len(data), hashlib.sha256(data).digest())

    def close(self) -> None:
        """Drop the archives of an unfinished shard."""
        for archive in self._open:
            archive.drop()
        self._open = []

    def _places(self) -> list[str]:
        return [cell.place for cell in self._job.cells]

    def _path(self, place: str, number: int) -> str:
        return f"{place}/{number:06d}.tar"


def _member(key: str, last: str) -> str:
    return key[: len(key) - len(last)] + last.replace(".", "_")


PART = Layout(open=Shards, sharded=True)

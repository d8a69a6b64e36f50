"""CIFAR's layout: one uint8 array a corruption, `fog.npy`, its severities stacked in blocks.

`fog.npy` is [severities * n, H, W, 3] in source order within a block; `labels.npy` repeats the
class indices for every block, and `classes.txt` names the classes in index order. What is no
corruption at all the severities, such as the clean images, has a folder of its own with the same
three files. All pictures must have one size.

Of sequences, as in CIFAR-10-P, `tilt.npy` is [n, frames, H, W, 3], and `labels.npy` has n indices.
"""

import hashlib
import io
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import final

import numpy as np

from brittle.errors import BuildError
from brittle.files import sha256_file, sweep, write_bytes
from brittle.layouts.base import Job, Layout, Writer
from brittle.manifest import Row
from brittle.sequences import FrameSequence
from brittle.types import Pixels

PARTIAL = ".partial"


@final
class Arrays(Writer):
    """Writes every picture to its place in a file of the final size.

    Plain writes and no memory map: mapped pages would count as the process's own memory.
    """

    def __init__(self, job: Job) -> None:
        """Refuse sizes and labels that arrays cannot hold."""
        if job.size is None:
            raise BuildError(
                "The pictures have different sizes, and arrays need one. Use --layout folder, or "
                "an edition that prepares them, such as --edition imagenet-224."
            )
        self._job, self._shape = job, (*job.size, 3)
        self._picture = int(np.prod(self._shape))
        self._labels = _labels(job)
        self._groups: dict[str, int] = {}
        self._blocks: list[tuple[str, int]] = []
        for cell in job.cells:
            block = self._groups.get(cell.group, 0)
            self._groups[cell.group] = block + 1
            self._blocks.append((cell.group, block))
        self._frames = {
            cell.group: cell.frames if isinstance(cell.condition, FrameSequence) else None
            for cell in job.cells
        }
        moving = any(frames is not None for frames in self._frames.values())
        grid = [self._groups[cell.group] for cell in job.cells if cell.severity is not None]
        most = max(grid, default=1 if moving else 0)
        free = {c.group for c in job.cells if c.severity is None and self._frames[c.group] is None}
        self._folders = {
            group: "" if blocks == most and group not in free else f"{group}/"
            for group, blocks in self._groups.items()
        }
        self._kept = False
        self._held: list[Row] = []
        self._files: dict[str, int] = {}
        self._offsets: dict[str, int] = {}

    def begin(self) -> None:
        """Make the arrays, or take up those that an earlier run left."""
        reopened = [self._reopen(group) for group in self._groups]
        self._kept = all(reopened)
        for group in self._groups:
            self._begin(group)

    def write(self, index: int, pictures: Iterator[Pixels]) -> list[Row]:
        """Write one image's pictures to their places."""
        rows, item = [], self._job.items[index]
        for number, cell in enumerate(self._job.cells):
            data = b"".join(pixels.tobytes() for pixels in islice(pictures, cell.frames))
            group, at = self._place(index, number)
            if os.pwrite(self._files[group], data, at) != len(data):
                raise OSError(
                    f"{self._path(group)} could not be written in full; is the disk full?"
                )
            digest = hashlib.sha256(data).digest()
            rows.append(Row(group, len(data), digest, item.key, cell.name))
        return rows

    def take(self, index: int, written: list[Row]) -> None:  # noqa: ARG002
        """Note the pictures' digests."""
        self._held += written

    def end_shard(self, number: int) -> list[Row]:  # noqa: ARG002
        """Return a row a picture: the files have no digest before the end, so these are kept."""
        rows, self._held = self._held, []
        return rows

    def intact(self, number: int, rows: Iterable[tuple[str, int, bytes]]) -> bool:
        """Read the shard's pictures back: a size says nothing in a file of the final size."""
        if not self._kept:
            return False
        cells, start = len(self._job.cells), number * self._job.shard
        for place, (_, size, digest) in enumerate(rows):
            group, at = self._place(start + place // cells, place % cells)
            if hashlib.sha256(os.pread(self._files[group], size, at)).digest() != digest:
                return False
        return True

    def finish(self) -> Iterator[Row]:
        """Give the arrays their names and write the labels and classes beside them."""
        job, root = self._job, self._job.root
        blocks: dict[str, int] = {}
        for group, file in self._files.items():
            os.fsync(file)
            path = self._path(group)
            os.replace(f"{root / path}{PARTIAL}", root / path)
            yield Row(path, (root / path).stat().st_size, bytes.fromhex(sha256_file(root / path)))
            blocks.setdefault(self._folders[group], self._groups[group])
        for folder, count in blocks.items():
            beside = {}
            if self._labels is not None:
                stream = io.BytesIO()
                np.save(stream, np.tile(self._labels, count))
                beside["labels.npy"] = stream.getvalue()
            if job.classes:
                beside["classes.txt"] = "".join(f"{name}\n" for name in job.classes).encode()
            for name, data in beside.items():
                write_bytes(root / f"{folder}{name}", data)
                yield Row(f"{folder}{name}", len(data), hashlib.sha256(data).digest())

    def close(self) -> None:
        """Close the arrays."""
        for file in self._files.values():
            os.close(file)
        self._files = {}

    def _path(self, group: str) -> str:
        return f"{self._folders[group]}{group}.npy"

    def _header(self, group: str) -> bytes:
        stream = io.BytesIO()
        frames = () if self._frames[group] is None else (self._frames[group],)
        shape = (self._groups[group] * len(self._job.items), *frames, *self._shape)
        np.lib.format.write_array_header_1_0(
            stream, {"descr": "|u1", "fortran_order": False, "shape": shape}
        )
        return stream.getvalue()

    def _full(self, group: str) -> int:
        rows = self._groups[group] * len(self._job.items)
        return len(self._header(group)) + rows * self._bytes(group)

    def _bytes(self, group: str) -> int:
        """Return the bytes of a row: a picture, or all frames of a sequence."""
        return (self._frames[group] or 1) * self._picture

    def _place(self, index: int, cell: int) -> tuple[str, int]:
        group, block = self._blocks[cell]
        row = block * len(self._job.items) + index
        return group, self._offsets[group] + row * self._bytes(group)

    def _reopen(self, group: str) -> bool:
        """Take up an array that an earlier run left; say whether it is there in its full size."""
        whole = self._job.root / self._path(group)
        partial = whole.with_name(whole.name + PARTIAL)
        whole.parent.mkdir(parents=True, exist_ok=True)
        sweep(whole.parent)
        if whole.is_file():
            os.replace(whole, partial)
        return partial.is_file() and partial.stat().st_size == self._full(group)

    def _begin(self, group: str) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        file = os.open(f"{self._job.root / self._path(group)}{PARTIAL}", flags, 0o666)
        self._files[group] = file
        header = self._header(group)
        self._offsets[group] = len(header)
        os.truncate(file, self._full(group))
        os.pwrite(file, header, 0)


def _labels(job: Job) -> "np.ndarray[tuple[int], np.dtype[np.int64]] | None":
    for name in job.classes:
        if name.strip() != name or len(name.splitlines()) != 1:
            raise BuildError(f"The class {name!r} does not fit a line of classes.txt; rename it.")
    bare = [item.key for item in job.items if item.label is None]
    if len(bare) == len(job.items):
        return None
    if bare:
        raise BuildError(
            f"{len(bare)} of {len(job.items)} images have no label, such as {bare[0]}; arrays need "
            f"one for all or for none. Use --layout folder, or remove them."
        )
    place = {name: index for index, name in enumerate(job.classes)}
    return np.array([place[item.label or ""] for item in job.items], np.int64)


PART = Layout(open=Arrays, holds=("pictures", "sequences"), files_a_shard=False)

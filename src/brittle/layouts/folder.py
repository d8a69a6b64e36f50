"""The published layout: `corruption/severity/wnid/name.JPEG`, one file a picture.

An edition that is stored losslessly gives `.png`, and so does the clean image; images without a
label lie in `corruption/severity/`. A free condition has the safe form of its name for a folder.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import final

from brittle.layouts._files import check_names, encode, is_jpeg, put, same_size, stem
from brittle.layouts.base import Job, Layout, Writer
from brittle.manifest import Row
from brittle.types import Pixels


@final
class Folder(Writer):
    """Writes every picture as soon as it is made."""

    def __init__(self, job: Job) -> None:
        """Refuse twin names."""
        self._job, self._root = job, job.root.as_posix()
        self._rows: list[Row] = []
        self._names = [
            stem(item) if item.label is None else f"{item.label}/{stem(item)}" for item in job.items
        ]
        check_names(job.items, self._names)
        self._endings = [".JPEG" if is_jpeg(cell, job.jpeg) else ".png" for cell in job.cells]

    def write(self, index: int, pictures: Iterator[Pixels]) -> list[Row]:
        """Encode and write one image's pictures."""
        job, item, rows = self._job, self._job.items[index], []
        for cell, ending, pixels in zip(job.cells, self._endings, pictures, strict=True):
            data = encode(pixels, cell, job.jpeg)
            path = f"{cell.place}/{self._names[index]}{ending}"
            put(f"{self._root}/{path}", data)
            digest = hashlib.sha256(data).digest()
            rows.append(Row(path, len(data), digest, item.key, cell.name, item.label))
        return rows

    def take(self, index: int, written: list[Row]) -> None:  # noqa: ARG002
        """Note the rows."""
        self._rows += written

    def end_shard(self, number: int) -> list[Row]:  # noqa: ARG002
        """Return the rows noted since the last shard."""
        rows, self._rows = self._rows, []
        return rows

    def intact(self, number: int, rows: Iterable[tuple[str, int, bytes]]) -> bool:  # noqa: ARG002
        """Look at the size of every file."""
        return all(same_size(self._job.root / path, size) for path, size, _ in rows)

    def finish(self) -> Iterator[Row]:
        """Nothing is left to do."""
        return iter(())

    def close(self) -> None:
        """Nothing is open."""


PART = Layout(open=Folder)

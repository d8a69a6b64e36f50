"""Writes every sequence as soon as it is made, into files of its own."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeAlias, final

from brittle.layouts._cells import Cell
from brittle.layouts._files import check_names, put, same_size, stem
from brittle.layouts.base import Job, Writer
from brittle.manifest import Row
from brittle.types import Pixels

Files: TypeAlias = Callable[[str, Cell, Iterator[Pixels]], Iterable[tuple[str, bytes]]]
"""Gets a path without ending, the cell and its frames; gives the files."""


@final
class Sequences(Writer):
    """Writes films, or folders of frames."""

    def __init__(self, job: Job, files: Files) -> None:
        """Refuse twin names."""
        self._job, self._root, self._files = job, job.root.as_posix(), files
        self._rows: list[Row] = []
        self._names = [
            stem(item) if item.label is None else f"{item.label}/{stem(item)}" for item in job.items
        ]
        check_names(job.items, self._names)

    def write(self, index: int, pictures: Iterator[Pixels]) -> list[Row]:
        """Write the files of one image's sequences."""
        job, item, rows = self._job, self._job.items[index], []
        for cell in job.cells:
            path = f"{cell.place}/{self._names[index]}"
            for name, data in self._files(path, cell, islice(pictures, cell.frames)):
                put(f"{self._root}/{name}", data)
                digest = hashlib.sha256(data).digest()
                rows.append(Row(name, len(data), digest, item.key, cell.name, item.label))
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

"""The working state of an unfinished set, in `.brittle` inside it: lock, plan, scan and parts."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from brittle import manifest
from brittle.errors import BuildError
from brittle.files import can_lock, hold, replacing, sweep, write_bytes
from brittle.manifest import Row

FOLDER = ".brittle"


class Work:
    """Holds a set for one process; a context manager that lets go of it, on death as well."""

    def __init__(self, out: Path) -> None:
        """Name the folder; nothing is made before the context is entered."""
        self.out = out
        self.path = out / FOLDER
        self._lock = -1
        self._removed = False

    def __enter__(self) -> Self:
        """Lock the set; a folder with anything else in it is refused."""
        if not can_lock():
            raise BuildError("Building needs a system with file locks, such as Linux or macOS.")
        if self.out.exists() and not self.out.is_dir():
            raise BuildError(f"{self.out} is a file; give a new folder for the set.")
        foreign = self.out.is_dir() and not self.path.is_dir() and any(self.out.iterdir())
        if foreign and manifest.read(self.out) is None:
            raise BuildError(
                f"{self.out} holds files that no brittle build has made; give a new or an empty "
                f"folder."
            )
        self._lock = self._take()
        for folder in (self.out, self.path, self.path / "parts"):
            sweep(folder)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go; what was refused before there was a plan leaves nothing behind."""
        if not self._removed and self.plan() is None:
            self.remove()
            if not any(self.out.iterdir()):
                self.out.rmdir()
        os.close(self._lock)

    def settle(self, plan: Mapping[str, Any]) -> None:
        """Note the plan, or compare it with the one that is being built here."""
        there = self.plan()
        if there is None:
            write_bytes(self.path / "plan.json", json.dumps(plan).encode())
        elif said := manifest.differences(there, plan):
            raise BuildError(
                f"{self.out} holds an unfinished build of something else: {'; '.join(said)}. "
                f"Repeat the command that began it, or give another folder."
            )

    def plan(self) -> dict[str, Any] | None:
        """Return the plan of the build that was begun here."""
        path = self.path / "plan.json"
        return json.loads(path.read_bytes()) if path.is_file() else None

    def end(self, number: int, rows: Iterable[Row]) -> None:
        """Note that a shard is done; from here on a resume takes it as it is."""
        import pyarrow.parquet as pq

        with replacing(self._part(number)) as aside:
            pq.write_table(manifest.table(rows), aside, compression="zstd")

    def part(self, number: int) -> Any:
        """Return the rows of a shard that is done, as a table; None if it is not."""
        import pyarrow as pa

        path = self._part(number)
        try:
            return _read(path) if path.is_file() else None
        except pa.ArrowException:
            # Cut short by a power failure: the shard is done again.
            return None

    def undo(self, number: int) -> None:
        """Forget that a shard is done."""
        self._part(number).unlink(missing_ok=True)

    def parts(self, count: int) -> Iterator[Any]:
        """Yield the rows of all shards in order."""
        for number in range(count):
            yield self.part(number)

    def remove(self) -> None:
        """Remove the working state; the lock's file goes last, with its folder.

        From then on the folder may be another process's.
        """
        self._removed = True
        for path in sorted(self.path.iterdir(), key=lambda path: path.name == "lock"):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        with contextlib.suppress(OSError):
            self.path.rmdir()

    def _part(self, number: int) -> Path:
        return self.path / "parts" / f"{number:05d}.parquet"

    def _take(self) -> int:
        held = hold(self.path / "lock")
        if held is None:
            raise BuildError(
                f"Another process is building {self.out}; wait for it, or stop it first."
            )
        return held


def _read(path: Path) -> Any:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return file.read()

"""A run on disk: what was measured, and the predictions of every picture.

    RUN/run.json               what the run is; `format_version` rises when its form changes
    RUN/sets/SET.parquet       the images of a set: key, label, digest
    RUN/parts/SET/00003-1a2b3c4d.parquet
                               the predictions of shard 3 of a set under a group of conditions
    RUN/.brittle/              lock and scans, of use to the machine that made them only

A part is written aside, forced to disk and renamed; it never changes. That it exists says that it
is whole, so a run resumes by looking at names.
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from brittle.errors import RunError
from brittle.files import ASIDE, can_lock, hold, replacing, sweep, write_bytes

FORMAT = "brittle-run"
FORMAT_VERSION = 1
FOLDER = ".brittle"
JSON = "run.json"
NONE = -1
"""Stands for a lock where there are none."""

FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "model": dict, "classes": list, "sets": dict, "suites": dict, "versions": dict,
    "sessions": list, "name": str, "seed": int, "generation": str, "shard": int, "keep": list,
}  # fmt: skip
"""What every record holds."""

SET_FIELDS = ("groups", "edition", "pixels", "images", "fingerprint", "facts", "contents")
SUITE_FIELDS = ("about", "edition", "cells", "scores", "facts")

_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_GROUP = re.compile(r"[0-9a-f]{8}")


def is_run(path: Path) -> bool:
    """Say whether there is a run."""
    return (path / JSON).is_file()


def read(path: Path) -> dict[str, Any]:
    """Return a run's record; what is none, or of another version, is a `RunError`."""
    if not is_run(path):
        raise RunError(f"{path} is not a run: it has no {JSON}. Make one with brittle evaluate.")
    try:
        found = json.loads((path / JSON).read_bytes())
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path / JSON} is not JSON ({error}); restore it.") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RunError(f"{path / JSON} is not the record of a run that brittle made.")
    if found.get("format_version") != FORMAT_VERSION:
        raise RunError(
            f"{path} has format version {found.get('format_version')}; this brittle reads "
            f"{FORMAT_VERSION}. Use the version of brittle that made the run."
        )
    for name, kind in FIELDS.items():
        if not isinstance(found.get(name), kind):
            raise RunError(f"{path / JSON} lacks '{name}', or has it in another form; restore it.")
    # They become names of files.
    for name, entry in found["sets"].items():
        groups = entry.get("groups") if isinstance(entry, dict) else None
        if not _SET.fullmatch(name) or not isinstance(groups, dict):
            raise RunError(f"{path / JSON} names a set {name!r}, which is none of brittle's.")
        if strange := [group for group in groups if not _GROUP.fullmatch(group)]:
            raise RunError(f"{path / JSON} names a group {strange[0]!r}, which is none.")
    for family, wanted in (("sets", SET_FIELDS), ("suites", SUITE_FIELDS)):
        for name, entry in found[family].items():
            if lost := [field for field in wanted if field not in entry]:
                raise RunError(f"{path / JSON}: {name} lacks '{lost[0]}'; restore it.")
    return found


def group_name(conditions: Sequence[str]) -> str:
    """Return the name of a group of conditions that are measured together."""
    return hashlib.sha256("\n".join(conditions).encode()).hexdigest()[:8]


class Store:
    """A run that is being written; hold it as a context, which locks out other processes."""

    def __init__(self, path: Path) -> None:
        """Look at nothing yet."""
        self.path = path
        self._lock: int | None = None
        self.record: dict[str, Any] = {}

    def __enter__(self) -> Self:
        """Lock the run and read its record; a folder with anything else in it is refused."""
        if self.path.exists() and not is_run(self.path) and self._strange():
            raise RunError(f"{self.path} holds other files; give a new folder for the run.")
        self._take()
        try:
            self.record = read(self.path) if is_run(self.path) else {}
            for folder in (self.path, *self.path.glob("sets"), *self.path.glob("parts/*")):
                sweep(folder)
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go; what was refused before it began leaves no folder behind."""
        if not is_run(self.path):
            # A scan is kept, since it may have taken an hour; an open file stays on some systems.
            with contextlib.suppress(OSError):
                (self.path / FOLDER / "lock").unlink(missing_ok=True)
                (self.path / FOLDER).rmdir()
                self.path.rmdir()
        self._release()

    def save(self) -> None:
        """Write the record."""
        found = {"format": FORMAT, "format_version": FORMAT_VERSION, **self.record}
        write_bytes(self.path / JSON, (json.dumps(found, indent=1) + "\n").encode())

    def add_images(self, name: str, columns: Mapping[str, Sequence[str | None]]) -> None:
        """Write the images of a set, unless they are there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path / "sets" / f"{name}.parquet"
        if path.is_file():
            return
        table = pa.table({key: pa.array(value, pa.string()) for key, value in columns.items()})
        with replacing(path) as aside:
            pq.write_table(table, aside, compression="zstd")

    def measured(self, name: str, groups: Mapping[str, Sequence[str]]) -> dict[int, set[str]]:
        """Return shard -> conditions that have been measured of a set."""
        found: dict[int, set[str]] = {}
        for number, group, _ in parts(self.path, name):
            found.setdefault(number, set()).update(groups.get(group, ()))
        return found

    def put(self, name: str, number: int, conditions: Sequence[str], table: Any) -> None:
        """Write one part."""
        import pyarrow.parquet as pq

        path = part_path(self.path, name, number, group_name(conditions))
        with replacing(path) as aside:
            # Statistics and page indices would be a third of so small a file.
            pq.write_table(table, aside, compression="zstd", write_statistics=False)

    def _strange(self) -> bool:
        """Whether something lies here that no run of ours left, killed ones included."""
        if not self.path.is_dir():
            raise RunError(f"{self.path} is a file; give a new folder for the run.")
        names = [path.name for path in self.path.iterdir()]
        return any(name != FOLDER and not name.endswith(ASIDE) for name in names)

    def _take(self) -> None:
        try:
            held = hold(self.path / FOLDER / "lock") if can_lock() else NONE
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
                raise
            held = NONE
        if held is None:
            raise RunError(
                f"Another process is working on {self.path}; wait for it, or stop it first."
            )
        if held == NONE:
            (self.path / FOLDER).mkdir(parents=True, exist_ok=True)
            warnings.warn(
                f"There are no file locks here: nothing keeps a second process from {self.path}.",
                stacklevel=4,
            )
        self._lock = held

    def _release(self) -> None:
        if self._lock not in (None, NONE):
            os.close(self._lock)
        self._lock = None


def scan_path(root: Path, given: str) -> Path:
    """Return where the scan of a source is kept, under a name made of what the user gave."""
    name = hashlib.sha256(given.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return root / FOLDER / f"scan-{name}.parquet"


def part_path(root: Path, name: str, number: int, group: str) -> Path:
    """Return where a part lies."""
    return root / "parts" / name / f"{number:05d}-{group}.parquet"


def parts(root: Path, name: str) -> Iterator[tuple[int, str, Path]]:
    """Yield (shard, group, path) of the parts of a set, in order."""
    folder = root / "parts" / name
    if folder.is_dir():
        for path in sorted(folder.glob("[0-9]*-*.parquet")):
            number, _, group = path.stem.partition("-")
            yield int(number), group, path


def encoded(column: Any) -> Any:
    """Return a column of texts as one Arrow array of places in a dictionary."""
    import pyarrow as pa

    found = column.combine_chunks()
    if isinstance(found, pa.ChunkedArray):
        found = found.chunk(0)
    return found if pa.types.is_dictionary(found.type) else found.dictionary_encode()


def read_table(path: Path, columns: Sequence[str] | None = None) -> Any:
    """Return a Parquet file of a run as a table; one that cannot be read is a `RunError`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            return file.read(columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException) as error:
        raise RunError(
            f"{path} cannot be read ({error}). Remove it, and the command that made the run makes "
            f"it again."
        ) from error

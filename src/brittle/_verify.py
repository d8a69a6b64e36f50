"""Is a set on disk still what its manifest says?"""

import hashlib
import os
from array import array
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from brittle import manifest
from brittle.errors import BuildError
from brittle.executors import EXECUTORS, usable_cores
from brittle.files import sha256_file
from brittle.progress import Progress

BATCH = 128
"""Files a call, so that the calls cost little beside the reading."""


class Verification(NamedTuple):
    """How a set differs from its manifest; paths are below the set's folder, in ABC order."""

    files: int
    """Files that the manifest lists."""
    altered: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    """(old, new): missing under one name, there with the same bytes under another."""
    sealed: bool
    """Whether `manifest.parquet` is the one that the fingerprint in `manifest.json` was made of."""

    @property
    def ok(self) -> bool:
        """Whether there is no difference at all."""
        return self.sealed and not (self.altered or self.missing or self.extra or self.renamed)


class _File(NamedTuple):
    path: str
    size: int
    sha256: bytes


def verify(
    out: str | os.PathLike[str], *, workers: int | None = None, quiet: bool = True
) -> Verification:
    """Read every file of a set and compare; what is no complete set is a `BuildError`."""
    root = Path(out)
    found = manifest.read(root)
    if found is None:
        begun = (root / ".brittle").is_dir()
        raise BuildError(
            f"{root} is an unfinished build; repeat the command that began it."
            if begun
            else f"{root} is not a set that brittle built: it has no {manifest.JSON}."
        )
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise BuildError(f"There must be 1 worker or more; got {workers}.")
    seal = manifest.Seal(found["plan"])
    known = array("Q")
    altered: list[str] = []
    missing: dict[str, bytes] = {}
    mapped = EXECUTORS.load("threads").map

    def check(files: list[_File]) -> list[tuple[_File, str]]:
        return [(file, state) for file in files if (state := _state(root, file)) != "good"]

    with Progress(found.get("files", 0), label="verifying", noun="files", quiet=quiet) as progress:
        batches = _batches(root, seal, known)
        for count, bad in mapped(lambda b: (len(b), check(b)), batches, workers=workers):
            for file, state in bad:
                if state == "missing":
                    missing[file.path] = file.sha256
                else:
                    altered.append(file.path)
            progress.advance(count)
    extra = _extra(root, np.sort(np.frombuffer(known, np.uint64)))
    renamed = _renamed(root, missing, extra)
    gone, come = {old for old, _ in renamed}, {new for _, new in renamed}
    return Verification(
        files=seal.files,
        altered=tuple(sorted(altered)),
        missing=tuple(sorted(missing.keys() - gone)),
        extra=tuple(sorted(set(extra) - come)),
        renamed=tuple(sorted(renamed)),
        sealed=seal.fingerprint() == found["fingerprint"],
    )


def _batches(root: Path, seal: manifest.Seal, known: "array[int]") -> Iterator[list[_File]]:
    """Yield the manifest's files, adding each to the seal and to the known names."""
    for table in manifest.rows(root):
        seal.add(table)
        columns = [table.column(name).to_pylist() for name in _File._fields]
        files = [_File(*row) for row in zip(*columns, strict=True)]
        for file in files:
            parts = PurePosixPath(file.path).parts
            if ".." in parts or file.path.startswith("/") or "\\" in file.path or not parts:
                raise BuildError(
                    f"{manifest.PARQUET} lists {file.path!r}, which leads out of the set; it is "
                    f"not to be trusted. Build anew."
                )
        known.extend(map(_mark, (file.path for file in files)))
        for start in range(0, len(files), BATCH):
            yield files[start : start + BATCH]


def _state(root: Path, file: _File) -> str:
    path = root / file.path
    try:
        if path.stat().st_size != file.size:
            return "altered"
        return "good" if bytes.fromhex(sha256_file(path)) == file.sha256 else "altered"
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    except OSError:
        return "altered"


def _mark(path: str) -> int:
    """Return 64 bits of a name: millions of names are compared in the memory of their marks."""
    data = path.encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _extra(root: Path, known: "np.ndarray[tuple[int], np.dtype[Any]]") -> list[str]:
    own = {manifest.JSON, manifest.PARQUET}
    extra = []
    for folder, folders, names in os.walk(root, onerror=_refuse_unreadable):
        below = Path(folder).relative_to(root)
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        paths = [(below / name).as_posix() for name in (*names, *links)]
        if not paths or not known.size:
            extra += [path for path in paths if path not in own]
            continue
        marks = np.array([_mark(path) for path in paths], np.uint64)
        # A binary search: the names of a folder are few, those of a set are millions.
        at = np.minimum(np.searchsorted(known, marks), known.size - 1)
        there = known[at] == marks
        extra += [p for p, listed in zip(paths, there, strict=True) if not listed and p not in own]
    return extra


def _refuse_unreadable(error: OSError) -> None:
    raise BuildError(f"{error.filename} cannot be read ({error.strerror}); mend its permissions.")


def _renamed(root: Path, missing: dict[str, bytes], extra: list[str]) -> list[tuple[str, str]]:
    """Pair what is missing with what is there in its stead, by content."""
    if not missing:
        return []
    wanted: dict[bytes, list[str]] = {}
    for path in sorted(missing, reverse=True):
        wanted.setdefault(missing[path], []).append(path)
    pairs = []
    for path in sorted(extra):
        try:
            old = wanted.get(bytes.fromhex(sha256_file(root / path)))
        except OSError:
            continue
        if old:
            pairs.append((old.pop(), path))
    return pairs

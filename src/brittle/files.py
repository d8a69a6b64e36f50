"""Files that are either whole or not there, and their digests."""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ASIDE = ".brittle-tmp"
"""Ends the name of a file that is being written; such a file is nobody's and may be removed."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a name beside `path` to write to; on success it replaces `path`, on error it goes.

    The data reach the disk before the name does, so that a crash leaves the old file or the new.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}{ASIDE}")
    try:
        yield aside
        with open(aside, "r+b") as written:
            os.fsync(written.fileno())
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or none."""
    with replacing(path) as aside:
        aside.write_bytes(data)


def lock(file: int) -> bool:
    """Lock an open file until it is closed or the process ends, however it ends.

    False where another process holds it. Needs a system with `fcntl` (see `can_lock`).
    """
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def can_lock() -> bool:
    """Say whether this system has file locks: Linux and macOS do, Windows does not."""
    return find_spec("fcntl") is not None


def sweep(folder: Path) -> None:
    """Remove what a killed process left half written in a folder."""
    for left in folder.glob(f".*{ASIDE}"):
        left.unlink(missing_ok=True)


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal, reading it in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

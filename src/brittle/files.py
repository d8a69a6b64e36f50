"""Files that are either whole or not there, and their digests."""

import contextlib
import hashlib
import os
import secrets
import unicodedata
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from brittle.errors import BrittleError

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


def plain(text: str) -> str:
    """Give a name its composed form (NFC), since some file systems store another one."""
    return unicodedata.normalize("NFC", text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or none."""
    with replacing(path) as aside:
        aside.write_bytes(data)


def hold(path: Path) -> int | None:
    """Open and lock a file until it is closed or the process ends, however it ends.

    None where another process holds it. The file may be removed while it is held: whoever waited
    for it finds that it has gone, and makes another. Needs a system with file locks (`can_lock`);
    an `OSError` says where the file system has none.
    """
    import fcntl

    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The one before may have removed the file that has just been locked.
            if os.path.samestat(os.fstat(file), os.stat(path)):
                return file
        except BlockingIOError:
            os.close(file)
            return None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def can_lock() -> bool:
    """Say whether this system has file locks: Linux and macOS do, Windows does not."""
    return find_spec("fcntl") is not None


@contextlib.contextmanager
def disk_errors(what: str, kind: type[BrittleError]) -> Iterator[None]:
    """Turn an error of the disk into one that says what to do; `what` begins it."""
    try:
        yield
    except OSError as error:
        raise kind(
            f"{what} stopped: {error}. What is done is kept; repeat the command when this is "
            f"mended."
        ) from error


def sweep(folder: Path) -> None:
    """Remove what a killed process left half written in a folder."""
    for left in folder.glob(f".*{ASIDE}"):
        left.unlink(missing_ok=True)


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal, reading it in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

"""Where the files of a tar archive lie, found by reading its headers once."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from brittle.errors import SourceError
from brittle.sources._keys import is_image

_BLOCK = 512


class Member(NamedTuple):
    """A regular file in an archive: its cleaned name, and where its bytes are."""

    name: str
    offset: int
    size: int

    def read(self, archive: Path) -> bytes:
        """Return the bytes; a file handle of its own makes this safe from many threads."""
        try:
            with open(archive, "rb") as stream:
                stream.seek(self.offset)
                data = stream.read(self.size)
        except OSError as error:
            raise SourceError(f"{archive} cannot be read ({error.strerror}).") from error
        if len(data) != self.size:
            raise SourceError(f"{archive} is shorter than when it was opened; open it again.")
        return data


def members(path: Path) -> Iterator[Member]:
    """Give the regular files of an archive in its order.

    Nothing is extracted. Names that lead out of the archive are a `SourceError`, and so are links
    that are named like images, and an archive that is damaged or cut; folders, devices and other
    links are passed over.
    """
    try:
        # The names must not depend on the locale, and compressed archives have no offsets.
        with tarfile.open(path, "r:", encoding="utf-8", errors="surrogateescape") as archive:
            while (entry := archive.next()) is not None:
                # tarfile keeps every header that it has read; a shard may have a million.
                archive.members.clear()  # type: ignore[attr-defined]
                if (found := _checked(entry, path)) is not None:
                    yield found
            end = archive.offset
        _check_end(path, end)
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        raise SourceError(f"{path} cannot be read as a tar archive ({error}).") from error


def _checked(entry: tarfile.TarInfo, path: Path) -> Member | None:
    name = entry.name
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise SourceError(
            f"{path} has a member named {name!r}, which leads out of the archive; such an archive "
            f"is not to be trusted, make it again with relative names."
        )
    if entry.isreg() and not entry.issparse():
        clean = "/".join(part for part in name.split("/") if part not in ("", "."))
        return Member(clean, entry.offset_data, entry.size)
    if is_image(name) and not entry.isdir():
        raise SourceError(
            f"{path} has no bytes for {name}: it is a link or a sparse file; make the archive "
            f"again with tar --dereference --hard-dereference."
        )
    return None


def _check_end(path: Path, end: int) -> None:
    # tarfile takes a damaged header for the end of the archive.
    with open(path, "rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(end)
        block = stream.read(_BLOCK)
    if end > size or block.strip(b"\0"):
        raise SourceError(
            f"{path} is cut or damaged at byte {min(end, size)} of {size}; get it again."
        )

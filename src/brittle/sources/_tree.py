"""The files below a folder, hidden ones left out."""

import os
from collections.abc import Iterator
from pathlib import Path

from brittle.errors import SourceError
from brittle.sources._keys import is_image


def walk(root: Path) -> Iterator[str]:
    """Give the path of every file below a folder, relative to it and with `/`.

    Names that begin with a dot are left out with all below them. Links are followed, since people
    put data sets together with them; a link into its own parents is a `SourceError`. A link to
    nothing is given too, so that it is missed when it is read and not before.
    """
    yield from _walk(root, "", ())


def _walk(folder: Path, above: str, parents: tuple[tuple[int, int], ...]) -> Iterator[str]:
    try:
        status = folder.stat()
        names = [name for name in os.listdir(folder) if not name.startswith(".")]
    except OSError as error:
        raise SourceError(f"{folder} cannot be listed ({error.strerror}).") from error
    here = (status.st_dev, status.st_ino)
    if here in parents:
        raise SourceError(f"{folder} is a link to a folder that holds it; remove the link.")
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from _walk(Path(path), f"{above}{name}/", (*parents, here))
        # Pipes and devices are no files, and reading one could wait for ever.
        elif os.path.isfile(path) or not os.path.exists(path):
            yield above + name


def files_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the visible files directly in a folder; none if it is not one."""
    return tuple(name for name, is_folder in _visible(folder) if not is_folder)


def holds_only(folder: Path, *suffixes: str) -> bool:
    """Tell if a folder has a file of such a suffix, no image and no sub-folder directly in it."""
    entries = _visible(folder)
    return any(name.lower().endswith(suffixes) for name, _ in entries) and not any(
        is_folder or is_image(name) for name, is_folder in entries
    )


def _visible(folder: Path) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((e.name, e.is_dir()) for e in entries if not e.name.startswith("."))
    except OSError:
        return []

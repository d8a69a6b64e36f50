"""Images that a table names: they must be there, and inside the folder."""

from collections.abc import Iterable
from pathlib import Path

from brittle.errors import SourceError
from brittle.sources._keys import is_image, some
from brittle.sources._tree import walk


def listed_in(root: Path, names: Iterable[str], table: Path) -> int:
    """Check the names that a table gives; return how many images in the folder it does not name.

    Names are compared with what the folder holds, so that none can lead out of it.
    """
    wanted = set(names)
    there = set(walk(root))
    if missing := wanted - there:
        raise SourceError(
            f"{some(missing)} {'is' if len(missing) == 1 else 'are'} in {table} but not among the "
            f"files in {root}. Names go by path below that folder, with the suffix."
        )
    if strange := [name for name in wanted if not is_image(name)]:
        raise SourceError(f"{table} names {some(strange)}, no image by the suffix; remove the row.")
    return sum(is_image(name) for name in there - wanted)

"""What a layout is: how pictures of many conditions become files, and how a build drives it.

A build takes the source in shards of images. For every image `write` runs in a worker thread;
`take` gets its result in the caller's thread, in source order; `end_shard` then makes the files
of that shard whole and names them. `finish` does the same for the files of the whole set. After a
kill at any moment the same calls for the unfinished shards must give the same bytes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from brittle.layouts._cells import Cell
from brittle.manifest import Row
from brittle.sources import Item
from brittle.types import Pixels


class Job(NamedTuple):
    """What is to be laid out, and where."""

    root: Path
    """The set's folder."""
    scratch: Path
    """Working folder on the same file system; it goes when the set is complete."""
    items: Sequence[Item]
    classes: Sequence[str]
    cells: Sequence[Cell]
    size: tuple[int, int] | None
    """Height and width of all prepared pictures; None where they differ."""
    jpeg: int | None
    """Quality at which the edition stores pictures; None for lossless."""
    shard: int
    """Images a shard."""


class Writer(ABC):
    """Writes one set."""

    def begin(self) -> None:  # noqa: B027 - most layouts have nothing to open
        """Open what lies on disk; called when the plan is known to be this one, and not before."""

    @abstractmethod
    def write(self, index: int, pictures: Iterator[Pixels]) -> Any:
        """Write or hold one image's pictures, those of each cell in the cells' order; thread-safe.

        A cell has one, or of a sequence as many as it has frames.
        """

    @abstractmethod
    def take(self, index: int, written: Any) -> None:
        """Get what `write` returned, in source order."""

    @abstractmethod
    def end_shard(self, number: int) -> list[Row]:
        """Make the shard's files whole; returns their rows in canonical order."""

    @abstractmethod
    def intact(self, number: int, rows: Iterable[tuple[str, int, bytes]]) -> bool:
        """Say whether a shard ended by an earlier run is there; gets its (path, size, digest)."""

    @abstractmethod
    def finish(self) -> Iterator[Row]:
        """Make the files of the whole set and yield their rows; may run again after a kill."""

    @abstractmethod
    def close(self) -> None:
        """Let go of open files; the set may be unfinished."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A way to lay a set out on disk."""

    open: Callable[[Job], Writer]
    """Refuses up front what the layout cannot hold."""
    sharded: bool = False
    """Whether the shard's size shows in the files, so that it belongs to the set's identity."""
    holds: tuple[str, ...] = ("pictures",)
    """`pictures`, one a condition; `sequences`, whose conditions have several frames each."""
    files_a_shard: bool = True
    """Whether a shard's rows are files of the set; else `finish` gives the rows of all files."""

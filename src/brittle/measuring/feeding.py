"""Feeds of what the user gave: each source is read once, whatever number of suites it serves."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, final

from brittle._survey import Kept, Survey, prepared_size, stamp_of, survey
from brittle.conditions import Condition
from brittle.editions import Edition
from brittle.errors import SourceError
from brittle.feeds import Feed, footage, generated, moving, published, recorded
from brittle.sequences import FrameSequence
from brittle.sources import Item, Source, open_source
from brittle.sources._chosen import Chosen, chosen
from brittle.store import scan_path

Data: TypeAlias = str | Path | Source
"""Where pictures are: a path, or an opened source."""

Wanted: TypeAlias = Callable[[Sequence[Item]], Sequence[Item]]
"""Picks the items of a source that are needed, before any of them is read."""

SAMPLE = 0
"""The seed of samples: one for all runs, so that those of different seeds have the same images."""


@final
@dataclass(frozen=True, kw_only=True)
class Feeding:
    """How paths are opened, sampled and surveyed, and what was surveyed already."""

    root: Path
    """The run, which keeps the surveys."""
    seed: int
    limit: int | None = None
    workers: int = 1
    skip_broken: bool = False
    kind: str | None = None
    exif: bool = False
    split: str = "test"
    jpeg: bool = True
    codec: bool = False
    stride: int = 1
    side: int | None = None
    """Of pictures that are made and do not say their own size."""
    quiet: bool = True
    _known: dict[Any, Any] = field(default_factory=dict)

    def make(
        self,
        data: Data,
        edition: Edition,
        made: Sequence[Condition],
        wanted: Wanted | None = None,
    ) -> Feed:
        """Survey a source, or recall it; return the feed of its images made in memory.

        Without `wanted` all items are taken, or a sample of them.
        """
        source, seen = self._surveyed(data, wanted)
        prepared_size(seen, edition)
        return generated(source, seen, edition, made, seed=self.seed, jpeg=self.jpeg)

    def move(self, data: Data, edition: Edition, made: Sequence[FrameSequence]) -> Feed:
        """Survey a source, or recall it; return the feed of the frames made of its images."""
        source, seen = self._surveyed(data, None)
        prepared_size(seen, edition)
        return moving(source, seen, edition, made, seed=self.seed, codec=self.codec)

    def film(self, data: Data, edition: Edition) -> Feed:
        """Return the feed of films that are measured as they are."""
        if isinstance(data, Source):
            raise SourceError("Films are read from a path; give the folder that holds them.")
        feed = footage(Path(data), edition, stride=self.stride)
        return feed.only([item.key for item in self.sample(feed.items)], what=str(data))

    def recorded(self, data: Data, edition: Edition) -> Feed | None:
        """Return the feed of sequences on disk; None if that is not what lies there."""
        if isinstance(data, Source) or self.kind is not None:
            return None
        feed = recorded(Path(data), edition)
        if feed is None:
            return None
        if self.codec or self.exif:
            raise SourceError(
                f"{data} holds sequences, whose frames are read as they are; leave --codec and "
                f"--exif out."
            )
        return feed.only([item.key for item in self.sample(feed.items)], what=str(data))

    def _surveyed(self, data: Data, wanted: Wanted | None) -> tuple[Source, Survey]:
        source = self._opened(data)
        items = tuple(self.sample(source.items) if wanted is None else wanted(source.items))
        if not items:
            raise SourceError(f"{data} holds none of the images that are measured.")
        hashed = hashlib.sha256(repr([item.key for item in items]).encode("utf-8", "replace"))
        name = (id(source), hashed.hexdigest())
        if name not in self._known:
            place = source.root if isinstance(data, Source) else Path(data).resolve()
            how = (str(place), self.kind, self.split, name[1])
            some = source if len(items) == len(source.items) else Chosen(source, items)
            self._known[name] = (
                some,
                survey(
                    some,
                    Kept(scan_path(self.root, repr(how))),
                    stamp=stamp_of(some, some.upright),
                    workers=self.workers,
                    skip_broken=self.skip_broken,
                    quiet=self.quiet,
                ),
            )
        found: tuple[Source, Survey] = self._known[name]
        return found

    def read(self, data: Data, edition: Edition) -> Feed | None:
        """Return the feed of published files; None if that is not what lies there.

        A kind that was given says that it is a source of clean pictures.
        """
        if isinstance(data, Source) or self.kind is not None:
            return None
        feed = published(Path(data), edition=edition.name)
        if feed is None:
            return None
        if self.exif:
            raise SourceError(
                f"{data} holds corrupted files, which are read as they are; leave --exif out, or "
                f"give --kind folder if they are clean pictures after all."
            )
        keys = [item.key for item in self.sample(feed.items)]
        return feed.only(keys, what=str(data))

    def sample(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the sample of items that is measured: all of them unless limited."""
        if self.limit is None:
            return items
        some = {item.key for item in chosen(items, self.limit, SAMPLE)}
        return [item for item in items if item.key in some]

    def _opened(self, data: Data) -> Source:
        # Held with what was given, whose id must not be another object's meanwhile.
        if isinstance(data, Source) and (
            self.kind is not None or self.exif or self.split != "test"
        ):
            raise SourceError(
                "kind, exif and split say how a path is opened, and these data are open already; "
                "leave them out."
            )
        name = id(data) if isinstance(data, Source) else str(data)
        if name not in self._known:
            source = data
            if not isinstance(source, Source):
                source = open_source(
                    source, kind=self.kind, exif=self.exif, split=self.split, side=self.side
                )
            self._known[name] = source
        found: Source = self._known[name]
        return found

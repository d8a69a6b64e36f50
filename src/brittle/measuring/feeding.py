"""Feeds of what the user gave: each source is read once, whatever number of suites it serves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, final

from brittle._survey import Kept, prepared_size, stamp_of, survey
from brittle.conditions import Condition
from brittle.editions import Edition
from brittle.feeds import Feed, generated, published
from brittle.sources import Source, open_source
from brittle.sources._chosen import Chosen, chosen
from brittle.store import scan_path

Data: TypeAlias = str | Path | Source
"""Where pictures are: a path, or an opened source."""

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
    quiet: bool = True
    _known: dict[Any, Any] = field(default_factory=dict)

    def make(self, data: Data, edition: Edition, made: Sequence[Condition]) -> Feed:
        """Survey a source, or recall it; return the feed of its images made in memory."""
        name = id(data) if isinstance(data, Source) else str(data)
        if name not in self._known:
            # Held with what was given, whose id must not be another object's meanwhile.
            self._known[name] = data, *self._survey(data)
        _, source, seen = self._known[name]
        prepared_size(seen, edition)
        return generated(
            source, seen, edition, made, seed=self.seed, jpeg=self.jpeg, exif=self.exif
        )

    def read(self, data: Data, edition: Edition) -> Feed | None:
        """Return the feed of published files; None if that is not what lies there."""
        feed = None if isinstance(data, Source) else published(Path(data), edition=edition.name)
        if feed is None or self.limit is None:
            return feed
        some = {item.key for item in chosen(feed.items, self.limit, SAMPLE)}
        return feed.only([i.key for i in feed.items if i.key in some], what=str(data))

    def _survey(self, data: Data) -> tuple[Source, Any]:
        source = data
        if not isinstance(source, Source):
            source = open_source(source, kind=self.kind, exif=self.exif, split=self.split)
        if self.limit is not None:
            source = Chosen(source, chosen(source.items, self.limit, SAMPLE))
        place = source.root if isinstance(data, Source) else Path(data).resolve()
        how = (str(place), self.kind, self.split, self.limit)
        return source, survey(
            source,
            Kept(scan_path(self.root, repr(how))),
            stamp=stamp_of(source, self.exif),
            workers=self.workers,
            skip_broken=self.skip_broken,
            quiet=self.quiet,
        )

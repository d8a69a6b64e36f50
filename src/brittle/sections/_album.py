"""The pictures of a run, found again: a run stores predictions, and no pictures.

What is shown is what was measured: made pictures come from a file with the digest that the run
recorded, with its seed, edition and versions; read ones from a set with the recorded contents.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias, final

from brittle import conditions, store
from brittle._run import Run
from brittle._survey import Survey
from brittle.conditions import CLEAN
from brittle.editions import get
from brittle.errors import BrittleError, SourceError
from brittle.feeds import Feed, generated, published
from brittle.sources import Item, Source, open_source
from brittle.types import Pixels

Place: TypeAlias = str | Path | Source
"""Where pictures are: a path, or an opened source."""


@final
class Album:
    """Where the pictures of a report are looked for; without places there are none."""

    def __init__(
        self, places: Sequence[Place] = (), *, kind: str | None = None, split: str = "test"
    ) -> None:
        """Open nothing yet."""
        self.places = tuple(places)
        self._kind, self._split = kind, split
        self._sources: dict[tuple[int, bool], Source] = {}
        self._feeds: dict[tuple[int, Path, str], Feed] = {}
        self._digests: dict[tuple[Path, str], dict[str, str]] = {}
        self._items: dict[tuple[int, bool], dict[str, Item]] = {}

    def __bool__(self) -> bool:
        """Say whether there is anywhere to look."""
        return bool(self.places)

    def picture(self, run: Run, name: str, key: str, condition: str) -> Pixels:
        """Return a picture of one of the run's sets, H x W x 3; a `SourceError` says why not."""
        entry = run.info["sets"][name]
        find = self._read if entry["pixels"] == "read" else self._made
        reasons = []
        for place in range(len(self.places)):
            try:
                return find(place, run, name, key, condition)
            except BrittleError as error:
                reasons.append(str(error))
        raise SourceError("; ".join(dict.fromkeys(reasons)) or "There are no data to look in.")

    def _made(self, place: int, run: Run, name: str, key: str, condition: str) -> Pixels:
        entry, info = run.info["sets"][name], run.info
        exif = bool(entry["facts"].get("exif", False))
        source = self._source(place, exif=exif)
        if (place, exif) not in self._items:
            self._items[place, exif] = {item.key: item for item in source.items}
        items = self._items[place, exif]
        if key not in items:
            raise SourceError(f"{self.places[place]} has no picture {key}")
        item = items[key]
        _check(condition, entry["edition"], info["versions"])
        digest = self._known(run, name)[key]
        # The sizes of other pictures do not matter here; the feed checks the digest.
        seen = Survey((item,), (digest,), {(1, 1): key}, (), "")
        edition = get(entry["edition"])
        feed = generated(
            source, seen, edition, (), seed=info["seed"], jpeg=not entry["facts"].get("lossless")
        )
        return next(feed.pictures(0, [condition]))

    def _read(self, place: int, run: Run, name: str, key: str, condition: str) -> Pixels:
        entry, where = run.info["sets"][name], self.places[place]
        feed = self._feed(place, run, name)
        if condition not in feed.conditions:
            raise SourceError(f"{where} has no {condition}")
        recorded = entry["contents"].get(condition)
        if feed.contents.get(condition) != recorded:
            raise SourceError(f"{where} has other files of {condition} than were measured")
        if recorded is None and feed.fingerprint != entry["fingerprint"]:
            raise SourceError(f"{where} is another set than was measured")
        row = list(self._known(run, name)).index(key)
        return next(feed.pictures(row, [condition]))

    def _feed(self, place: int, run: Run, name: str) -> Feed:
        """Return the corrupted set at a place, of the images that the run measured."""
        where, edition = self.places[place], run.info["sets"][name]["edition"]
        if (place, run.path, name) not in self._feeds:
            found = None if isinstance(where, Source) else published(Path(where), edition=edition)
            if found is None:
                raise SourceError(f"{where} holds no corrupted set, and {name} was read from one")
            self._feeds[place, run.path, name] = found.only(self._known(run, name), what=str(where))
        return self._feeds[place, run.path, name]

    def _source(self, place: int, *, exif: bool) -> Source:
        where = self.places[place]
        if isinstance(where, Source):
            if where.upright != exif:
                raise SourceError(
                    f"The pictures were measured {'upright' if exif else 'as they are stored'} "
                    f"and the source gives them otherwise; open it with exif={exif}"
                )
            return where
        if (place, exif) not in self._sources:
            self._sources[place, exif] = open_source(
                where, kind=self._kind, exif=exif, split=self._split
            )
        return self._sources[place, exif]

    def _known(self, run: Run, name: str) -> dict[str, str]:
        """Return key -> digest of the images of a set."""
        if (run.path, name) not in self._digests:
            table = store.read_table(run.path / "sets" / f"{name}.parquet", ("key", "digest"))
            found = table.to_pydict()
            self._digests[run.path, name] = dict(zip(found["key"], found["digest"], strict=True))
        return self._digests[run.path, name]


def _check(condition: str, edition: str, versions: Any) -> None:
    """Refuse a condition that would come out otherwise today."""
    if condition == CLEAN:
        return
    with warnings.catch_warnings():
        # That frost would be of procedural ice; it is refused instead.
        warnings.simplefilter("ignore")
        made = conditions.condition(condition, edition=edition)
    if str(made) != condition:
        raise SourceError(
            f"{condition} would be {made} here: its ice photographs are missing (--assets DIR)"
        )
    for part, version in made.versions.items():
        if versions.get(part, version) != version:
            raise SourceError(f"{part} has version {version} here and {versions[part]} in the run")

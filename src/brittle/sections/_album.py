"""The pictures of a run, found again: a run stores predictions, and no pictures.

What is shown is what was measured: made pictures come from a file with the digest that the run
recorded, with its seed, edition and versions; read ones from a set with the recorded contents.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, final

from brittle import conditions, store
from brittle._run import Run
from brittle._survey import Survey
from brittle.conditions import CLEAN
from brittle.editions import get
from brittle.errors import BrittleError, SourceError
from brittle.feeds import Feed, footage, generated, moving, published, recorded
from brittle.sequences import sequence
from brittle.sources import Item, Source, open_source
from brittle.types import Pixels

ELSEWHERE = (
    "These are not shown: they are not in the data that were given with --data, or cannot be made "
    "from them here. Give those that this run was measured on."
)
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
        return self._found(run, name, key, condition, 1)[0]

    def frames(self, run: Run, name: str, key: str, condition: str, count: int) -> list[Pixels]:
        """Return the first frames of a sequence; a `SourceError` says why not."""
        return self._found(run, name, key, condition, count)

    def _found(self, run: Run, name: str, key: str, condition: str, count: int) -> list[Pixels]:
        entry = run.info["sets"][name]
        find = self._read if entry["pixels"] == "read" else self._made
        reasons = []
        for place in range(len(self.places)):
            try:
                return list(islice(find(place, run, name, key, condition), count))
            except BrittleError as error:
                reasons.append(str(error))
        raise SourceError("; ".join(dict.fromkeys(reasons)) or "There are no data to look in.")

    def _made(self, place: int, run: Run, name: str, key: str, condition: str) -> Iterator[Pixels]:
        entry, info = run.info["sets"][name], run.info
        exif = bool(entry["facts"].get("exif", False))
        source = self._source(place, exif=exif)
        if (place, exif) not in self._items:
            self._items[place, exif] = {item.key: item for item in source.items}
        items = self._items[place, exif]
        if key not in items:
            raise SourceError(f"{self.places[place]} has no picture {key}")
        item = items[key]
        _check(condition, entry, info["versions"])
        digest = self._known(run, name)[key]
        # The sizes of other pictures do not matter here; the feed checks the digest.
        seen = Survey((item,), (digest,), {(1, 1): key}, (), "")
        edition, facts = get(entry["edition"]), entry["facts"]
        if entry.get("frames"):
            codec = bool(facts.get("codec"))
            feed = moving(source, seen, edition, (), seed=info["seed"], codec=codec)
        else:
            jpeg = not facts.get("lossless")
            feed = generated(source, seen, edition, (), seed=info["seed"], jpeg=jpeg)
        return feed.pictures(0, [condition])

    def _read(self, place: int, run: Run, name: str, key: str, condition: str) -> Iterator[Pixels]:
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
        return feed.pictures(row, [condition])

    def _feed(self, place: int, run: Run, name: str) -> Feed:
        """Return the set on disk at a place, of the images that the run measured."""
        where, entry = self.places[place], run.info["sets"][name]
        if (place, run.path, name) not in self._feeds:
            found = None if isinstance(where, Source) else _on_disk(Path(where), entry)
            if found is None:
                what = "sequences" if entry.get("frames") else "corrupted set"
                raise SourceError(f"{where} holds no {what}, and {name} was read from such")
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


def _on_disk(where: Path, entry: Mapping[str, Any]) -> Feed | None:
    if not entry.get("frames"):
        return published(where, edition=entry["edition"])
    edition, facts = get(entry["edition"]), entry["facts"]
    if facts.get("layout") == "footage":
        return footage(where, edition, stride=int(facts["stride"]))
    return recorded(where, edition)


def _check(condition: str, entry: Mapping[str, Any], versions: Any) -> None:
    """Refuse a condition that would come out otherwise today."""
    if condition == CLEAN:
        return
    with warnings.catch_warnings():
        # That frost would be of procedural ice; it is refused instead.
        warnings.simplefilter("ignore")
        make = sequence if entry.get("frames") else conditions.condition
        made = make(condition, edition=entry["edition"])
    if str(made) != condition:
        raise SourceError(
            f"{condition} would be {made} here: its ice photographs are missing (--assets DIR)"
        )
    for part, version in made.versions.items():
        if versions.get(part, version) != version:
            raise SourceError(f"{part} has version {version} here and {versions[part]} in the run")

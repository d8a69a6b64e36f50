"""What a suite measures: its cells, and the feed that gives the pictures of each.

A grid is read from published files where the data hold it and is otherwise made in memory; never
both under one name. Photographs are measured as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from brittle import conditions, editions, labels
from brittle.conditions import CLEAN, Condition
from brittle.corruptions import CORRUPTIONS
from brittle.editions import Edition
from brittle.errors import SourceError, SpecError
from brittle.feeds import Feed
from brittle.measuring.feeding import Data, Feeding
from brittle.outcomes import Role
from brittle.spec import Spec, parse_chain
from brittle.suites import Suite


class Part(NamedTuple):
    """A cell of a suite with the feed that gives its pictures."""

    feed: Feed
    condition: str
    role: Role
    group: str
    severity: int | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A suite bound to data."""

    suite: Suite
    name: str
    edition: str
    parts: tuple[Part, ...]
    baseline: str | None
    facts: Mapping[str, Any]


def ask(
    suite: Suite,
    data: Mapping[str, Data],
    clean: Data | None,
    feeding: Feeding,
    *,
    extra: bool = False,
    edition: str | None = None,
    names: tuple[str, ...] | None = None,
) -> Asked:
    """Bind a suite to data by name; `""` is the name of data that nobody named.

    `names` are the model's class names where it has them; labels that are indices are turned into
    names by them or by the suite's own list.
    """
    used = editions.get(edition or suite.edition)
    if suite.photographs is not None:
        if edition not in (None, suite.edition):
            raise SpecError(f"The suite {suite.name} takes photographs as they are; no --edition.")
        parts = _photographs(suite, data, clean, feeding)
    else:
        parts = _grid(suite, _one(suite, data), clean, feeding, used, extra=extra)
    known = names or (labels.known(suite.classes) if suite.classes else None)
    if suite.indices and known is not None:
        parts = _named(parts, known)
    own = used.name == suite.edition
    return Asked(
        suite=suite,
        name=suite.name if own else str(Spec(suite.name, {"edition": used.name})),
        edition=used.name,
        parts=tuple(parts),
        baseline=suite.baseline if own else None,
        facts={"pixels": _pixels(parts)},
    )


def _one(suite: Suite, data: Mapping[str, Data]) -> Data:
    for name in (suite.name, ""):
        if name in data:
            return data[name]
    raise SourceError(
        f"There are no data for the suite {suite.name}: give --data DIR, or --data "
        f"{suite.name}=DIR where several suites have different data."
    )


def _photographs(
    suite: Suite, data: Mapping[str, Data], clean: Data | None, feeding: Feeding
) -> list[Part]:
    plain = editions.get(suite.edition)
    untouched = [Condition(plain.name, ())]

    def feed(place: Data) -> Feed:
        made = feeding.make(place, plain, untouched)
        if suite.subset is None:
            return made
        counted = set(labels.known(suite.subset))
        keys = [item.key for item in made.items if item.label in counted]
        if not keys:
            raise SourceError(
                f"{place} holds no picture of the classes of {suite.subset}. Folders are named by "
                f"class, such as {labels.known(suite.subset)[0]}."
            )
        return made.only(keys, what=str(place))

    if suite.photographs == "one":
        # Strange folders among the photographs themselves are refused later, by name.
        parts = [
            Part(feeding.make(_one(suite, data), plain, untouched), CLEAN, "shift", suite.name)
        ]
        if clean is not None:
            parts.append(Part(feed(clean), CLEAN, "iid", "iid"))
        return parts
    if clean is not None or "" in data or len(data) < 2:
        raise SourceError(
            f"The suite {suite.name} compares named sets, the first of them in-distribution: give "
            f"--data iid=DIR --data night=DIR and so on, and no --clean."
        )
    (first, iid), *others = data.items()
    parts = [Part(feed(iid), CLEAN, "iid", first)]
    return parts + [Part(feed(place), CLEAN, "shift", name) for name, place in others]


def _grid(
    suite: Suite, data: Data, clean: Data | None, feeding: Feeding, edition: Edition, *, extra: bool
) -> list[Part]:
    read = feeding.read(data, edition)
    if read is None:
        made = suite.conditions(extra=extra, edition=edition.name)
        blank = [] if any(str(one) == CLEAN for one in made) else [Condition(edition.name, ())]
        feed = feeding.make(data, edition, [*blank, *made])
        parts = [_part(feed, name, suite) for name in feed.conditions]
        if clean is not None:
            raise SourceError(
                "--clean is for data that hold corrupted files only; here the clean pictures are "
                "the data themselves. Leave it out."
            )
        return parts
    parts = [_part(read, name, suite) for name in read.conditions]
    parts = [p for p in parts if p.role == "clean" or _wanted(p, suite, extra=extra)]
    if all(part.role == "clean" for part in parts):
        raise SourceError(f"{data} holds none of the conditions of the suite {suite.name}.")
    order = [*suite.corruptions, *suite.extra, *suite.free]
    parts.sort(key=lambda p: (p.role != "clean", _rank(order, p.group), p.severity or 0))
    if clean is not None and not any(part.role == "clean" for part in parts):
        keys = [item.key for item in read.items]
        feed = feeding.make(clean, edition, [Condition(edition.name, ())]).only(
            keys, what=str(clean)
        )
        parts.insert(0, Part(feed, CLEAN, "clean", CLEAN))
    return parts


def _part(feed: Feed, name: str, suite: Suite) -> Part:
    """Say what part a condition plays in a suite."""
    if name == CLEAN:
        return Part(feed, CLEAN, "clean", CLEAN)
    links = parse_chain(name)
    spec = links[0]
    severity = spec.params.get("severity")
    listed = (*suite.corruptions, *suite.extra)
    if len(links) == 1 and spec.name in listed and isinstance(severity, int):
        part = CORRUPTIONS.load(spec.name)
        rest = {key: value for key, value in spec.params.items() if key != "severity"}
        # What has a default is no number of the table, such as the texture of frost.
        if rest.keys() <= getattr(part.row, "_field_defaults", {}).keys():
            role: Role = "extra" if part.extra else "grid"
            return Part(feed, name, role, str(Spec(spec.name, rest)), severity)
    return Part(feed, name, "free", name)


def _wanted(part: Part, suite: Suite, *, extra: bool) -> bool:
    if part.role == "free":
        asked = [
            str(conditions.condition(one, edition=part.feed.edition.name)) for one in suite.free
        ]
        return part.condition in asked
    name = part.group.partition("(")[0]
    named = suite.corruptions + (suite.extra if extra else ())
    return name in named and part.severity in suite.severities


def _rank(order: Sequence[str], group: str) -> int:
    name = group.partition("(")[0]
    return order.index(name) if name in order else len(order)


def _named(parts: list[Part], known: tuple[str, ...]) -> list[Part]:
    """Turn labels that are indices into names, feed by feed; names are left as they are."""
    names = frozenset(known)
    done: dict[int, Feed] = {}

    def name(label: str | None) -> str | None:
        if label is None or not label.isdecimal() or int(label) >= len(known):
            return label
        return known[int(label)]

    for part in parts:
        feed = part.feed
        if id(feed) not in done:
            named = any(item.label in names for item in feed.items)
            done[id(feed)] = feed if named else feed.relabelled(name)
    return [part._replace(feed=done[id(part.feed)]) for part in parts]


def _pixels(parts: Sequence[Part]) -> str:
    kinds = {part.feed.pixels for part in parts if part.condition != CLEAN}
    return " and ".join(sorted(kinds)) if kinds else "untouched"

"""What a suite measures: its cells, and the feed that gives the pictures of each.

A grid is read from published files where the data hold it and is otherwise made in memory; never
both under one name. Photographs are measured as they are.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from brittle import conditions, editions, labels
from brittle.conditions import CLEAN, Condition
from brittle.corruptions import CORRUPTIONS
from brittle.editions import Edition
from brittle.errors import SourceError, SpecError
from brittle.feeds import Feed, has_films
from brittle.measuring._mentions import mention_missing, mention_size
from brittle.measuring.feeding import Data, Feeding
from brittle.outcomes import FOOTAGE, Role
from brittle.scoring.detecting import MEAN
from brittle.sequences import FrameSequence
from brittle.sources import Item, Source
from brittle.spec import Spec, parse_chain
from brittle.suites import Suite

IID = "iid"
"""What a set that nobody named is called."""
FIT = "fit"
"""What the set is called that detectors are fitted on."""


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
    others: Sequence[str] = (),
) -> Asked:
    """Bind a suite to data by name; `""` is the name of data that nobody named.

    Labels that are indices are turned into names by the suite's own list of classes, or else by
    `names`, the model's. `others` are the suites asked for besides, whose names data may bear.
    """
    used = editions.get(edition or suite.edition)
    # Published labels are indices of the suite's own list, in whatever order a model has it.
    listed = labels.known(suite.classes) if suite.classes else names
    known = listed if suite.indices else None
    if suite.footage:
        if clean is not None:
            raise SourceError("Films have no clean counterpart; leave --clean out.")
        parts = _films(_one(suite, data), feeding, used)
    elif suite.perturbations:
        if clean is not None:
            raise SourceError(
                "Sequences are compared frame with frame and need no clean counterpart; leave "
                "--clean out."
            )
        parts = _moving(suite, _one(suite, data), feeding, used, known, extra=extra)
    elif suite.outliers is None and suite.photographs is None:
        parts = _grid(suite, _one(suite, data), clean, feeding, used, known, extra=extra)
    elif edition not in (None, suite.edition):
        raise SpecError(
            f"The suite {suite.name} takes photographs as they are; leave --edition out."
        )
    else:
        mine = {name: place for name, place in data.items() if name not in others}
        some = _outliers if suite.outliers is not None else _photographs
        parts = some(suite, mine, clean, feeding, known)
    own = used.name == suite.edition
    return Asked(
        suite=suite,
        name=suite.name if own else str(Spec(suite.name, {"edition": used.name})),
        edition=used.name,
        parts=tuple(parts),
        baseline=suite.baseline if own else None,
        facts={
            "pixels": _pixels(parts),
            **({} if suite.task == "single" else {"task": suite.task}),
        },
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
    suite: Suite,
    data: Mapping[str, Data],
    clean: Data | None,
    feeding: Feeding,
    known: Sequence[str] | None,
) -> list[Part]:
    plain = editions.get(suite.edition)
    untouched = [Condition(plain.name, ())]

    def feed(place: Data, classes: frozenset[str | None] | None = None) -> Feed:
        some = None if classes is None else _among(classes, place, suite, feeding)
        return feeding.make(place, plain, untouched, some)

    if suite.photographs == "one":
        shift = _named(feed(_one(suite, data)), known)
        parts = [Part(shift, CLEAN, "shift", suite.name)]
        if clean is not None:
            # A gap compares the same classes. Strange ones are refused later, by name.
            classes = frozenset(item.label for item in shift.items)
            parts.append(Part(feed(clean, classes), CLEAN, "iid", "iid"))
        return parts
    # Average precision says something of one set, too; errors of one set have the suite clean.
    alone = suite.task == "multi" and len(data) == 1
    if clean is not None or (("" in data or len(data) < 2) and not alone):
        raise SourceError(
            f"The suite {suite.name} compares named sets, the first of them in-distribution: give "
            f"--data iid=DIR --data night=DIR and so on, and no --clean."
        )
    (first, iid), *others = ((name or IID, place) for name, place in data.items())
    parts = [Part(feed(iid), CLEAN, "iid", first)]
    parts += [Part(feed(place), CLEAN, "shift", name) for name, place in others]
    return [part._replace(feed=_named(part.feed, known)) for part in parts]


def _among(
    classes: frozenset[str | None], place: Data, suite: Suite, feeding: Feeding
) -> Callable[[Sequence[Item]], Sequence[Item]]:
    """Return what keeps the pictures of some classes; where there is none it is an error."""

    def wanted(items: Sequence[Item]) -> Sequence[Item]:
        found = [item for item in items if item.label in classes]
        if not found:
            raise SourceError(
                f"{place} holds no picture of the {len(classes)} classes of {suite.name}, such as "
                f"{min(filter(None, classes), default='none')}. Folders are named by class."
            )
        return feeding.sample(found)

    return wanted


def _outliers(
    suite: Suite,
    data: Mapping[str, Data],
    clean: Data | None,
    feeding: Feeding,
    known: Sequence[str] | None,
) -> list[Part]:
    plain = editions.get(suite.edition)
    untouched = [Condition(plain.name, ())]

    def part(place: Data, role: Role, group: str) -> Part:
        feed = feeding.make(place, plain, untouched)
        return Part(_named(feed, known), CLEAN, role, group)

    if suite.outliers == "one":
        if clean is None:
            raise SourceError(
                f"The suite {suite.name} sets what a model does not know against what it knows: "
                f"give the latter with --clean, such as ImageNet's validation pictures."
            )
        some = None
        if suite.subset is not None:
            some = _among(frozenset(labels.known(suite.subset)), clean, suite, feeding)
        usual = _named(feeding.make(clean, plain, untouched, some), known)
        return [Part(usual, CLEAN, "iid", "iid"), part(_one(suite, data), "out", suite.name)]
    named = {name: place for name, place in data.items() if name != FIT}
    if clean is not None or "" in data or len(named) < 2:
        raise SourceError(
            f"The suite {suite.name} sets known pictures, the first set, against unknown ones: "
            f"give --data known=DIR --data textures=DIR and so on, and no --clean. A set named "
            f"{FIT} holds known pictures that detectors are fitted on."
        )
    if MEAN in named:
        raise SourceError(
            f"A set must not be called {MEAN}, as the mean over the sets is; give it another name."
        )
    (first, usual_place), *others = named.items()
    parts = [part(usual_place, "iid", first)]
    if FIT in data:
        parts.append(part(data[FIT], "fit", FIT))
    return parts + [part(place, "out", name) for name, place in others]


def _grid(
    suite: Suite,
    data: Data,
    clean: Data | None,
    feeding: Feeding,
    edition: Edition,
    known: Sequence[str] | None,
    *,
    extra: bool,
) -> list[Part]:
    read = feeding.read(data, edition)
    if read is None:
        made = suite.conditions(extra=extra, edition=edition.name)
        blank = [] if any(str(one) == CLEAN for one in made) else [Condition(edition.name, ())]
        feed = _named(feeding.make(data, edition, [*blank, *made]), known)
        parts = [_part(feed, name, suite) for name in feed.conditions]
        mention_size(feed, suite)
        if clean is not None:
            raise SourceError(
                "--clean is for data that hold corrupted files only; here the clean pictures are "
                "the data themselves. Leave it out."
            )
        return parts
    read = _named(read, known)
    parts = [_part(read, name, suite) for name in read.conditions]
    parts = [p for p in parts if p.role == "clean" or _wanted(p, suite, extra=extra)]
    if all(part.role == "clean" for part in parts):
        raise SourceError(f"{data} holds none of the conditions of the suite {suite.name}.")
    mention_missing([(p.group, p.severity) for p in parts], suite, str(data), extra=extra)
    order = [*suite.corruptions, *suite.extra, *suite.free]
    parts.sort(key=lambda p: (p.role != "clean", _rank(order, p.group), p.severity or 0))
    has_clean = any(part.role == "clean" for part in parts)
    if clean is not None and has_clean:
        raise SourceError(f"{data} holds the clean pictures as well; leave --clean out.")
    if clean is not None:
        feed = _counterpart(read, clean, feeding, edition, known)
        parts.insert(0, Part(feed, CLEAN, "clean", CLEAN))
    return parts


def _moving(
    suite: Suite,
    data: Data,
    feeding: Feeding,
    edition: Edition,
    known: Sequence[str] | None,
    *,
    extra: bool,
) -> list[Part]:
    made = suite.sequences(extra=extra, edition=edition.name)
    read = feeding.recorded(data, edition)
    if read is None:
        try:
            feed = _named(feeding.move(data, edition, made), known)
        except SourceError as error:
            if isinstance(data, Source) or not has_films(Path(data)):
                raise
            raise SourceError(
                f"{error} Films lie there: those of a set are in folders named as perturbations, "
                f"and your own are measured with the suite {FOOTAGE}."
            ) from error
        return [_strip(feed, one) for one in made]
    there = [one for one in made if str(one) in read.conditions]
    if not there:
        raise SourceError(f"{data} holds none of the sequences of the suite {suite.name}.")
    if lost := [str(one) for one in made if str(one) not in read.conditions]:
        warnings.warn(
            f"{data} lacks {len(lost)} of the sequences of {suite.name}: {', '.join(lost)}. What "
            f"is there is measured; scores that need all of them cannot be given.",
            stacklevel=2,
        )
    feed = _named(read, known)
    return [_strip(feed, one) for one in there]


def _films(data: Data, feeding: Feeding, edition: Edition) -> list[Part]:
    feed = feeding.film(data, edition)
    return [Part(feed, name, "sequence", FOOTAGE) for name in feed.conditions]


def _strip(feed: Feed, one: FrameSequence) -> Part:
    """Say what part a sequence plays in a suite: the strength of a noise is its difficulty."""
    rest = {key: value for key, value in one.spec.params.items() if key != "strength"}
    several = len(one.part.tables[one.edition.table]) > 1
    strength = one.strength if several else None
    return Part(feed, str(one), "sequence", str(Spec(one.spec.name, rest)), strength)


def _counterpart(
    read: Feed, clean: Data, feeding: Feeding, edition: Edition, known: Sequence[str] | None
) -> Feed:
    """Return the clean pictures of the images of a read set, paired by key and of equal labels."""
    keys = [item.key for item in read.items]
    some = frozenset(keys)
    made = feeding.make(
        clean,
        edition,
        [Condition(edition.name, ())],
        lambda items: [item for item in items if item.key in some],
    )
    feed = _named(made.only(keys, what=str(clean)), known)
    for one, other in zip(read.items, feed.items, strict=True):
        if one.label != other.label and None not in (one.label, other.label):
            raise SourceError(
                f"{clean} calls {one.key} '{other.label}', and the corrupted set '{one.label}': "
                f"they are not the same images. Give the pictures that the set was made from."
            )
    return feed


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


def _named(feed: Feed, known: Sequence[str] | None) -> Feed:
    """Turn labels that are indices of `known` into names; names are left as they are."""
    if known is None or not frozenset(known).isdisjoint({item.label for item in feed.items}):
        return feed

    def name(label: str | None) -> str | None:
        if label is None or not label.isdecimal() or int(label) >= len(known):
            return label
        return known[int(label)]

    return feed.relabelled(name)


def _pixels(parts: Sequence[Part]) -> str:
    kinds = {part.feed.pixels for part in parts if part.condition != CLEAN}
    return " and ".join(sorted(kinds)) if kinds else "untouched"

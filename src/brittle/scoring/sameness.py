"""What must agree between two runs of a suite before their errors may be put together.

Errors belong together when they are of the same pictures. Whoever puts two runs side by side asks
here, and refuses or says what differs: a comparison and a baseline refuse, a table of several runs
says it. What a run does not say of itself is unknown, and unknown is no difference.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from brittle.outcomes import Cell, Outcome, Suite

SHOWN = 3
"""Things of one kind that a sentence names; it counts the others."""
STILL = ("read", "untouched")
"""Pixels that owe nothing to the seed of the run."""


class Side(NamedTuple):
    """A suite as one run measured it."""

    who: str
    """What sentences call the run: `OLD`."""
    suite: Suite
    outcomes: Mapping[str, Outcome]
    info: Mapping[str, Any]
    """The record of the run, for its `seed` and `generation`."""


class Found(NamedTuple):
    """What two runs do not agree in, in sentences without a full stop."""

    differ: tuple[str, ...]
    """Why they are not of the same pictures."""
    notes: tuple[str, ...]
    """What else a reader of both must know."""
    sets: Mapping[str, str]
    """Set of the other run -> the same set of the one."""


def compared(one: Side, other: Side, *, whole: bool = False) -> Found:
    """Compare what two runs measured; with `whole` each must hold every condition of the other."""
    differ = [*_facts(one, other)]
    sets: dict[str, str] = {}
    if not differ and whole:
        differ += _conditions(one, other)
    if not differ:
        sets, differ = _sets(one, other)
    if not differ:
        for theirs, ours in sets.items():
            if ours in one.outcomes and theirs in other.outcomes:
                differ += _images(one, other, ours, theirs)
    return Found(tuple(differ), tuple(_notes(one, other)), sets)


def _facts(one: Side, other: Side) -> Iterator[str]:
    """Yield what differs in how the suite was measured."""
    was, now = one.suite.facts, other.suite.facts
    yield from _unequal(one, other, "suite", one.suite.name, other.suite.name)
    yield from _unequal(one, other, "edition", one.suite.edition, other.suite.edition)
    for name in ("pixels", "subset"):
        if name in was and name in now:
            yield from _unequal(one, other, name, was[name], now[name])
    for name, said in (
        ("lossless", "the JPEG round trip was left out"),
        ("exif", "the pictures were turned upright by EXIF"),
    ):
        yield from _only(one, other, name, said)
    if was.get("pixels") not in STILL:
        for name in ("seed", "generation"):
            if name in one.info and name in other.info:
                yield from _unequal(one, other, name, one.info[name], other.info[name])
    ours, theirs = was.get("versions", {}), now.get("versions", {})
    for part in sorted(ours.keys() & theirs.keys()):
        yield from _unequal(one, other, f"version of {part}", ours[part], theirs[part])


def _notes(one: Side, other: Side) -> Iterator[str]:
    """Yield what may differ between runs on the same pictures."""
    was, now = one.suite.facts, other.suite.facts
    yield from _only(one, other, "resized", "the pictures were resized to the model's input")
    if "class_list" in was and "class_list" in now and classes(was) != classes(now):
        yield f"the model has {classes(was)} in {one.who} and {classes(now)} in {other.who}"
    if _known(was, now, "definition") and was["definition"] != now["definition"]:
        yield f"{one.suite.name} is defined otherwise in {other.who} than in {one.who}"


def classes(facts: Mapping[str, Any]) -> str:
    """Say among which classes a model chose.

    >>> classes({"classes": 10, "class_list": None})
    '10 classes of its own'
    >>> classes({"classes": 1000, "class_list": "imagenet"})
    'the 1000 classes of imagenet'
    """
    count = f"{facts['classes']} classes" if "classes" in facts else "classes"
    listed = facts.get("class_list")
    return f"{count} of its own" if listed is None else f"the {count} of {listed}"


def _conditions(one: Side, other: Side) -> Iterator[str]:
    """Yield the conditions that only one of the runs has."""
    was, now = (Counter(map(_part, side.suite.cells)) for side in (one, other))
    for side, lost in ((one, was - now), (other, now - was)):
        if lost:
            yield f"only {side.who} has {_some(sorted(map(_said, lost)))}"


def _sets(one: Side, other: Side) -> tuple[dict[str, str], list[str]]:
    """Match the sets of two runs by what was measured of them."""
    places: dict[tuple[str, str, int, str], list[str]] = {}
    for cell in one.suite.cells:
        places.setdefault(_part(cell), []).append(cell.set)
    found: dict[str, str] = {}
    for cell in other.suite.cells:
        there = places.get(_part(cell), [])
        # The same thing may have been measured of several sets; then their names tell them apart.
        some = [cell.set] if cell.set in there else there
        for name in some:
            if found.setdefault(cell.set, name) != name:
                return {}, [f"the set {cell.set} of {other.who} is not one set of {one.who}"]
    if len(set(found.values())) < len(found):
        return {}, [f"several sets of {other.who} are one set of {one.who}"]
    return found, []


def _images(one: Side, other: Side, own: str, name: str) -> Iterator[str]:
    """Yield why two sets are not of the same pictures: the first reason that is found."""
    old, new = one.outcomes[own], other.outcomes[name]
    was = {key: row for row, key in enumerate(old.keys)}
    now = {key: row for row, key in enumerate(new.keys)}
    if was.keys() != now.keys():
        parts = []
        for side, mine, others in ((one, was, now), (other, now, was)):
            if lost := sorted(mine.keys() - others.keys()):
                parts.append(f"{side.who} has {len(lost):,} that are not in the other, such as "
                             f"{lost[0]}")  # fmt: skip
        yield f"the images of {own} differ: {'; '.join(parts)}"
        return
    for key, row in was.items():
        if old.digests[row] and new.digests[now[key]] and old.digests[row] != new.digests[now[key]]:
            yield f"the image {key} of {own} has other contents in {other.who}"
            return
        label, said = old.labels[row], new.labels[now[key]]
        if label != said:
            yield f"the image {key} of {own} is {label} in {one.who} and {said} in {other.who}"
            return
    yield from _prints(one, other, own, name)


def _prints(one: Side, other: Side, own: str, name: str) -> Iterator[str]:
    """Yield where the pictures differ, or the files under a condition that both have read."""
    was, now = one.suite.facts, other.suite.facts
    ours, theirs = was.get("sets", {}).get(own), now.get("sets", {}).get(name)
    if ours is None or theirs is None:
        if own != name:
            yield (
                f"the set {own} of {one.who} is {name} in {other.who}, and nothing says that their "
                f"pictures are the same"
            )
    elif ours != theirs:
        yield (
            f"the pictures of {own} differ: fingerprint {ours[:10]} in {one.who} and "
            f"{theirs[:10]} in {other.who}"
        )
    files, others = was.get("contents", {}).get(own, {}), now.get("contents", {}).get(name, {})
    both = [condition for condition in files if condition in others]
    if strange := [condition for condition in both if files[condition] != others[condition]]:
        yield f"the files of {_some(strange)} in {own} are others in {other.who}"


def _unequal(one: Side, other: Side, noun: str, was: object, now: object) -> Iterator[str]:
    if was != now:
        yield f"{noun} {_or_none(was)} in {one.who} and {_or_none(now)} in {other.who}"


def _only(one: Side, other: Side, name: str, said: str) -> Iterator[str]:
    was, now = one.suite.facts, other.suite.facts
    if _known(was, now, name) and bool(was[name]) != bool(now[name]):
        which, not_ = (one, other) if was[name] else (other, one)
        yield f"{said} in {which.who} and not in {not_.who}"


def _known(was: Mapping[str, Any], now: Mapping[str, Any], name: str) -> bool:
    return name in was and name in now


def _or_none(value: object) -> object:
    return "none" if value is None else value


def _part(cell: Cell) -> tuple[str, str, int, str]:
    return cell.role, cell.group, cell.severity or 0, cell.condition


def _said(part: tuple[str, str, int, str]) -> str:
    role, group, _, condition = part
    return f"{condition} ({role} {group})" if condition == "clean" else condition


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more

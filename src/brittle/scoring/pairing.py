"""Two runs put side by side, image by image; what is not the same in both is refused."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from brittle.errors import ScoreError
from brittle.outcomes import Cell, Outcome, Suite
from brittle.scoring.rates import Measured, Sampler


class Pair(NamedTuple):
    """One suite in two runs, with the names of sets as in the old one."""

    suite: Suite
    old: Mapping[str, Outcome]
    new: Mapping[str, Outcome]
    notes: tuple[str, ...]


class Flip(NamedTuple):
    """An image that is right in one run and wrong in the other, in some condition of a set."""

    key: str
    label: str | None
    set: str
    broke: int
    """Conditions in which it was right and is wrong."""
    mended: int
    """Conditions in which it was wrong and is right."""
    of: int
    """Conditions in which both runs measured it."""


def pair(old: Measured, new: Measured, name: str | None) -> Pair:
    """Return both runs' outcomes of a suite; runs that measured different things are refused."""
    first, second = old.suite(name), new.suite(name)
    seeds = old.info.get("seed"), new.info.get("seed")
    pixels = first.facts.get("pixels"), second.facts.get("pixels")
    for noun, (was, now) in {
        "suite": (first.name, second.name),
        "edition": (first.edition, second.edition),
        "pixels": pixels,
        # Pixels that were read from files were not drawn by the run.
        "seed": seeds if "generated" in str(pixels[0]) else (None, None),
    }.items():
        if was != now:
            raise _differ(f"{noun} {was} in OLD and {now} in NEW")
    sets = _sets(first, second)
    before, after = old.outcomes(first.name), new.outcomes(second.name)
    renamed = {sets[name]: outcome for name, outcome in after.items() if name in sets}
    notes: list[str] = []
    for other, own in sets.items():
        if own in before and own in renamed:
            notes += _check(own, other, before[own], renamed[own])
    return Pair(first, before, renamed, tuple(notes))


def flips(before: Sampler, after: Sampler) -> tuple[Flip, ...]:
    """Return the images that changed sides, those that got worst first."""
    found: list[Flip] = []
    sets = dict.fromkeys(cell.set for cell in before.suite.cells)
    for name in sets:
        cells = [
            cell
            for cell in dict.fromkeys(c._replace(role="free") for c in before.suite.cells)
            if cell.set == name and name in before.outcomes and name in after.outcomes
            and cell.condition in before.outcomes[name].conditions
            and cell.condition in after.outcomes[name].conditions
        ]  # fmt: skip
        if not cells:
            continue
        if before.images(cells[0]).digest != after.images(cells[0]).digest:
            raise _differ(f"the models know the classes of different images of {name}")
        was = np.stack([before.ranks(cell) for cell in cells], axis=1)
        now = np.stack([after.ranks(cell) for cell in cells], axis=1)
        both = (was >= 0) & (now >= 0)
        broke = (both & (was == 0) & (now > 0)).sum(axis=1)
        mended = (both & (was > 0) & (now == 0)).sum(axis=1)
        outcome, rows = before.outcomes[name], before.images(cells[0]).rows
        for place in np.flatnonzero(broke + mended):
            row = rows[place]
            found.append(
                Flip(
                    outcome.keys[row],
                    outcome.labels[row],
                    name,
                    int(broke[place]),
                    int(mended[place]),
                    int(both[place].sum()),
                )
            )
    return tuple(sorted(found, key=lambda f: (f.mended - f.broke, -f.broke, f.set, f.key)))


def _differ(what: str) -> ScoreError:
    return ScoreError(
        f"The runs cannot be compared: {what}. A comparison needs the same pictures in both; "
        f"evaluate one of the models again as the other was."
    )


def _sets(first: Suite, second: Suite) -> dict[str, str]:
    """Match the sets of the second suite to those of the first by what is measured of them."""
    was = Counter(_part(cell) for cell in first.cells)
    now = Counter(_part(cell) for cell in second.cells)
    if was != now:
        lost, added = sorted(map(_said, was - now)), sorted(map(_said, now - was))
        parts = [f"only {run} has {_some(some)}" for run, some in (("OLD", lost), ("NEW", added))
                 if some]  # fmt: skip
        raise _differ("; ".join(parts))
    own = {cell.set for cell in first.cells}
    sets = {cell.set: cell.set for cell in second.cells if cell.set in own}
    by_part = {_part(cell): cell.set for cell in first.cells}
    for cell in second.cells:
        if sets.setdefault(cell.set, by_part[_part(cell)]) not in own:
            raise _differ(f"the set {cell.set} of NEW is not one set of OLD")
    if len(set(sets.values())) < len(sets):
        raise _differ("several sets of NEW are one set of OLD")
    return sets


def _check(own: str, other: str, old: Outcome, new: Outcome) -> list[str]:
    """Refuse other images, labels or contents; say what could not be checked."""
    was = {key: row for row, key in enumerate(old.keys)}
    now = {key: row for row, key in enumerate(new.keys)}
    if was.keys() != now.keys():
        lost, added = sorted(was.keys() - now.keys()), sorted(now.keys() - was.keys())
        said = [f"OLD has {len(lost)} images that NEW has not, such as {lost[0]}"] if lost else []
        said += [f"NEW has {len(added)} that OLD has not, such as {added[0]}"] if added else []
        raise _differ(f"the images of {own} differ: {'; '.join(said)}")
    unseen = 0
    for key, row in was.items():
        ours, theirs = old.digests[row], new.digests[now[key]]
        if ours and theirs and ours != theirs:
            raise _differ(f"the image {key} of {own} has other contents in NEW")
        if old.labels[row] != new.labels[now[key]]:
            raise _differ(
                f"the image {key} of {own} is {old.labels[row]} in OLD and "
                f"{new.labels[now[key]]} in NEW"
            )
        unseen += not (ours and theirs)
    notes = []
    if unseen and own != other:
        notes.append(f"nobody hashed {unseen} images of {own}: taken to be the same by their keys")
    if own != other:
        notes.append(f"the set {own} of OLD is prepared otherwise in NEW: {other}")
    return notes


def _part(cell: Cell) -> tuple[str, str, int, str]:
    return cell.role, cell.group, cell.severity or 0, cell.condition


def _said(part: tuple[str, str, int, str]) -> str:
    role, group, _, condition = part
    return f"{condition} ({role} {group})" if condition == "clean" else condition


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")

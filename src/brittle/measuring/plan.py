"""What a run still needs: sets, the shards of each, and the conditions that nobody measured."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from brittle import labels
from brittle.errors import LabelError, RunError, SourceError
from brittle.feeds import Feed
from brittle.labels import Space
from brittle.labels.many import split
from brittle.measuring import checks
from brittle.measuring.asked import Asked
from brittle.measuring.predict import Todo, fitting, predictions_of, shards
from brittle.models import Model
from brittle.outcomes import UNNAMED, Cell, Role
from brittle.store import Store

PROBED = 8
"""Pictures that a model is examined with before the work begins."""


class Set(NamedTuple):
    """A set of a run: a feed and how the outputs for it are read."""

    name: str
    feed: Feed
    subset: str | None
    resized: bool


def sets_of(
    asked: Sequence[Asked], model: Model, *, resize: bool
) -> tuple[dict[str, Set], dict[str, list[Cell]]]:
    """Return the sets that all suites need together, and the cells of each suite."""
    sets: dict[str, Set] = {}
    cells: dict[str, list[Cell]] = {}
    for one in asked:
        cells[one.name] = []
        for part in one.parts:
            feed, subset = part.feed, one.suite.subset
            fitting(model, feed, resize=resize)
            side = feed.edition.side
            resized = resize and side is not None and model.size not in (None, (side, side))
            name = "-".join(
                [feed.identity, *([subset] if subset else []), *(["resized"] if resized else [])]
            )
            sets.setdefault(name, Set(name, feed, subset, resized))
            cell = Cell(name, part.condition, part.role, part.group, part.severity)
            if cell not in cells[one.name]:
                cells[one.name].append(cell)
    return sets, cells


def todo_of(
    there: Store,
    sets: Mapping[str, Set],
    cells: Mapping[str, Sequence[Cell]],
    *,
    shard: int,
    share: tuple[int, int] | None,
) -> tuple[list[Todo], int]:
    """Return what is missing, shard by shard, and how many predictions are there already.

    Of a share only its own shards count.
    """
    todo, before = [], 0
    for name, one in sets.items():
        mine = (cell.condition for listed in cells.values() for cell in listed if cell.set == name)
        wanted = list(dict.fromkeys(mine))
        entry = there.record["sets"].get(name, {"groups": {}})
        measured = there.measured(name, entry["groups"])
        for number, indices in shards(len(one.feed.items), shard):
            if share is not None and number % share[1] != share[0] - 1:
                continue
            done = measured.get(number, set())
            missing = tuple(condition for condition in wanted if condition not in done)
            held = [condition for condition in wanted if condition in done]
            before += predictions_of(one.feed, indices, held)
            if missing:
                todo.append(Todo(name, one.feed, number, indices, missing))
    return todo, before


def classes_of(
    model: Model,
    asked: Sequence[Asked],
    todo: Sequence[Todo],
    known: Sequence[str] | None,
    *,
    precision: str,
    resize: bool,
) -> list[str]:
    """Examine the model on its first pictures, and name its outputs.

    `known` are the names that the run was begun with; a model with others is refused.
    """
    names = model.classes
    labelled = any(part.feed.frames is None for one in asked for part in one.parts)
    if names is not None and known is not None and list(names) != list(known):
        wrong = next(((a, b) for a, b in zip(names, known, strict=False) if a != b), None)
        said = f"'{wrong[0]}' stands where '{wrong[1]}' stood" if wrong else "their number differs"
        raise RunError(
            f"The run was begun with other class names: {said}. Give another folder with -o."
        )
    if not todo:
        if known is None:
            raise RunError("This share holds no image; give fewer shares, or larger ones.")
        return list(known)
    first = todo[0]
    ready = fitting(model, first.feed, resize=resize)
    some = [first.feed.pictures(index, first.conditions[:1]) for index in first.indices[:PROBED]]
    pictures = [ready(next(picture)) for picture in some]
    same = [pixels for pixels in pictures if pixels.shape == pictures[0].shape]
    count = checks.examine(model, np.stack(same), precision=precision)
    offered = {one.suite.classes for one in asked if one.suite.classes}
    lists = [names, known, *(labels.known(name) for name in sorted(offered))]
    for listed in lists:
        if listed is not None and len(listed) == count:
            return list(listed)
    if known is not None:
        raise RunError(f"{model.name} gives {count} outputs, and the run has {len(known)} classes.")
    if not labelled:
        # Stability asks whether predictions are the same, not what they are called.
        return [str(number) for number in range(count)]
    raise LabelError(
        f"{model.name} gives {count} outputs and does not name them. Give their names in the order "
        f"of the outputs with --classes: a file with a name a line, or one of "
        f"{', '.join(labels.names())}."
    )


def spaces_of(
    classes: Sequence[str],
    sets: Mapping[str, Set],
    cells: Mapping[str, Sequence[Cell]],
    several: Iterable[str] = (),
) -> dict[str, Space]:
    """Return how the outputs for each set are read; labels that no class answers to are refused.

    Pictures of what the model does not know have no class of it. `several` are the suites in which
    a picture may have several classes.
    """
    roles: dict[str, set[Role]] = {}
    many: set[str] = set()
    for suite, listed in cells.items():
        for cell in listed:
            roles.setdefault(cell.set, set()).add(cell.role)
            if suite in several:
                many.add(cell.set)
    spaces: dict[str, Space] = {}
    for name, one in sets.items():
        spaces[name] = Space(tuple(classes), one.subset)
        if roles.get(name, set()) <= set(UNNAMED):
            continue
        found = [item.label for item in one.feed.items]
        if name in many:
            found = [part for text in found if text is not None for part in split(text) or ("",)]
            spaces[name].check(part or None for part in found)
            continue
        bare = found.count(None)
        if bare == len(found) and roles[name] <= {"iid", "fit", *UNNAMED}:
            continue
        if bare == len(found):
            raise SourceError(
                f"None of the {bare} pictures has a label, so nothing can be scored. Put them into "
                f"a folder a class, named as the class."
            )
        if bare:
            warnings.warn(
                f"{bare} of {len(found)} pictures have no label; they are measured and not scored.",
                stacklevel=4,
            )
        spaces[name].check(found)
    return spaces

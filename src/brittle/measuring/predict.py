"""The loop: shards of images through conditions and the model, one part file each.

Workers decode an image once, make its picture under every condition and bring it to the model's
size; the caller's thread batches them and runs the model. A batch never spans two shards, so that
a shard's predictions do not depend on which ones were done before.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle._threads import one_inner_thread
from brittle.errors import ModelError, OutOfMemoryError, SourceError
from brittle.executors import EXECUTORS
from brittle.feeds import Feed
from brittle.labels import Space
from brittle.measuring import checks
from brittle.measuring.tally import RANKING, Columns, ranking, tally
from brittle.models import Model
from brittle.progress import Progress
from brittle.store import Store
from brittle.types import Pixels

IN_FLIGHT = 1 << 29
"""Bytes of pictures that may wait for the model."""


class Todo(NamedTuple):
    """A shard of a set, and what is to be measured of it."""

    set: str
    feed: Feed
    number: int
    indices: range
    conditions: tuple[str, ...]

    @property
    def predictions(self) -> int:
        """How many predictions it makes."""
        return predictions_of(self.feed, self.indices, self.conditions)


def predictions_of(feed: Feed, indices: range, conditions: Sequence[str]) -> int:
    """Return how many pictures these conditions give of these images."""
    if feed.frames is None:
        return len(indices) * len(conditions)
    return sum(feed.count(index, condition) for index in indices for condition in conditions)


Task: TypeAlias = tuple[Todo, int, tuple[str, ...]]
"""An image of a shard, and the conditions under which one worker makes its pictures."""


def fitting(model: Model, feed: Feed, *, resize: bool) -> Callable[[Pixels], Pixels]:
    """Return what brings a picture to the model's size.

    A picture of an edition is never resized again unless asked for by name.
    """
    side = feed.edition.side
    if side is None:
        return model.prepare
    if model.size is None or model.size == (side, side):
        return _as_it_is
    if not resize:
        height, width = model.size
        raise ModelError(
            f"{model.name} takes {width}x{height}, and {feed.edition.name} is {side}x{side}. "
            f"Resizing a prepared picture changes the benchmark: use a suite of that size or "
            f"--edition any, or say --resize if you mean it; the set's name will say so."
        )
    return model.prepare


def measure(
    todo: Sequence[Todo],
    model: Model,
    spaces: Mapping[str, Space],
    store: Store,
    *,
    workers: int,
    batch: int,
    resize: bool = False,
    keep: Sequence[str] = (),
    progress: Progress,
) -> int:
    """Measure all shards, each of which is on disk when its turn is over; returns the batch size.

    That is the given one, or less where the device had no room for it.
    """
    fit = {one.set: fitting(model, one.feed, resize=resize) for one in todo}
    workers, at_once = bounded(workers, todo, model)

    def pictures(task: Task) -> Iterable[Pixels]:
        one, index, conditions = task
        made = map(fit[one.set], one.feed.pictures(index, conditions))
        # A film too long to be held is decoded while the model works through it.
        return made if _count(task) > at_once else list(made)

    tasks = [
        (one, index, some)
        for one in todo
        for index in one.indices
        for some in portions(one, index, at_once)
    ]
    mapped = EXECUTORS.load("threads").map
    with one_inner_thread(), contextlib.closing(mapped(pictures, tasks, workers=workers)) as made:
        for one in todo:
            rows = _Rows(one, model, spaces[one.set], batch, keep)
            for index in one.indices:
                places = (
                    (index, place, frame)
                    for place, condition in enumerate(one.conditions)
                    for frame in range(one.feed.count(index, condition))
                )
                for some in portions(one, index, at_once):
                    wanted, given = _count((one, index, some)), 0
                    for given, picture in enumerate(next(made), 1):
                        if given <= wanted:
                            progress.advance(rows.add(*next(places), picture))
                    if given != wanted:
                        raise SourceError(
                            f"{one.feed.items[index].name} gave {given} frames for "
                            f"{', '.join(some)}, and {wanted} were announced; it has changed "
                            f"since the run began, or is damaged."
                        )
            progress.advance(rows.flush())
            batch = rows.batch
            store.put(one.set, one.number, one.conditions, rows.table())
    return batch


def portions(one: Todo, index: int, at_once: int) -> Iterator[tuple[str, ...]]:
    """Yield the conditions of an image that are made together: at most so many pictures, if any."""
    if one.feed.frames is None:
        for start in range(0, len(one.conditions), at_once):
            yield one.conditions[start : start + at_once]
        return
    held: list[str] = []
    count = 0
    for condition in one.conditions:
        more = one.feed.count(index, condition)
        if held and count + more > at_once:
            yield tuple(held)
            held, count = [], 0
        held.append(condition)
        count += more
    if held:
        yield tuple(held)


def _count(task: Task) -> int:
    one, index, conditions = task
    return predictions_of(one.feed, range(index, index + 1), conditions)


def bounded(workers: int, todo: Sequence[Todo], model: Model) -> tuple[int, int]:
    """Return how many workers, and pictures at once, keep the waiting pictures within bounds.

    Up to twice the workers and two tasks are under way, each with all pictures that it made.
    """
    largest = max(_bytes(one.feed, model) for one in todo)
    most = max(_count((one, index, one.conditions)) for one in todo for index in one.indices)
    for parts in (1, 2, 4):
        at_once = -(-most // parts)
        if (2 * workers + 2) * at_once * largest <= IN_FLIGHT:
            return workers, at_once
    # An image is decoded anew for every part, so fewer workers come before smaller parts.
    fewer = (IN_FLIGHT // (at_once * largest) - 2) // 2
    return (fewer, at_once) if fewer >= 1 else (1, max(1, IN_FLIGHT // (4 * largest)))


def _bytes(feed: Feed, model: Model) -> int:
    """Return the size of a picture as the model gets it."""
    side = feed.edition.side
    height, width = model.size or (feed.largest if side is None else (side, side)) or (512, 512)
    return height * width * 3


class _Rows:
    """The rows of a shard in the making."""

    def __init__(
        self, todo: Todo, model: Model, space: Space, batch: int, keep: Sequence[str]
    ) -> None:
        self.batch = batch
        self._todo, self._model, self._space, self._keep = todo, model, space, keep
        self._waiting: list[Pixels] = []
        self._places: list[tuple[int, int, int]] = []
        self._done: list[Columns] = []
        self._kept: dict[str, list[NDArray[Any]]] = {name: [] for name in keep}

    def add(self, index: int, condition: int, frame: int, pixels: Pixels) -> int:
        """Take a picture; returns how many were predicted meanwhile."""
        done = 0
        if self._waiting and self._waiting[0].shape != pixels.shape:
            done = self.flush()
        self._places.append((index, condition, frame))
        self._waiting.append(pixels)
        return done + (self.flush() if len(self._waiting) >= self.batch else 0)

    def flush(self) -> int:
        """Predict what waits."""
        count = len(self._waiting)
        while self._waiting:
            some = self._waiting[: self.batch]
            try:
                self._predict(np.stack(some))
            except OutOfMemoryError as error:
                if self.batch == 1:
                    raise ModelError(
                        f"{self._model.name} has no room for a single picture on its device."
                    ) from error
                self.batch //= 2
                continue
            self._waiting = self._waiting[len(some) :]
        return count

    def table(self) -> Any:
        """Return the rows as an Arrow table."""
        import pyarrow as pa

        todo = self._todo
        places = np.array(self._places, np.int32)
        images, where = places[:, 0] - todo.indices.start, places[:, 1]
        items = [todo.feed.items[index] for index in todo.indices]
        columns = Columns(*(np.concatenate(c) for c in zip(*self._done, strict=True)))
        table = {
            "key": _named(images, [item.key for item in items]),
            "label": _named(images, [item.label for item in items]),
            "condition": _named(where, list(todo.conditions)),
            "frame": pa.array(places[:, 2].astype(np.int16)),
        }
        for name, values in zip(Columns._fields, columns, strict=True):
            table[name] = _column(values)
        for name, parts in self._kept.items():
            table[name] = _column(np.concatenate(parts))
        return pa.table(table)

    def _predict(self, pictures: NDArray[np.uint8]) -> None:
        todo, first = self._todo, len(self._places) - len(self._waiting)
        outputs = self._model.predict(pictures)
        places = self._places[first : first + len(pictures)]
        checks.check(self._model, outputs, len(pictures), f" of a batch of {todo.set}")
        labels = [todo.feed.items[index].label for index, _, _ in places]
        index = self._space.index
        # Labels that no class answers to were refused before, save where none is needed.
        true = np.array([-1 if name is None else index.get(name, -1) for name in labels], np.int64)
        masked = self._space.mask(outputs.logits)
        self._done.append(tally(masked, true))
        for name in self._keep:
            kept = ranking(masked) if name == RANKING else getattr(outputs, name)
            if kept is None:
                raise ModelError(f"{self._model.name} gives no {name}; leave --keep {name} out.")
            self._kept[name].append(kept.reshape(len(pictures), -1))


def _as_it_is(pixels: Pixels) -> Pixels:
    return pixels


def _named(codes: NDArray[np.int32], names: Sequence[str | None]) -> Any:
    """Return a dictionary column: the names of codes, null where a name is None."""
    import pyarrow as pa

    known = list(dict.fromkeys(name for name in names if name is not None))
    place = {name: number for number, name in enumerate(known)}
    found = np.array([-1 if name is None else place[name] for name in names], np.int32)[codes]
    indices = pa.array(found, mask=found < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(known, pa.string()))


def _column(values: NDArray[Any]) -> Any:
    import pyarrow as pa

    if values.ndim == 1:
        return pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])


def shards(count: int, size: int) -> Iterator[tuple[int, range]]:
    """Yield the number and the images of every shard."""
    for number, start in enumerate(range(0, count, size)):
        yield number, range(start, min(start + size, count))

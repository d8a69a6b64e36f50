"""Ranks and frames of a stored run, read from its parts into what scores see."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from brittle import store
from brittle._frames import Part, StoredFrames
from brittle.errors import RunError, ScoreError
from brittle.executors import EXECUTORS, usable_cores
from brittle.outcomes import MISSING, Outcome
from brittle.scoring.scores import NO_RANKING

LARGEST_RANK = np.iinfo(np.int16).max


class Stored(Protocol):
    """What is read of a run."""

    path: Path
    info: Mapping[str, Any]

    def parts_of(self, name: str, conditions: set[str] | None) -> list[Path]:
        """Return the files that hold these conditions of a set."""


def outcome(run: Stored, name: str, conditions: tuple[str, ...]) -> Outcome:
    """Return what a set is scored by."""
    images = store.read_table(run.path / "sets" / f"{name}.parquet").to_pydict()
    keys: list[str] = images["key"]
    rows = {key: row for row, key in enumerate(keys)}
    columns = {condition: column for column, condition in enumerate(conditions)}
    ranks = np.full((len(keys), len(conditions)), MISSING, np.int16)
    references = run.info["sets"][name].get("frames", {})
    held: dict[str, list[Part]] = {condition: [] for condition in conditions}
    need = ("key", "condition", "rank", *(("frame", "top_classes") if references else ()))
    with closing(_tables(run.parts_of(name, set(conditions)), need)) as tables:
        for path, table in tables:
            row, column, wanted = _places(table, rows, columns, path, name)
            rank = np.minimum(table["rank"].to_numpy(), LARGEST_RANK).astype(np.int16)[wanted]
            if references:
                frame, top = _framed(table, "top_classes", wanted)
                for number, condition in enumerate(conditions):
                    mine = column == number
                    if mine.any():
                        rest = frame[mine], top[mine]
                        held[condition].append((row[mine].astype(np.int32), *rest))
                first = frame == 0
                row, column, rank = row[first], column[first], rank[first]
            if (ranks[row, column] != MISSING).any():
                raise RunError(f"{path} repeats what another part of {name} holds; remove it.")
            ranks[row, column] = rank
    frames = None
    if references:
        frames = StoredFrames(
            len(keys), references, held, lambda some: _rankings(run, name, some, rows)
        )
    digests, known = images["digest"], images["label"]
    return Outcome(tuple(keys), tuple(known), tuple(digests), conditions, ranks, frames)


def _tables(paths: Sequence[Path], columns: Sequence[str]) -> Generator[tuple[Path, Any]]:
    """Read parts ahead of their use, a few of them: all together would fill the memory."""
    return EXECUTORS.load("threads").map(
        lambda path: (path, store.read_table(path, columns)),
        paths,
        workers=min(4, usable_cores()),
    )


def _rankings(
    run: Stored, name: str, conditions: Sequence[str], rows: Mapping[str, int]
) -> Iterator[tuple[str, Part]]:
    """Yield the rankings of all classes, part by part, with the condition."""
    kept = next((one for one in ("ranking", "logits") if one in run.info["keep"]), None)
    if kept is None:
        raise ScoreError(NO_RANKING)
    columns = {condition: column for column, condition in enumerate(conditions)}
    paths = run.parts_of(name, set(conditions))
    with closing(_tables(paths, ("key", "condition", "frame", kept))) as tables:
        for path, table in tables:
            row, column, wanted = _places(table, rows, columns, path, name)
            frame, found = _framed(table, kept, wanted)
            for number, condition in enumerate(conditions):
                mine = column == number
                if not mine.any():
                    continue
                some = found[mine]
                if kept == "logits":
                    some = np.argsort(-some, axis=1, kind="stable")
                yield condition, (row[mine], frame[mine], some)


def _places(
    table: Any,
    rows: Mapping[str, int],
    columns: Mapping[str, int],
    path: Path,
    name: str,
) -> tuple[Any, Any, Any]:
    """Return the image and the condition of those rows of a part that are wanted."""
    row, column = (
        _codes(table[column], known) for column, known in (("key", rows), ("condition", columns))
    )
    if (row < 0).any():
        raise RunError(f"{path} holds images that {name} has not; restore it or remove it.")
    wanted = column >= 0
    return row[wanted], column[wanted], wanted


def _framed(table: Any, name: str, wanted: Any) -> tuple[Any, Any]:
    """Return the frames' numbers and a column of lists as a matrix, small where it can be."""
    lists = table[name].combine_chunks()
    width = lists.type.list_size
    flat = lists.flatten().to_numpy().reshape(-1, width)[wanted]
    if flat.dtype == np.int32 and flat.max(initial=0) <= LARGEST_RANK:
        flat = flat.astype(np.int16)
    return table["frame"].to_numpy()[wanted], flat


def _codes(values: Any, known: Mapping[str, int]) -> Any:
    """Return the place of every text in `known`, -1 where it is not there."""
    found = store.encoded(values)
    places = np.array([known.get(text, -1) for text in found.dictionary.to_pylist()], np.int64)
    return places[found.indices.to_numpy()]

"""Ranks and frames of a stored run, read from its parts into what scores see."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from brittle import store
from brittle._frames import Part, StoredFrames, needs_ranking
from brittle.errors import RunError
from brittle.executors import usable_cores
from brittle.outcomes import MISSING, Outcome

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
    paths = run.parts_of(name, set(conditions))
    with ThreadPoolExecutor(min(4, usable_cores())) as pool:
        tables = pool.map(lambda path: store.read_table(path, need), paths)
        for path, table in zip(paths, tables, strict=True):
            row, column, wanted = _places(table, rows, columns, path, name)
            rank = np.minimum(table["rank"].to_numpy(), LARGEST_RANK).astype(np.int16)[wanted]
            if references:
                frame, top = _framed(table, "top_classes", wanted)
                for number, condition in enumerate(conditions):
                    mine = column == number
                    if mine.any():
                        held[condition].append((row[mine], frame[mine], top[mine]))
                first = frame == 0
                row, column, rank = row[first], column[first], rank[first]
            if (ranks[row, column] != MISSING).any():
                raise RunError(f"{path} repeats what another part of {name} holds; remove it.")
            ranks[row, column] = rank
    frames = None
    if references:
        frames = StoredFrames(
            len(keys), references, held, lambda one: _rankings(run, name, one, rows)
        )
    digests, known = images["digest"], images["label"]
    return Outcome(tuple(keys), tuple(known), tuple(digests), conditions, ranks, frames)


def _rankings(run: Stored, name: str, condition: str, rows: Mapping[str, int]) -> Iterator[Part]:
    """Yield the rankings of all classes, part by part."""
    kept = next((one for one in ("ranking", "logits") if one in run.info["keep"]), None)
    if kept is None:
        raise needs_ranking(str(run.path))
    for path in run.parts_of(name, {condition}):
        table = store.read_table(path, ("key", "condition", "frame", kept))
        row, _, wanted = _places(table, rows, {condition: 0}, path, name)
        frame, found = _framed(table, kept, wanted)
        if kept == "logits":
            found = np.argsort(-found, axis=1, kind="stable")
        yield row, frame, found


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
    return table["frame"].to_numpy()[wanted].astype(np.intp), flat


def _codes(values: Any, known: Mapping[str, int]) -> Any:
    """Return the place of every text in `known`, -1 where it is not there."""
    import pyarrow as pa

    found = values.combine_chunks()
    if isinstance(found, pa.ChunkedArray):
        found = found.chunk(0)
    if not pa.types.is_dictionary(found.type):
        found = found.dictionary_encode()
    places = np.array([known.get(text, -1) for text in found.dictionary.to_pylist()], np.int64)
    return places[found.indices.to_numpy()]

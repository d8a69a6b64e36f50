"""The outputs that a run has kept, read back set by set and sorted by key."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from brittle import store
from brittle.detectors import Outputs
from brittle.errors import ScoreError
from brittle.labels import Space
from brittle.outcomes import Cell, Suite
from brittle.scoring.detecting import Kept
from brittle.scoring.trusting import Believed

Rows = Callable[[Cell, Sequence[str]], Any]
"""Gets a cell and columns; gives the rows of its set under its condition as an Arrow table."""


def kept(
    record: Mapping[str, Any], rows: Rows, cell: Cell, task: str, needs: Collection[str] = ()
) -> Kept:
    """Return logits of the classes that count, and features and samples if needed and kept."""
    if "logits" not in record["keep"]:
        raise _lacking("logits")
    more = [name for name in ("features", "samples") if name in record["keep"] and name in needs]
    names = ["logits", *more]
    table, order = _sorted(rows, cell, ["key", "label", *names])
    classes, columns = _counted(record, cell)
    features = _matrix(table, "features")[order] if "features" in names else None
    samples = None
    if "samples" in names:
        flat = _matrix(table, "samples")[order]
        passes = flat.reshape(len(flat), -1, len(record["classes"]))[:, :, columns]
        samples = passes.transpose(1, 0, 2)
    return Kept(
        tuple(_texts(table, "key", order)),
        tuple(_texts(table, "label", order)),
        Outputs(
            logits=_matrix(table, "logits")[order][:, columns],
            features=features,
            samples=samples,
            task="multi" if task == "multi" else "single",
        ),
        classes,
    )


def believed(record: Mapping[str, Any], rows: Rows, cell: Cell) -> Believed:
    """Return confidence and correctness of the labelled images; the logits where kept."""
    names = ["key", "label", "rank", "top_probabilities", "log_sum_exp", "label_logit"]
    with_logits = "logits" in record["keep"]
    table, order = _sorted(rows, cell, [*names, *(["logits"] if with_logits else [])])
    rank = table["rank"].to_numpy()
    order = order[rank[order] >= 0]
    if not len(order):
        raise _unlabelled(cell)
    loss = table["log_sum_exp"].to_numpy() - table["label_logit"].to_numpy()
    logits = labels = None
    if with_logits:
        classes, columns = _counted(record, cell)
        place = {name: number for number, name in enumerate(classes)}
        logits = _matrix(table, "logits")[order][:, columns]
        labels = np.array([place[str(name)] for name in _texts(table, "label", order)], np.intp)
    return Believed(
        tuple(str(key) for key in _texts(table, "key", order)),
        _matrix(table, "top_probabilities")[order, 0].astype(np.float64),
        (rank[order] == 0).astype(np.float64),
        loss[order].astype(np.float64),
        logits,
        labels,
    )


def beliefs(run: Any, suite: Suite) -> Callable[[Cell], Believed]:
    """Return what reads confidence and correctness of the cells of a suite of a run.

    All cells are read in one pass, but for runs that kept logits, which are read cell by cell since
    they would fill the memory.
    """
    if "logits" in run.info["keep"]:
        return lambda cell: believed(run.info, run.rows_of, cell)
    return _Pass(run, suite).of


@final
class _Pass:
    """The rows of a suite, sorted once by set, condition and key."""

    def __init__(self, run: Any, suite: Suite) -> None:
        self._info, self._places = run.info, {}
        names = ["key", "condition", "rank", "top_probabilities", "log_sum_exp", "label_logit"]
        table = run.predictions(suite.name, names)
        sets, conditions, keys = (_ranked(table[name]) for name in ("set", "condition", "key"))
        order = np.lexsort((keys.codes, conditions.codes, sets.codes))
        self._key = keys.names, keys.codes[order]
        self._rank = table["rank"].to_numpy()[order]
        self._sure = _matrix(table, "top_probabilities")[order, 0].astype(np.float64)
        loss = table["log_sum_exp"].to_numpy() - table["label_logit"].to_numpy()
        self._loss = loss[order].astype(np.float64)
        both = sets.codes[order].astype(np.int64) * len(conditions.names) + conditions.codes[order]
        starts = np.flatnonzero(np.append(True, both[1:] != both[:-1]))
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(both)], strict=True):
            one, other = divmod(int(both[start]), len(conditions.names))
            self._places[sets.names[one], conditions.names[other]] = slice(start, end)

    def of(self, cell: Cell) -> Believed:
        """Return the labelled images of a cell by key."""
        mine = self._places.get((cell.set, cell.condition), slice(0, 0))
        check_whole(self._info, cell, mine.stop - mine.start)
        labelled = self._rank[mine] >= 0
        if not labelled.any():
            raise _unlabelled(cell)
        names, codes = self._key
        return Believed(
            tuple(names[code] for code in codes[mine][labelled].tolist()),
            self._sure[mine][labelled],
            (self._rank[mine][labelled] == 0).astype(np.float64),
            self._loss[mine][labelled],
        )


class _Ranked(NamedTuple):
    """A column of texts as places in the list of its different ones, in their order."""

    names: list[str]
    codes: NDArray[np.int32]


def _ranked(column: Any) -> _Ranked:
    found = store.encoded(column)
    names = [str(name) for name in found.dictionary.to_pylist()]
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int32)
    place[order] = np.arange(len(names), dtype=np.int32)
    return _Ranked([names[at] for at in order], place[found.indices.to_numpy()])


def check_whole(record: Mapping[str, Any], cell: Cell, measured: int) -> None:
    """Refuse a cell that is not measured on all of its images."""
    whole = record["sets"][cell.set]["images"]
    if measured != whole:
        raise ScoreError(
            f"{measured:,} of the {whole:,} images of {cell.group} are measured; finish the run: "
            f"the same brittle evaluate goes on where it stopped."
        )


def _unlabelled(cell: Cell) -> ScoreError:
    return ScoreError(
        f"None of the images of {cell.group} has a label among the model's classes; calibration "
        f"needs labels."
    )


def _counted(record: Mapping[str, Any], cell: Cell) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the classes that count in a set and their places among the outputs."""
    space = Space(tuple(record["classes"]), record["sets"][cell.set]["subset"])
    places = sorted(space.index.items(), key=lambda item: item[1])
    return tuple(name for name, _ in places), np.array([at for _, at in places], np.int64)


def _sorted(rows: Rows, cell: Cell, columns: Sequence[str]) -> tuple[Any, NDArray[np.intp]]:
    table = rows(cell, columns)
    if not len(table):
        raise ScoreError(
            f"Nothing of {cell.group} is measured yet; finish the run: the same brittle evaluate "
            f"goes on where it stopped."
        )
    keys = table["key"].to_pylist()
    return table, np.array(sorted(range(len(keys)), key=keys.__getitem__), np.intp)


def _matrix(table: Any, name: str) -> NDArray[Any]:
    lists = table[name].combine_chunks()
    found: NDArray[Any] = lists.flatten().to_numpy().reshape(-1, lists.type.list_size)
    return found


def _texts(table: Any, name: str, order: NDArray[np.intp]) -> list[Any]:
    values = table[name].to_pylist()
    return [values[place] for place in order]


def _lacking(name: str) -> ScoreError:
    return ScoreError(
        f"This reads the {name} of every image, which this run has not kept; evaluate again into "
        f"another folder with --keep {name}."
    )

"""The file of a suite's published results, read and checked.

A table that does not add up is refused when it is read: a total that its columns do not give, a row
that stands twice in a table, a number that is none, a field that nobody knows.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from brittle.errors import SpecError
from brittle.families import hint
from brittle.metrics import METRICS
from brittle.published._cells import errors, scores
from brittle.published.base import Measure, Published, Result, frozen

ROUNDING = {"relative_mce": 0.6}
"""How far a printed total may lie from the mean of its rounded columns, where it is not `NEAR`."""
NEAR = 0.55


class Table(NamedTuple):
    """A printed table: where it comes from, and what its rows have in common."""

    where: str
    said: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns by the names that their numbers belong to."""
        return tuple(self.said.get("belongs_to", self.said.get("columns", ())))


def read(name: str, text: str) -> Published:
    """Make the checked results of a suite from the text of its file."""
    where = f"The published results of {name}"
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{where} are not TOML: {error}.") from error
    _check(where, found, FILE, ("about", "suites", "tables"))
    measures = {key: _measure(where, key, said) for key, said in found.get("metrics", {}).items()}
    results: list[Result] = []
    for number, said in enumerate(found["tables"], 1):
        table = Table(f"{where}, table {number}", said, said.get("rows", ()))
        _check(table.where, said, TABLE, ("short", "source", "rows"))
        results += _table(table, measures)
    headline = found.get("headline")
    used = {key: None for one in results for key in (*one.values, *one.columns)}
    named = dict.fromkeys([*([headline] if headline else []), *used])
    shown = {key: made for key in named if (made := _known(key, measures))}
    totals = {key for one in results for key in one.values}
    if headline is not None and headline not in totals:
        raise SpecError(f"{where}: no row has the headline {headline}; they have {sorted(totals)}.")
    return Published(
        name=name,
        about=found["about"],
        headline=headline,
        measures=MappingProxyType(shown),
        suites=tuple(found["suites"]),
        images=found.get("images"),
        classes=found.get("classes"),
        shifts=tuple(found.get("shifts", ())),
        chance=found.get("chance"),
        results=tuple(results),
    )


def _measure(where: str, key: str, said: Mapping[str, Any]) -> Measure:
    if sorted(said) != sorted(Measure._fields) or said["better"] not in ("lower", "higher"):
        raise SpecError(
            f"{where}: the metric {key} needs {', '.join(Measure._fields)}, and better must be "
            f"lower or higher."
        )
    return Measure(**said)


def _known(name: str, own: Mapping[str, Measure]) -> Measure | None:
    """Return how a metric is read: as brittle's own of that name, else as the file says."""
    if name not in METRICS.names():
        return own.get(name)
    metric = METRICS.load(name)
    return Measure(
        metric.title, metric.better, metric.unit, metric.digits, metric.column, metric.column_digits
    )


def _table(table: Table, measures: Mapping[str, Measure]) -> list[Result]:
    for said in table.rows:
        _check(f"{table.where}, {said.get('model')}", said, ROW, ("model",))
    models = [said["model"] for said in table.rows]
    if twice := [model for model in models if models.count(model) > 1]:
        raise SpecError(f"{table.where} has {twice[0]} twice; name it once.")
    base = table.said.get("divided_by")
    if base is not None and base not in models:
        raise SpecError(f"{table.where}: {hint(base, models, 'row')}")
    divisor = next((said for said in table.rows if said["model"] == base), None)
    return [_row(table, said, divisor, measures) for said in table.rows]


def _row(
    table: Table,
    said: Mapping[str, Any],
    divisor: Mapping[str, Any] | None,
    measures: Mapping[str, Measure],
) -> Result:
    where = f"{table.where}, {said['model']}"
    values = {key: float(value) for key, value in said.get("values", {}).items()}
    columns = {
        key: dict(zip(table.columns, _row_of(where, table, row), strict=True))
        for key, row in said.get("columns", {}).items()
    }
    made = {
        key: (sum(row.values()) / len(row), row)
        for key, row in columns.items()
        if _known(key, measures)
    }
    wrong: dict[str, tuple[int, ...]] = {}
    if "wrong" in said:
        wrong, found = _of_cells(where, table, said, divisor)
        made |= found
    for key, (total, row) in made.items():
        columns[key] = dict(row)
        printed = values.get(key, total)
        fits = abs(total - printed) <= ROUNDING.get(key, NEAR)
        if fits == (key in said.get("misfit", ())):
            raise SpecError(
                f"{where}: its columns give the {key} {total:.2f}, and it says {printed}. Mend the "
                f"file, or where it is printed so, name the metric in misfit and say it in a note."
            )
    computed = frozenset(made.keys() - values.keys())
    values |= {key: made[key][0] for key in computed}
    for number in (*values.values(), *(one for row in columns.values() for one in row.values())):
        if not math.isfinite(number) or number < 0:
            raise SpecError(f"{where}: {number} is no error, accuracy or share.")
    if unknown := [key for key in values if not _known(key, measures)]:
        raise SpecError(f"{where}: nothing says how {unknown[0]} is read; declare it in metrics.")
    backbone, method = _network(table, said)
    notes = [table.said.get("note"), said.get("note")]
    under = zip(table.columns, table.said.get("columns", ()), strict=True)
    return Result(
        model=said["model"],
        backbone=backbone,
        method=method,
        standalone=said.get("standalone"),
        values=frozen(values),
        columns=MappingProxyType({key: frozen(row) for key, row in columns.items()}),
        computed=computed,
        wrong=MappingProxyType(wrong),
        printed_under=MappingProxyType({own: name for own, name in under if own != name}),
        images=table.said.get("images"),
        off=tuple(table.said.get("off", ())),
        short=", ".join([table.said["short"], *said.get("also", ())]),
        source=table.said["source"],
        reference=said.get("reference", ""),
        notes=tuple(note for note in notes if note),
    )


def _network(table: Table, said: Mapping[str, Any]) -> tuple[str, str]:
    """Return the backbone of a row, and what was done to it."""
    model: str = said["model"]
    backbone, _, method = model.partition(" + ")
    if table.said.get("ids"):
        # An id names the work; what network it is of is known only where the row says it.
        return said.get("backbone", ""), "" if said.get("plain") else model
    return (said["backbone"], model) if "backbone" in said else (backbone, method)


def _row_of(where: str, table: Table, row: Sequence[Any]) -> Sequence[Any]:
    if len(row) != len(table.columns) or sorted(table.columns) != sorted(table.said["columns"]):
        raise SpecError(f"{where} has {len(row)} numbers in {len(table.columns)} columns.")
    return row


def _of_cells(
    where: str, table: Table, said: Mapping[str, Any], divisor: Mapping[str, Any] | None
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[float, dict[str, float]]]]:
    """Return the wrong images of each cell, and the scores that follow from them."""
    images = table.said.get("images")
    if not isinstance(images, int):
        raise SpecError(f"{where}: cells need the number of images of their table.")

    def cells(one: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
        rows = _row_of(where, table, one["wrong"])
        if any(len(row) != 5 or not all(0 <= n <= images for n in row) for row in rows):
            raise SpecError(f"{where}: a corruption needs five counts from 0 to {images}.")
        return {name: tuple(row) for name, row in zip(table.columns, rows, strict=True)}

    wrong = cells(said)
    base = None if divisor is None else errors(cells(divisor), images)
    clean, theirs = (
        None if one is None else one.get("values", {}).get("clean_error") for one in (said, divisor)
    )
    return wrong, scores(errors(wrong, images), clean, base, theirs)


def _check(
    where: str, found: Mapping[str, Any], known: Mapping[str, Callable[[Any], bool]],
    needed: Sequence[str],
) -> None:  # fmt: skip
    for key, value in found.items():
        if key not in known:
            raise SpecError(f"{where}: {hint(key, known, 'field')}")
        if not known[key](value):
            raise SpecError(f"{where}: {key} cannot be {value!r}.")
    if missing := [key for key in needed if key not in found]:
        raise SpecError(f"{where} does not say its {' and '.join(missing)}.")


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _map(value: Any) -> bool:
    return isinstance(value, dict)


def _list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return type(value) is int and value > 0


FILE: Mapping[str, Callable[[Any], bool]] = {
    "about": _text, "headline": _text, "suites": _texts, "images": _count, "classes": _text,
    "shifts": _texts, "chance": lambda value: isinstance(value, float), "metrics": _map,
    "tables": _list,
}  # fmt: skip
TABLE: Mapping[str, Callable[[Any], bool]] = {
    "short": _text, "source": _text, "images": _count, "off": _texts, "columns": _texts,
    "belongs_to": _texts, "divided_by": _text, "ids": _flag, "note": _text, "rows": _list,
}  # fmt: skip
ROW: Mapping[str, Callable[[Any], bool]] = {
    "model": _text, "backbone": _text, "standalone": _flag, "plain": _flag, "also": _texts,
    "reference": _text, "note": _text, "misfit": _texts, "values": _map, "columns": _map,
    "wrong": _list,
}  # fmt: skip

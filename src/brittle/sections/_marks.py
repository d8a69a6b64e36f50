"""Pieces of charts that several sections draw: points with intervals, and labels beside them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from brittle.scoring.bootstrap import Number
from brittle.sections._chart import Spec
from brittle.sections._colours import series, shape

PAPER = "var(--quiet)"
"""The colour of what papers print."""

NAMED, LETTER = 0.42, 6.2
"""Share of the width that names take at most; pixels of a letter."""
MARK = "\u2063"
"""Parts a row's name from its number, since two rows may have one name; nobody sees it."""


@final
@dataclass(frozen=True, kw_only=True)
class Dot:
    """A row of a dot chart."""

    name: str
    number: Number
    said: str
    """What a pointer over it shows."""
    place: int | None = None
    """Of the run in the report; None for what a paper prints."""


def dots(
    rows: Sequence[Dot],
    *,
    title: str,
    width: int,
    zero: float | None = None,
    higher_is_worse: bool = True,
    domain: tuple[float, float] | None = None,
) -> Spec:
    """Return a chart with a line a row: a point, its interval, its number; in the order given.

    With `zero` a line stands there, and colours say on which side of it an interval lies whole.
    `domain` is where the axis begins and ends, for charts that stand side by side.
    """
    data = [_row(row, at, zero, higher_is_worse) for at, row in enumerate(rows)]
    y: Spec = {
        "field": "row",
        "type": "nominal",
        "sort": [row["row"] for row in data],
        "axis": {**_names(width), "labelExpr": f"split(datum.value, '{MARK}')[0]"},
    }
    ends = [
        v for row in data for v in (row["low"], row["high"], row["value"], zero) if v is not None
    ]
    low, high = min(ends), max(ends)
    room = (high - low or 1) * 0.06
    scale: Spec = {"domain": [low - room, high + room], "nice": True, "zero": False}
    if domain is not None:
        scale = {"domain": list(domain), "nice": False}
    layer = _points(_across(scale, title, width), size=75)
    if zero is not None:
        line = {"type": "rule", "color": "var(--ink)", "strokeWidth": 1}
        layer.insert(0, {"mark": line, "encoding": {"x": {"datum": zero}, "y": None}})
    return {**_frame(data, width), "height": {"step": 24}, "encoding": {"y": y}, "layer": layer}


@final
@dataclass(frozen=True)
class Bar:
    """A point of one run in a row that all runs share."""

    row: str
    number: Number
    said: str
    place: int | None = None
    """Of the run in the report; None for what a paper prints."""


def bars(rows: Sequence[Bar], *, title: str, width: int) -> Spec:
    """Return a chart with a row a name, in the order given, and in it a point a run.

    The axis begins at 0; what is printed is a grey diamond.
    """
    names = list(dict.fromkeys(bar.row for bar in rows))
    runs = list(dict.fromkeys(bar.place for bar in rows))
    data = [
        {
            "row": bar.row,
            "run": runs.index(bar.place),
            **_ends(bar.number),
            "said": bar.said,
            "colour": PAPER if bar.place is None else series(bar.place),
            "shape": "diamond" if bar.place is None else shape(bar.place),
        }
        for bar in rows
    ]
    step = 12 + 9 * (len(runs) - 1) if len(runs) > 1 else 22
    return {
        **_frame(data, width),
        "height": {"step": step, "for": "position"},
        "encoding": {
            "y": {"field": "row", "type": "nominal", "sort": names, "axis": _names(width)},
            "yOffset": {"field": "run", "type": "nominal", "sort": list(range(len(runs)))},
        },
        "layer": _points(_across({"zero": True, "nice": True}, title, width), size=60),
    }


def _frame(data: Sequence[dict[str, Any]], width: int) -> Spec:
    longest = max(len(str(row["row"]).partition(MARK)[0]) for row in data)
    # Vega measures letters in a font that may be narrower than the page's.
    room = 10 + round(0.16 * min(width * NAMED, LETTER * longest))
    return {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "padding": {"left": room, "right": 10, "top": 5, "bottom": 5},
        "data": {"values": list(data)},
    }


def _names(width: int) -> Spec:
    """Return the axis that names the rows."""
    return {
        "title": None,
        "ticks": False,
        "domain": False,
        "grid": True,
        "labelLimit": width * NAMED,
        "labelColor": "var(--ink)",
    }


def _across(scale: Spec, title: str, width: int) -> Spec:
    axis = {"title": title, "tickCount": max(3, width // 90)}
    return {"field": "value", "type": "quantitative", "scale": scale, "axis": axis}


def _points(x: Spec, *, size: int) -> list[Spec]:
    """Return the layers of intervals and of the points on them."""
    own = {
        "color": {"field": "colour", "type": "nominal", "scale": None},
        "description": {"field": "said"},
    }
    form = {"field": "shape", "type": "nominal", "scale": None}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, **own},
        },
        {
            "mark": {"type": "point", "filled": True, "size": size, "opacity": 1},
            "encoding": {"x": x, "shape": form, **own},
        },
    ]


def _ends(number: Number) -> dict[str, float]:
    """Return a number with its interval, which is nothing where none was asked for."""
    value, low, high = number
    bound = math.isfinite(low) and math.isfinite(high)
    return {"value": value, "low": low if bound else value, "high": high if bound else value}


def _row(row: Dot, at: int, zero: float | None, higher_is_worse: bool) -> dict[str, Any]:
    value, low, high = row.number
    bound = math.isfinite(low) and math.isfinite(high)
    colour = PAPER if row.place is None else series(row.place)
    if zero is not None:
        sure = bound and (low > zero or high < zero)
        colour = (
            PAPER
            if not sure
            else "var(--worse)"
            if (value > zero) == higher_is_worse
            else "var(--better)"
        )
    return {
        "row": f"{row.name.replace(MARK, '')}{MARK}{at}",
        **_ends(row.number),
        "said": row.said,
        "colour": colour,
        "shape": "diamond" if row.place is None else shape(row.place),
    }

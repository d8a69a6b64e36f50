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
) -> Spec:
    """Return a chart with a line a row: a point, its interval, its number; in the order given.

    With `zero` a line stands there, and colours say on which side of it an interval lies whole.
    """
    data = [_row(row, at, zero, higher_is_worse) for at, row in enumerate(rows)]
    axis = {
        "title": None,
        "ticks": False,
        "domain": False,
        "grid": True,
        "labelLimit": width * 0.42,
        "labelExpr": f"split(datum.value, '{MARK}')[0]",
        "labelColor": "var(--ink)",
    }
    y: Spec = {
        "field": "row",
        "type": "nominal",
        "sort": [row["row"] for row in data],
        "axis": axis,
    }
    ends = [
        v for row in data for v in (row["low"], row["high"], row["value"], zero) if v is not None
    ]
    low, high = min(ends), max(ends)
    room = (high - low or 1) * 0.06
    scale = {"domain": [low - room, high + room], "nice": True, "zero": False}
    x: Spec = {"field": "value", "type": "quantitative", "scale": scale, "axis": {
        "title": title, "tickCount": max(3, width // 90)}}  # fmt: skip
    colour = {"field": "colour", "type": "nominal", "scale": None}
    layer: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour,
                         "description": {"field": "said"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 75, "opacity": 1},
            "encoding": {"x": x, "color": colour, "description": {"field": "said"},
                         "shape": {"field": "shape", "type": "nominal", "scale": None}},
        },
    ]  # fmt: skip
    if zero is not None:
        line = {"type": "rule", "color": "var(--ink)", "strokeWidth": 1}
        layer.insert(0, {"mark": line, "encoding": {"x": {"datum": zero}, "y": None}})
    return {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": {"step": 24},
        # Vega measures letters in a font that may be narrower than the page's.
        "padding": {"left": 16, "right": 10, "top": 5, "bottom": 5},
        "data": {"values": data},
        "encoding": {"y": y},
        "layer": layer,
    }


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
    data = []
    for bar in rows:
        value, low, high = bar.number
        bound = math.isfinite(low) and math.isfinite(high)
        data.append(
            {
                "row": bar.row,
                "run": runs.index(bar.place),
                "value": value,
                "low": low if bound else value,
                "high": high if bound else value,
                "said": bar.said,
                "colour": PAPER if bar.place is None else series(bar.place),
                "shape": "diamond" if bar.place is None else shape(bar.place),
            }
        )
    axis = {"title": None, "ticks": False, "domain": False, "grid": True,
            "labelLimit": width * 0.42, "labelColor": "var(--ink)"}  # fmt: skip
    x: Spec = {"field": "value", "type": "quantitative", "scale": {"zero": True, "nice": True},
               "axis": {"title": title, "tickCount": max(3, width // 90)}}  # fmt: skip
    colour = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": {"step": 12 + 9 * (len(runs) - 1) if len(runs) > 1 else 22, "for": "position"},
        "padding": {"left": 16, "right": 10, "top": 5, "bottom": 5},
        "data": {"values": data},
        "encoding": {
            "y": {"field": "row", "type": "nominal", "sort": names, "axis": axis},
            "yOffset": {"field": "run", "type": "nominal", "sort": list(range(len(runs)))},
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour,
                             "description": {"field": "said"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"x": x, "color": colour, "description": {"field": "said"},
                             "shape": {"field": "shape", "type": "nominal", "scale": None}},
            },
        ],
    }  # fmt: skip


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
        "value": value,
        "low": low if bound else value,
        "high": high if bound else value,
        "said": row.said,
        "colour": colour,
        "shape": "diamond" if row.place is None else shape(row.place),
    }

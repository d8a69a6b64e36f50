"""Lines with bands: a small panel of curves of several runs, drawn alike in every section."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from brittle.scoring.bootstrap import Number
from brittle.sections._chart import Spec
from brittle.sections._colours import dash, series, shape

WIDTH, HEIGHT = 190, 150
SQUARE = 250, 230


class Axis(NamedTuple):
    """What an axis shows."""

    low: float
    high: float
    title: str | None = None
    whole: bool = False
    """Whether only whole numbers stand there."""
    ticks: tuple[float, ...] = ()
    """Where there are marks; chosen by the chart unless given."""

    def marks(self, count: int) -> Spec:
        """Return what a chart is told of the marks."""
        if self.ticks:
            return {"values": list(self.ticks)}
        return {"tickCount": count, **({"tickMinStep": 1, "format": "d"} if self.whole else {})}


PERCENT = (0, 25, 50, 75, 100)


class Line(NamedTuple):
    """A curve of one run, or of one of several kinds of a run."""

    place: int
    """Decides colour, dash and shape."""
    x: Sequence[float]
    y: Sequence[Number]
    said: Sequence[str] = ()
    """What a pointer over each point shows; without it there are no points, only the line."""


def panel(
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    *,
    square: bool = False,
) -> Spec:
    """Return a panel of curves; `square` is larger, with the line on which both axes are equal."""
    width, height = SQUARE if square else (WIDTH, HEIGHT)
    places = sorted({line.place for line in lines})

    def by(value: Any) -> Spec:
        scale = {"domain": places, "range": [value(place) for place in places]}
        return {"field": "run", "type": "nominal", "scale": scale, "legend": None}

    across: Spec = {
        "field": "x", "type": "quantitative", "scale": {"domain": [x.low, x.high], "nice": False},
        "axis": {"title": x.title, "grid": False, **x.marks(4)},
    }  # fmt: skip
    up: Spec = {
        "field": "y", "type": "quantitative", "scale": {"domain": [y.low, y.high], "nice": False},
        "axis": {"title": y.title, **y.marks(4)},
    }  # fmt: skip
    layer: list[Spec] = [
        {
            "mark": {"type": "area", "opacity": 0.18, "aria": False},
            "encoding": {"y": {**up, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "strokeWidth": 2, "aria": False},
            "encoding": {"y": up, "strokeDash": by(dash)},
        },
    ]
    rows = [row for line in lines for row in _rows(line)]
    if any(line.said for line in lines):
        layer.append(
            {
                "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1},
                "encoding": {"y": up, "shape": by(shape), "description": {"field": "said"}},
            }
        )
    if not any(row["low"] < row["high"] for row in rows):
        del layer[0]
    if square:
        ends = [{"x": at, "y": at} for at in (max(x.low, y.low), min(x.high, y.high))]
        mark = {"type": "line", "strokeDash": [3, 3], "strokeWidth": 1, "aria": False}
        layer.insert(
            0,
            {"data": {"values": ends}, "mark": mark, "encoding": {
                "x": across, "y": up, "color": {"value": "var(--quiet)"}}},
        )  # fmt: skip
    return {
        "width": width,
        "height": height,
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"values": rows},
        "encoding": {"x": across, "color": by(series)},
        "layer": layer,
    }


def top(lines: Sequence[Line], *, step: float = 20, least: float = 0) -> float:
    """Return where a y-axis from 0 ends: the next step above all intervals.

    >>> top([Line(0, [1], [Number(30.0, 25.0, 41.0)])])
    60
    """
    ends = [v for line in lines for number in line.y for v in (number.value, number.high)]
    highest = max((v for v in ends if math.isfinite(v)), default=step)
    return max(math.ceil(highest / step) * step, least)


def _rows(line: Line) -> list[dict[str, Any]]:
    return [
        {
            "x": x,
            "y": number.value,
            "low": number.low if math.isfinite(number.low) else number.value,
            "high": number.high if math.isfinite(number.high) else number.value,
            "run": line.place,
            **({"said": line.said[at]} if line.said else {}),
        }
        for at, (x, number) in enumerate(zip(line.x, line.y, strict=True))
    ]

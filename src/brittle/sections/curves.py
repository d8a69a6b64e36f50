"""Distortion curves: how the error rises with the severity, a panel a corruption."""

import math
from collections.abc import Sequence
from typing import Any

from brittle.scoring.bootstrap import Number
from brittle.sections._chart import Spec, svg
from brittle.sections._colours import dash, series, shape
from brittle.sections._html import Html, joined, tag
from brittle.sections._material import Material, View
from brittle.sections._words import breakable, legend, shown, under
from brittle.sections.base import Missing, Section

WIDTH, HEIGHT = 190, 150


def make(material: Material) -> Html | Missing:
    """Draw the panels of every suite with severities."""
    ladders = material.ladders()
    if not ladders:
        return Missing()
    ladders = {name: views for name, views in ladders.items() if _severities(views) > 1}
    if not ladders:
        return Missing("Each corruption was measured at one severity, and a curve needs two.")
    about = "Top-1 error in % over severity; 0 is the clean picture. Bands are intervals."
    made = [(name, _suite(at, views)) for at, (name, views) in enumerate(ladders.items())]
    return joined(tag("p", about, class_="about"), under(made))


def _severities(views: Sequence[View]) -> int:
    return len({cell.severity for view in views for cell in view.suite.cells if cell.severity})


def _suite(at: int, views: Sequence[View]) -> list[Html]:
    groups = list(
        dict.fromkeys(c.group for v in views for c in v.suite.cells if c.role in ("grid", "extra"))
    )
    rows = {group: [row for view in views for row in _rows(view, group)] for group in groups}
    top = max((row["high"] for some in rows.values() for row in some), default=100.0)
    drawn = [
        tag(
            "div",
            tag("h4", breakable(group)),
            svg(_spec(some, top), alt=_alt(group, views)),
            class_="small",
        )
        for group, some in rows.items()
        if some
    ]
    return [legend(views, group=f"curves-{at}"), tag("div", drawn, class_="curves")]


def _numbers(view: View, group: str) -> list[tuple[int, Number]]:
    clean = [n for cell, n in view.cells.errors.items() if cell.role == "clean"][:1]
    found = [(0, number) for number in clean]
    found += [
        (cell.severity or 0, number)
        for cell, number in view.cells.errors.items()
        if cell.group == group and cell.role in ("grid", "extra")
    ]
    return sorted(found) if len(found) > len(clean) else []


def _rows(view: View, group: str) -> list[dict[str, Any]]:
    return [
        {
            "severity": severity,
            "error": number.value,
            "low": number.low if math.isfinite(number.low) else number.value,
            "high": number.high if math.isfinite(number.high) else number.value,
            "run": view.place,
            "said": f"{view.name}, severity {severity}: {shown(number, unit='%')}",
        }
        for severity, number in _numbers(view, group)
    ]


def _alt(group: str, views: Sequence[View]) -> str:
    said = []
    for view in views:
        numbers = ", ".join(f"{n.value:.1f} at {severity}" for severity, n in _numbers(view, group))
        if numbers:
            said.append(f"{view.name} {numbers}")
    return f"Error in % under {group} by severity: {'; '.join(said)}"


def _spec(rows: list[dict[str, Any]], top: float) -> Spec:
    runs = sorted({row["run"] for row in rows})

    def by(value: Any) -> Spec:
        scale = {"domain": runs, "range": [value(run) for run in runs]}
        return {"field": "run", "type": "nominal", "scale": scale, "legend": None}

    x: Spec = {"field": "severity", "type": "quantitative",
               "axis": {"title": None, "tickMinStep": 1, "format": "d", "grid": False}}  # fmt: skip
    scale = {"domain": [0, math.ceil(top / 20) * 20]}
    y: Spec = {"field": "error", "type": "quantitative", "scale": scale,
               "axis": {"title": None, "tickCount": 4}}  # fmt: skip
    colour = by(series)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"values": rows},
        "encoding": {"x": x, "color": colour},
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.18},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"y": y, "strokeDash": by(dash)},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1},
                "encoding": {"y": y, "shape": by(shape), "description": {"field": "said"}},
            },
        ],
    }


PART = Section(
    title="How fast it breaks",
    needs="corruptions at two severities or more",
    place=40,
    make=make,
)

"""Clean and corrupted: whether a model that errs less on clean pictures breaks less, too."""

import math
from collections.abc import Sequence
from typing import Any

from brittle.scoring.bootstrap import Number
from brittle.scoring.described import described
from brittle.sections._chart import Spec, figure
from brittle.sections._colours import series, shape
from brittle.sections._html import Html, tag
from brittle.sections._labels import Spot, placed
from brittle.sections._marks import PAPER
from brittle.sections._material import Material, View
from brittle.sections._published import Known, valued
from brittle.sections._words import shown, under
from brittle.sections.base import Missing, Section

ACROSS = "clean_error"
UP = ("mce", "relative_mce", "mean_corruption_error")
ABOUT = {
    "mce": "Divided by AlexNet's errors or another baseline's. A better network is mostly lower "
    "as well.",
    "relative_mce": "Only what corruption adds to the clean error. A network that is right more "
    "often on clean pictures has more to lose, and is often higher here.",
    "mean_corruption_error": "Not divided by anything: hard corruptions count more.",
}
WIDTH, HEIGHT, MARGIN = 460, 260, 50


def make(material: Material) -> Html | Missing:
    """Draw the clean error against each score of corruption that two models or more have."""
    found: list[tuple[str, list[Html]]] = []
    seen = False
    for name, views in material.ladders().items():
        rows = material.beside(name)
        charts: list[Html] = []
        for score in UP:
            points = _points(views, score, valued(rows, score, ACROSS))
            seen = seen or bool(points)
            if len(points) > 1 and not (score == UP[-1] and charts):
                charts.append(_chart(points, score))
        if charts:
            found.append((name, [tag("div", charts, class_="pair")]))
    if found:
        return under(found)
    if not material.ladders():
        return Missing()
    return Missing(
        "One model alone has nothing to stand beside; give another run, or published rows."
        if seen
        else "It needs a score of corruption and the error on the clean pictures of the same run."
    )


def _points(views: Sequence[View], name: str, rows: Sequence[Known]) -> list[dict[str, Any]]:
    found = []
    for view in views:
        up, across = view.score(name), view.score(ACROSS)
        if up is None or across is None:
            continue
        said = f"{view.name}: clean error {shown(across.number)}, {up.title} {shown(up.number)}"
        found.append(_point(view.name, across.number, up.number, said, view.place))
    for row in rows:
        bare, bare_up = (Number(row.values[one], math.nan, math.nan) for one in (ACROSS, name))
        said = f"{row.name}: clean error {row.values[ACROSS]:g}, {row.values[name]:g} (published)"
        found.append(_point(row.name, bare, bare_up, said, None))
    return found


def _point(name: str, across: Number, up: Number, said: str, place: int | None) -> dict[str, Any]:
    ends = {
        f"{axis}{end}": value if math.isfinite(value) else number.value
        for axis, number in (("x", across), ("y", up))
        for end, value in (("0", number.low), ("1", number.high))
    }
    return {
        "name": name,
        "x": across.value,
        "y": up.value,
        **ends,
        "said": said,
        "colour": PAPER if place is None else series(place),
        "shape": "circle" if place is None else shape(place),
        "size": 30 if place is None else 90,
        "own": place is not None,
    }


def _chart(points: list[dict[str, Any]], name: str) -> Html:
    metric = described(name)
    title = f"Clean error against {metric.title}"
    alt = f"{title}: " + "; ".join(point["said"] for point in points)
    head = tag("h4", title)
    drawn = figure(
        lambda width: _spec(points, metric.title, width), alt=alt, caption=ABOUT[name], wide=WIDTH
    )
    return tag("div", head, drawn, class_="panel")


def _spec(points: list[dict[str, Any]], title: str, width: int) -> Spec:
    spans = {}
    for axis in "xy":
        ends = [point[f"{axis}{end}"] for point in points for end in "01"]
        room = (max(ends) - min(ends) or 1) * 0.12
        spans[axis] = (max(0.0, min(ends) - room), max(ends) + room)
    inner = width - MARGIN
    low, high = spans["x"]
    bottom, top = spans["y"]
    spots = [
        Spot(
            (point["x"] - low) / (high - low) * inner,
            (top - point["y"]) / (top - bottom) * HEIGHT,
            point["name"],
            point["own"],
        )
        for point in points
    ]
    names = [
        {
            "name": point["name"],
            "colour": point["colour"],
            "x": low + box.left / inner * (high - low),
            "y": top - (box.top + box.bottom) / 2 / HEIGHT * (top - bottom),
        }
        for point, box in zip(points, placed(spots, inner, HEIGHT), strict=True)
        if box is not None
    ]
    ticks = {"tickCount": 5}
    x: Spec = {"field": "x", "type": "quantitative", "scale": {"domain": spans["x"], "nice": False},
               "axis": {"title": "clean error (%)", **ticks}}  # fmt: skip
    y: Spec = {"field": "y", "type": "quantitative", "scale": {"domain": spans["y"], "nice": False},
               "axis": {"title": f"{title} (%)", **ticks}}  # fmt: skip
    colour = {"field": "colour", "type": "nominal", "scale": None}
    hover = {"description": {"field": "said"}}
    rule = {"type": "rule", "strokeWidth": 2}
    texts: Spec = {
        "data": {"values": names},
        "mark": {"type": "text", "align": "left"},
        "encoding": {"x": x, "y": y, "text": {"field": "name"}, "color": colour},
    }
    return {
        "width": inner,
        "height": HEIGHT,
        "data": {"values": points},
        "layer": [
            {
                "mark": rule,
                "encoding": {"x": {**x, "field": "x0"}, "x2": {"field": "x1"}, "y": y,
                             "color": colour},
            },
            {
                "mark": rule,
                "encoding": {"y": {**y, "field": "y0"}, "y2": {"field": "y1"}, "x": x,
                             "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": colour, **hover,
                             "shape": {"field": "shape", "type": "nominal", "scale": None},
                             "size": {"field": "size", "type": "quantitative", "scale": None}},
            },
            texts,
        ],
    }  # fmt: skip


PART = Section(
    title="Clean error against corruption error",
    needs="a grid of corruptions with clean pictures; two models, one of them perhaps published",
    place=20,
    make=make,
)

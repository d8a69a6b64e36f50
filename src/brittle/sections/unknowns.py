"""Unknowns: how well detectors tell what the model knows from what it has never seen."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from brittle import reports
from brittle.detectors import DETECTORS
from brittle.errors import ScoreError
from brittle.scoring.bootstrap import Number
from brittle.scoring.detecting import USUAL, Detection
from brittle.sections._chart import svg
from brittle.sections._html import Html, joined, tag
from brittle.sections._lines import PERCENT, Axis, Line, panel
from brittle.sections._material import Material, View
from brittle.sections._table import notes, table
from brittle.sections._words import breakable, counted, swatches, under
from brittle.sections.base import Missing, Section
from brittle.separation import Curve, Groups, measure
from brittle.spec import parse

DRAWN = 5
"""Detectors of one run whose curves are drawn."""
HOW = (
    " Up: the share of the strange pictures that are found; across: the share of the known ones "
    "that are taken for strange. The dashed line is chance."
)
POINTS = 120
"""Of a curve."""


class _Curve(NamedTuple):
    """A ROC curve of a run or of a detector."""

    place: int
    who: str
    curve: Curve


def make(material: Material) -> Html | Missing:
    """Show every suite with pictures of what the model does not know."""
    made: list[tuple[str, list[Html]]] = []
    why: list[str] = []
    for name, views in material.only(lambda view: view.suite.strange).items():
        try:
            made.append((name, _suite(views)))
        except ScoreError as error:
            why.append(str(error))
    return under(made) if made else Missing(" ".join(why))


def _suite(views: Sequence[View]) -> list[Html]:
    made = [_curves(views)]
    for view in views:
        sheets = reports.detection(view.name, view.suite, view.detection)
        made.append(table(sheets[0]))
        made += [tag("details", tag("summary", s.title), table(s)) for s in sheets[1:]]
        said = (note.rstrip(".") for sheet in sheets for note in sheet.notes)
        made.append(notes(tuple(f"{note}." for note in said)))
        if view.many:
            many = (
                f"{counted(view.images, 'picture')} of {view.name} are many, so detectors that "
                f"are fitted are left out here; brittle detect takes them."
            )
            made.append(tag("p", many, class_="how"))
    return made


def _curves(views: Sequence[View]) -> Html:
    """Draw ROC curves a strange set: of the runs, or of one run's detectors."""
    panels: dict[str, list[_Curve]] = {}
    if len(views) > 1:
        for view in views:
            usual = USUAL[view.suite.task]
            _collect(panels, view, usual, view.place, view.name)
        names = {view.place: view.name for view in views}
        about = f"The usual detector, {DETECTORS.load(usual).title}, on each strange set."
    else:
        (view,) = views
        best = _best(view.detection)
        for place, (detector, title) in enumerate(best.items()):
            _collect(panels, view, detector, place, title)
        names = dict(enumerate(best.values()))
        compared = DETECTORS.load(parse(str(view.detection.against)).name).title
        about = f"The best detectors, and {compared}, on each strange set."
    axes = Axis(0, 100, "taken for strange, %", ticks=PERCENT), Axis(0, 100, ticks=PERCENT)
    drawn = [
        tag(
            "div",
            tag("h4", breakable(name)),
            svg(panel([_line(one) for one in some], *axes, square=True), alt=_alt(name, some)),
            class_="small",
        )
        for name, some in panels.items()
    ]
    return joined(
        tag("p", about, HOW, class_="about"),
        swatches(names),
        tag("div", drawn, class_="curves large"),
    )


def _best(found: Detection) -> dict[str, str]:
    """Return the detectors with the best mean, and the one that others are compared with."""
    first, last = found.measures[0], found.sets[-1]
    titles = {row.detector: row.title for row in found.rows}
    sign = 1 if found.better[first] == "lower" else -1
    order = sorted(titles, key=lambda name: sign * found.of(name, first, last).value)[:DRAWN]
    if found.against is not None and found.against not in order:
        order[-1] = found.against
    return {name: titles[name] for name in order}


def _collect(
    panels: dict[str, list[_Curve]], view: View, detector: str, place: int, who: str
) -> None:
    scored = view.detection.scored
    for name, strange in scored.strange.items():
        curve = Groups(strange[detector], scored.usual[detector]).curve
        panels.setdefault(name, []).append(_Curve(place, who, curve))


def _line(one: _Curve) -> Line:
    x, y = (np.append(0.0, row[0] / row[0, -1]) for row in (one.curve.false, one.curve.true))
    at = np.unique(np.searchsorted(x + y, np.linspace(0, 2, POINTS)).clip(0, len(x) - 1))
    nan = float("nan")
    numbers = [Number(100 * value, nan, nan) for value in y[at].tolist()]
    return Line(one.place, (100 * x[at]).tolist(), numbers)


def _alt(name: str, some: Sequence[_Curve]) -> str:
    areas = (f"{one.who} {100 * float(measure(one.curve, 'auroc')[0]):.1f}" for one in some)
    return f"ROC curves against {name}, with AUROC in %: {'; '.join(areas)}"


PART = Section(
    title="What it does not know",
    needs="known and strange pictures: a suite such as ood or imagenet-o",
    place=80,
    make=make,
)

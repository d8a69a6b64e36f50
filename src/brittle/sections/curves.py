"""Distortion curves: how the error rises with the severity, a panel a corruption."""

from collections.abc import Sequence

from brittle.scoring.bootstrap import Number
from brittle.sections._chart import svg
from brittle.sections._html import Html, joined, tag
from brittle.sections._lines import Axis, Line, panel, top
from brittle.sections._material import Material, View
from brittle.sections._words import breakable, legend, shown, under
from brittle.sections.base import Missing, Section


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
    lines = {group: [line for view in views for line in _lines(view, group)] for group in groups}
    y = Axis(0, top([line for some in lines.values() for line in some]))
    last = max(cell.severity or 0 for view in views for cell in view.suite.cells)
    drawn = [
        tag(
            "div",
            tag("h4", breakable(group)),
            svg(panel(some, Axis(0, last, whole=True), y), alt=_alt(group, views)),
            class_="small",
        )
        for group, some in lines.items()
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


def _lines(view: View, group: str) -> list[Line]:
    found = _numbers(view, group)
    said = [f"{view.name}, severity {at}: {shown(number, unit='%')}" for at, number in found]
    line = Line(view.place, [at for at, _ in found], [number for _, number in found], said)
    return [line] if found else []


def _alt(group: str, views: Sequence[View]) -> str:
    said = []
    for view in views:
        numbers = ", ".join(f"{n.value:.1f} at {severity}" for severity, n in _numbers(view, group))
        if numbers:
            said.append(f"{view.name} {numbers}")
    return f"Error in % under {group} by severity: {'; '.join(said)}"


PART = Section(
    title="How fast it breaks",
    needs="corruptions at two severities or more",
    place=40,
    make=make,
)

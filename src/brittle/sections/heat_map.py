"""The heat map: the error under every corruption at every severity."""

from collections.abc import Sequence
from itertools import groupby

from brittle.outcomes import Cell
from brittle.reports._words import category
from brittle.reports.base import Figure
from brittle.scoring.bootstrap import Number
from brittle.sections._colours import shade
from brittle.sections._html import Html, joined, tag
from brittle.sections._material import Material, View
from brittle.sections._words import breakable, counted, shown, under
from brittle.sections.base import Missing, Section

CE = ("mce", "extra_mce")


def make(material: Material) -> Html | Missing:
    """Draw a map for every run that has a grid."""
    ladders = material.ladders()
    if not ladders:
        return Missing()
    about = tag(
        "p",
        "Top-1 error in %: from pale (0) to dark (100). Point at a cell for its interval.",
        class_="about",
    )
    return joined(about, under([(name, [_maps(views)]) for name, views in ladders.items()]))


def _maps(views: Sequence[View]) -> Html:
    return tag("div", [tag("div", _map(view)) for view in views], class_="pair")


def _map(view: View) -> Html:
    ladder = [cell for cell in view.suite.cells if cell.role in ("grid", "extra")]
    severities = sorted({cell.severity or 0 for cell in ladder})
    at = {(cell.group, cell.severity or 0): cell for cell in ladder}
    ces = {
        group: number
        for name in CE
        if (score := view.score(name))
        for group, number in score.columns.items()
    }
    head = [
        tag("th", "corruption", scope="col"),
        *(
            tag("th", str(one), scope="col", class_="n", title=f"severity {one}")
            for one in severities
        ),
        tag("th", "mean", scope="col", class_="n"),
        tag("th", "CE", scope="col", class_="n") if ces else None,
    ]
    bodies = []
    groups = dict.fromkeys(cell.group for cell in ladder)
    extra = {cell.group for cell in ladder if cell.role == "extra"}
    for kind, some in groupby(groups, key=lambda group: _kind(group, extra)):
        rows = [tag("tr", tag("th", kind, scope="rowgroup", colspan=len(severities) + 3))]
        for group in some:
            cells = [
                _cell(view, at.get((group, one)), f"{group}, severity {one}") for one in severities
            ]
            mean, ce = view.cells.means.get(group), ces.get(group)
            rows.append(
                tag("tr", tag("th", breakable(group), scope="row"), cells, _plain(mean, 1),
                    _plain(ce, 0) if ces else None)
            )  # fmt: skip
        bodies.append(tag("tbody", rows))
    said = f"{view.name}: top-1 error in % by corruption and severity"
    whole = tag("table", tag("caption", said), tag("thead", tag("tr", head)), bodies, class_="heat")
    return joined(
        tag("div", whole, class_="table", tabindex=0, role="region", aria_label=said),
        tag("p", _clean(view), class_="how"),
    )


def _kind(group: str, extra: set[str]) -> str:
    return "kept apart for validation" if group in extra else category(group) or "other"


def _cell(view: View, cell: Cell | None, where: str) -> Html:
    number = None if cell is None else view.cells.errors.get(cell)
    if number is None:
        return tag("td", "-", class_="n", title=f"{where}: not measured on every picture")
    ground, ink = shade(number.value / 100)
    return tag(
        "td",
        f"{number.value:.1f}",
        class_="n",
        title=f"{where}: {shown(number, unit='%')}",
        data_v=repr(number.value),
        style=f"background:{ground};color:{ink}",
    )


def _plain(number: Number | None, digits: int) -> Html:
    if number is None:
        return tag("td", "-", class_="n")
    one = Figure.of(number, digits)
    return tag("td", one.text(one.value), class_="n", title=shown(number, max(digits, 1)),
               data_v=repr(number.value))  # fmt: skip


def _clean(view: View) -> str:
    found = [number for cell, number in view.cells.errors.items() if cell.role == "clean"]
    missing = len(view.suite.cells) - len(view.cells.errors)
    said = [f"Clean pictures: {shown(one, unit='%')}." for one in found[:1]]
    if missing:
        said.append(f"{counted(missing, 'cell')} not measured on every picture.")
    return " ".join(said)


PART = Section(
    title="Where it breaks",
    needs="a grid of corruptions and severities",
    place=30,
    make=make,
)

"""Confidence: whether the model is right as often as it is sure, and what silence would buy."""

from collections.abc import Sequence

from brittle import reports
from brittle.errors import ScoreError
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import Number
from brittle.scoring.trusting import CORRUPTED, Calibration
from brittle.sections._chart import svg
from brittle.sections._html import Html, joined, tag
from brittle.sections._lines import PERCENT, Axis, Line, panel
from brittle.sections._material import Material, View
from brittle.sections._table import noted, table
from brittle.sections._trust import FEWEST, Trusted, diagram, possible, silent
from brittle.sections._words import breakable, counted, legend, under
from brittle.sections.base import Missing, Section

ARROWS = {"lower": "\u2193", "higher": "\u2191"}
UNFINISHED = "not every picture is measured yet; finish the run."
FOREMOST = 3
"""Numbers in the short table."""
DRAWN = 8
"""Groups that are drawn; the table has all."""
ABOUT = (
    "How often it is right over how sure it is; on the dashed line it is right as often as it "
    f"says, below it is too sure. Bands are 95 % intervals; fewer than {FEWEST} answers are no "
    "point."
)
SILENT = (
    "Accuracy of the answers that are given, when only the surest so many % of the pictures are "
    "answered."
)


def make(material: Material) -> Html | Missing:
    """Show every suite with labels and confidences."""
    made: list[tuple[str, list[Html]]] = []
    why: dict[str, None] = {}
    for name, views in material.only(possible).items():
        whole = [view for view in views if view.whole]
        why |= {f"{v.name}, {name}: {UNFINISHED}": None for v in views if not v.whole}
        try:
            made += [(name, _suite(len(made), whole))] if whole else []
        except ScoreError as error:
            why[f"{name}: {error}"] = None
    return under(made) if made else Missing(" ".join(why))


def _suite(at: int, views: Sequence[View]) -> list[Html]:
    trusted = {view.place: Trusted(view) for view in views}
    sure: dict[str, list[Line]] = {}
    answered: dict[str, list[Line]] = {}
    for view in views:
        for name, answers in trusted[view.place].answers():
            sure.setdefault(name, []).append(diagram(view.place, view.name, answers))
            answered.setdefault(name, []).append(silent(view.place, answers))
    percent = Axis(0, 100, ticks=PERCENT)
    lowest = min(n.value for lines in answered.values() for line in lines for n in line.y)
    made = [tag("p", ABOUT, class_="about"), legend(views, group=f"sure-{at}")]
    made.append(_panels(sure, Axis(0, 100, "sure, %", ticks=PERCENT), percent, views, square=True))
    made += [tag("p", SILENT, class_="about"), legend(views, group=f"silent-{at}")]
    floor = max(0, 10 * int(lowest // 10))
    made.append(
        _panels(answered, Axis(0, 100, "answered, %", ticks=PERCENT), Axis(floor, 100), views)
    )
    found = [(view, trusted[view.place].numbers()) for view in views]
    made.append(table(_short(views, [calibration for _, calibration in found])))
    for view, calibration in found:
        (sheet, *_) = reports.calibration(view.name, view.suite, calibration)
        summary = tag("summary", f"{view.name}: all numbers")
        made.append(tag("details", summary, noted(sheet)))
        if calibration.replicates < view.replicates:
            said = (
                f"{view.name} has so many predictions that these intervals are of "
                f"{calibration.replicates:,} replicates; brittle calibrate takes all."
            )
            made.append(tag("p", said, class_="how"))
    return made


def _panels(
    groups: dict[str, list[Line]],
    x: Axis,
    y: Axis,
    views: Sequence[View],
    *,
    square: bool = False,
) -> Html:
    drawn = [
        tag(
            "div",
            tag("h4", breakable(name)),
            svg(panel(lines, x, y, square=square), alt=_alt(name, x, lines, views)),
            class_="small",
        )
        for name, lines in list(groups.items())[:DRAWN]
        if any(line.x for line in lines)
    ]
    more = len(groups) - DRAWN
    said = f"{counted(more, 'more group')} in the table." if more > 0 else None
    return joined(
        tag("div", drawn, class_="curves large" if square else "curves"),
        tag("p", said, class_="how") if said else None,
    )


def _alt(name: str, x: Axis, lines: Sequence[Line], views: Sequence[View]) -> str:
    names = {view.place: view.name for view in views}
    said = [
        f"{names[line.place]} " + ", ".join(f"{n.value:.0f} at {at:.0f}" for at, n in _some(line))
        for line in lines
        if line.x
    ]
    return f"Right in % over {x.title}, {name}: {'; '.join(said)}"


def _some(line: Line) -> list[tuple[float, Number]]:
    pairs = list(zip(line.x, line.y, strict=True))
    return pairs[:: max(1, len(pairs) // 8)]


def _short(views: Sequence[View], found: Sequence[Calibration]) -> Sheet:
    """Return the foremost numbers of all runs: plain pictures, and the mean over corruptions."""
    rows: list[tuple[Entry, ...]] = []
    for view, calibration in zip(views, found, strict=True):
        grid = {cell.group for cell in view.suite.cells if cell.role in ("grid", "extra")}
        rows += [
            (
                row.name,
                view.name,
                *(Figure.of(row.values[t], 3) for t in calibration.measures[:FOREMOST]),
            )
            for row in calibration.rows
            if row.name == CORRUPTED or row.name not in grid
        ]
    order = list(dict.fromkeys(row[0] for row in rows))
    rows.sort(key=lambda row: order.index(row[0]))
    first = found[0]
    columns = [Column("name", "pictures", "left"), Column("model", "model", "left")]
    columns += [
        Column(name, f"{name} {ARROWS[first.better[name]]}") for name in first.measures[:FOREMOST]
    ]
    return Sheet(title="Calibration", columns=tuple(columns), rows=tuple(rows), facts={})


PART = Section(
    title="What its confidence is worth",
    needs="pictures with labels, and a model that gives probabilities",
    place=75,
    make=make,
)

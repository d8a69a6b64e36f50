"""Scores: each run's scores with their intervals, the foremost beside what papers print."""

import math
from collections.abc import Sequence

from brittle.metrics import METRICS, find
from brittle.reports._words import withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import Number
from brittle.scoring.sameness import Side, compared
from brittle.scoring.scores import Score
from brittle.sections._chart import figure
from brittle.sections._html import Html, joined, tag
from brittle.sections._marks import Dot, dots
from brittle.sections._material import Material, View, headline
from brittle.sections._published import Known, published, valued
from brittle.sections._table import notes, table
from brittle.sections._words import facts, listed, shown, under
from brittle.sections.base import Missing, Section

MANY = 12
"""Published rows in the table of a score; the chart has all of them."""
ARROWS = {"lower": "\u2193", "higher": "\u2191"}
WORDS = {"lower": "lower is better", "higher": "higher is better"}


def make(material: Material) -> Html | Missing:
    """Show the scores of every suite."""
    found = []
    for name, views in material.suites.items():
        rows = published(views[0].suite, material.published.get(name, ()))
        found.append((name, _suite(views, rows)))
    return under(found)


def _suite(views: Sequence[View], rows: Sequence[Known]) -> list[Html]:
    made = [tag("p", views[0].suite.about, class_="about")]
    name = headline(views)
    if name is not None:
        made += [_cards(views, name), _chart(views, name, valued(rows, name))]
        made.append(table(_sheet(views, rows), marked=_quiet(views, rows)))
    made.append(notes(tuple(_notes(views, rows))))
    return made


def _cards(views: Sequence[View], name: str) -> Html:
    cards = []
    for view in views:
        score = view.score(name)
        if score is None:
            continue
        one = Figure.of(score.number, score.digits)
        cards.append(
            tag(
                "div",
                tag("span", view.name, class_="who"),
                tag("strong", one.text(one.value), _unit(score)),
                tag("span", score.title, class_="what"),
                tag("span", _interval(score), class_="how"),
                tag("span", f"{WORDS[score.better]}; {facts(view)}", class_="how"),
                class_=f"card s{view.place % 6}",
            )
        )
    return tag("div", cards, class_="cards")


def _unit(score: Score) -> Html:
    return tag("small", f"\u2009{score.unit}")


def _interval(score: Score) -> str:
    if math.isnan(score.low):
        return "no interval was asked for"
    one = Figure.of(score.number, score.digits)
    return f"{100 * score.level:g} % interval {one.text(one.low)} to {one.text(one.high)}"


def _chart(views: Sequence[View], name: str, rows: Sequence[Known]) -> Html:
    metric = METRICS.load(name)
    lines = []
    for view in views:
        if score := view.score(name):
            said = f"{view.name}: {score.title} {shown(score.number, score.digits)}"
            lines.append(Dot(name=view.name, number=score.number, said=said, place=view.place))
    for row in rows:
        value = row.values[name]
        said = f"{row.name}: {metric.title} {value:g}, as printed in {row.source}"
        lines.append(Dot(name=row.name, number=Number(value, math.nan, math.nan), said=said))
    if len(lines) < 2:
        return joined()
    lines.sort(key=lambda dot: (dot.number.value, dot.name), reverse=metric.better == "higher")
    title = f"{metric.title} ({metric.unit}), {WORDS[metric.better]}"
    alt = f"{title}, the best first: " + "; ".join(f"{d.name} {shown(d.number)}" for d in lines)
    beside = " Grey marks are printed in papers, without an interval." if rows else ""
    caption = f"Points are {metric.title}, lines their intervals.{beside}"
    return figure(lambda width: dots(lines, title=title, width=width), alt=alt, caption=caption)


def _lines(
    views: Sequence[View], rows: Sequence[Known]
) -> list[tuple[str, list[tuple[Entry, ...]]]]:
    """Return score -> the lines of the table, the best first."""
    names = dict.fromkeys(find(n)[0] for view in views for n in view.suite.scores)
    found = []
    for name in names:
        metric = METRICS.load(name)
        lines: list[tuple[float, tuple[Entry, ...]]] = []
        for view in views:
            if score := view.score(name):
                number = Figure.of(score.number, score.digits)
                lines.append((score.value, (score.title, view.name, number, ARROWS[score.better])))
        if not lines:
            continue
        for row in valued(rows, name)[:MANY]:
            number = Figure(row.values[name], digits=metric.digits)
            entry: tuple[Entry, ...] = (metric.title, f"{row.name} (published)", number,
                                        ARROWS[metric.better])  # fmt: skip
            lines.append((row.values[name], entry))
        lines.sort(key=lambda line: line[0], reverse=metric.better == "higher")
        found.append((name, [line for _, line in lines]))
    return found


def _sheet(views: Sequence[View], rows: Sequence[Known]) -> Sheet:
    lines = _lines(views, rows)
    level = f"{100 * views[0].level:g} %"
    rules, at = [], 0
    for _, some in lines:
        at += len(some)
        rules.append(at)
    return Sheet(
        title=f"Scores in %, with {level} intervals" if views[0].replicates else "Scores in %",
        columns=(
            Column("score", "score", "left"),
            Column("model", "model", "left"),
            Column("value", "%"),
            Column("direction", "better", "left"),
        ),
        rows=tuple(line for _, some in lines for line in some),
        facts={},
        rules=tuple(rules),
    )


def _quiet(views: Sequence[View], rows: Sequence[Known]) -> frozenset[int]:
    printed = {f"{row.name} (published)" for row in rows}
    flat = [line for _, some in _lines(views, rows) for line in some]
    return frozenset(at for at, line in enumerate(flat) if line[1] in printed)


def _notes(views: Sequence[View], rows: Sequence[Known]) -> list[str]:
    said: dict[str, list[str]] = {}
    for view in views:
        for score in view.scores:
            for note in score.notes:
                who = f"{view.name}, {score.title}" if len(views) > 1 else score.title
                said.setdefault(note, []).append(who)
    found = [f"{listed(who)}: {note}." for note, who in said.items()]
    found += _others(views)
    several = len(views) > 1
    reasons = withheld(
        (f"{view.name}: " if several else "", view.scores.withheld) for view in views
    )
    found += [one if one.endswith(".") else f"{one}." for one in reasons]
    sources = dict.fromkeys(row.source for row in rows)
    if sources and any(valued(rows, score.name) for view in views for score in view.scores):
        found.append(
            "Published rows are on all pictures of their set, and from another network or "
            f"training; their sources: {'; '.join(sources)}."
        )
    return found


def _others(views: Sequence[View]) -> list[str]:
    """Say which runs are not of the same pictures as the first."""
    sides = [Side(view.name, view.suite, view.outcomes, view.run.info) for view in views]
    found = []
    for side in sides[1:]:
        same = compared(sides[0], side)
        if same.differ:
            found.append(
                f"{side.who} is not on the same pictures as {sides[0].who}, so their numbers "
                f"do not belong in one ranking: {'; '.join(same.differ)}."
            )
        found += [f"{note}." for note in same.notes]
    return found


PART = Section(
    title="Scores",
    needs="any suite",
    place=10,
    make=make,
)

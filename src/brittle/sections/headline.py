"""Scores: each run's scores with their intervals, the foremost beside what papers print."""

import math
from collections.abc import Sequence

from brittle.reports._words import withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import Number
from brittle.scoring.described import described
from brittle.scoring.sameness import Side, compared
from brittle.scoring.scores import Score
from brittle.scoring.unknowns import of_outputs
from brittle.sections._chart import figure
from brittle.sections._colours import SERIES
from brittle.sections._html import Html, joined, tag
from brittle.sections._marks import Dot, dots
from brittle.sections._material import Material, View, headline
from brittle.sections._published import Known, valued
from brittle.sections._table import notes, table
from brittle.sections._words import facts, listed, shown, under
from brittle.sections.base import Missing, Section

MANY = 12
"""Published rows in the chart of a score; the table has all of them."""
ARROWS = {"lower": "\u2193 lower", "higher": "\u2191 higher"}
WORDS = {"lower": "lower is better", "higher": "higher is better"}


def make(material: Material) -> Html | Missing:
    """Show the scores of every suite."""
    found = []
    for name, views in material.suites.items():
        found.append((name, _suite(views, material.beside(name))))
    return under(found)


def _suite(views: Sequence[View], rows: Sequence[Known]) -> list[Html]:
    made = [tag("p", views[0].suite.about, class_="about")]
    name = headline(views)
    if name is not None:
        made += [_cards(views, name), _chart(views, name, valued(rows, name))]
        made.append(table(_sheet(views)))
        made += _sets(views) if of_outputs(views[0].suite) else []
        made.append(_printed(views, rows))
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
                tag("span", f"{WORDS[score.better]}; {facts(view, score.images)}", class_="how"),
                class_=f"card s{view.place % len(SERIES)}",
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
    metric = described(name)
    lines = []
    for view in views:
        if score := view.score(name):
            said = f"{view.name}: {score.title} {shown(score.number, score.digits)}"
            lines.append(Dot(name=view.name, number=score.number, said=said, place=view.place))
    near = _near(views, name, rows)
    for row in near:
        value = row.values[name]
        said = f"{row.name}: {metric.title} {value:g}, as printed in {row.source}"
        lines.append(Dot(name=row.name, number=Number(value, math.nan, math.nan), said=said))
    if len(lines) < 2:
        return joined()
    lines.sort(key=lambda dot: (dot.number.value, dot.name), reverse=metric.better == "higher")
    title = f"{metric.title} ({metric.unit}), {WORDS[metric.better]}"
    alt = f"{title}, the best first: " + "; ".join(f"{d.name} {shown(d.number)}" for d in lines)
    beside = " Grey marks are printed in papers, without an interval." if near else ""
    odd = [
        f"{view.name} is {score.title}"
        for view in views
        if (score := view.score(name)) and score.title != metric.title
    ]
    beside += f" {listed(odd)}." if odd else ""
    if len(near) < len(rows):
        beside += f" Of {len(rows)}, the best, the worst and those nearest to the runs are shown."
    caption = f"Points are {metric.title}, lines their intervals.{beside}"
    return figure(lambda width: dots(lines, title=title, width=width), alt=alt, caption=caption)


def _near(views: Sequence[View], name: str, rows: Sequence[Known]) -> list[Known]:
    """Return the best and the worst published row, and those that are nearest to the runs."""
    ranked = sorted(rows, key=lambda row: (row.values[name], row.name))
    if len(ranked) <= MANY:
        return ranked
    own = [score.value for view in views if (score := view.score(name))]
    inner = sorted(ranked[1:-1], key=lambda row: min(abs(row.values[name] - v) for v in own))
    return [ranked[0], *inner[: MANY - 2], ranked[-1]]


def _sheet(views: Sequence[View]) -> Sheet:
    """Return the runs' scores, of each score the best first."""
    level = f"{100 * views[0].level:g} %"
    rows: list[tuple[Entry, ...]] = []
    rules = []
    for name in dict.fromkeys(described(n).name for view in views for n in view.suite.scores):
        scored = [(score, view) for view in views if (score := view.score(name))]
        scored.sort(key=lambda pair: pair[0].value, reverse=described(name).better == "higher")
        rows += [
            (s.title, view.name, Figure.of(s.number, s.digits), s.unit, ARROWS[s.better])
            for s, view in scored
        ]
        rules.append(len(rows))
    units = {row[3] for row in rows}
    if units == {"%"}:
        rows = [(*row[:3], row[4]) for row in rows]
    unit = [] if units == {"%"} else [Column("unit", "", "left")]
    said = "Scores in %" if units == {"%"} else "Scores"
    return Sheet(
        title=f"{said}, with {level} intervals" if views[0].replicates else said,
        columns=(
            Column("score", "score", "left"),
            Column("model", "model", "left"),
            Column("value", "value" if unit else "%"),
            *unit,
            Column("direction", "better", "left"),
        ),
        rows=tuple(rows),
        facts={},
        rules=tuple(rules),
    )


def _sets(views: Sequence[View]) -> list[Html]:
    """Return a table a score with the sets that it is the mean of."""
    made = []
    for name in dict.fromkeys(score.name for view in views for score in view.scores):
        scored = [(view.name, score) for view in views if (score := view.score(name))]
        names = list(dict.fromkeys(group for _, score in scored for group in score.columns))
        sheet = Sheet(
            title=f"{scored[0][1].column} in % on each set",
            columns=(Column("model", "model", "left"), *(Column(one, one) for one in names)),
            rows=tuple((who, *(_column(score, one) for one in names)) for who, score in scored),
            facts={},
        )
        made += [table(sheet)] if len(names) > 1 else []
    return made


def _column(score: Score, name: str) -> Figure | None:
    number = score.columns.get(name)
    return None if number is None else Figure.of(number, score.column_digits)


def _printed(views: Sequence[View], rows: Sequence[Known]) -> Html:
    """Return the table of what papers print of the runs' scores."""
    given = dict.fromkeys(score.name for view in views for score in view.scores)
    known = [row for row in rows if any(name in row.values for name in given)]
    names = [name for name in given if any(name in row.values for row in known)]
    if not known:
        return joined()
    sign = -1 if described(names[0]).better == "higher" else 1
    known.sort(key=lambda row: (sign * row.values.get(names[0], sign * math.inf), row.name))
    sheet = Sheet(
        title="Published results in %, without intervals",
        columns=(
            Column("model", "model", "left"),
            *(Column(name, described(name).title) for name in names),
            Column("source", "source", "left"),
        ),
        rows=tuple((row.name, *(_value(row, name) for name in names), row.source) for row in known),
        facts={},
    )
    said = f"Published results ({len(known)})"
    return tag("details", tag("summary", said), table(sheet))


def _value(row: Known, name: str) -> Figure | None:
    if name not in row.values:
        return None
    return Figure(row.values[name], digits=described(name).digits)


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
    if any(valued(rows, score.name) for view in views for score in view.scores):
        found.append(
            "Published results are on all pictures of their set. They are fair neighbours of a run "
            "that has all pictures, too, and whose titles say nothing in brackets."
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

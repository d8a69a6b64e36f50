"""Pictures that broke: the run's own, clean and corrupted, with what the model said of both."""

import warnings
from collections.abc import Sequence

from brittle.errors import SourceError
from brittle.outcomes import Cell
from brittle.reports.base import Column, Figure, Sheet
from brittle.sections._album import ELSEWHERE, Album
from brittle.sections._answers import Answer, share
from brittle.sections._broken import RULE, SUREST, Broken, chosen
from brittle.sections._html import Html, tag
from brittle.sections._material import Material, View
from brittle.sections._table import table
from brittle.sections._thumbnail import thumbnail
from brittle.sections._words import called, under
from brittle.sections.base import Missing, Section
from brittle.types import Pixels

MOST, SHARED = 15, 24
"""Pairs of a run, and of all runs together, so that the page stays small."""
HOW = (
    "A run stores predictions and no pictures. To see these, give the data again: "
    "brittle report RUN --data DIR."
)


def make(material: Material) -> Html | Missing:
    """Show the pictures of every run with a grid and a clean counterpart."""
    ladders = material.ladders()
    if not ladders:
        return Missing()
    count = max(1, min(MOST, SHARED // sum(map(len, ladders.values()))))
    found: list[tuple[str, list[Html]]] = []
    shown = 0
    why: dict[str, str] = {}
    for name, views in ladders.items():
        made = []
        for view in views:
            if some := chosen(view, count):
                pairs, others = _pairs(material.album, view, some, why)
                shown += len(pairs)
                made.append(_strip(view, pairs, others, ELSEWHERE if material.album else HOW))
        if made:
            found.append((name, made))
    if not found:
        return Missing(
            "No picture that is right when clean breaks, or the clean pictures were not measured."
        )
    if material.album and not shown:
        places = ", ".join(map(str, material.album.places))
        raise SourceError(
            f"The data given ({places}) do not hold the pictures of the runs: "
            f"{'; '.join(one.rstrip('.') for one in dict.fromkeys(why.values()))}. Give those that "
            f"were measured, or leave --data out."
        )
    if material.album:
        # Not on the page, which is shown around: the reason has places of this machine.
        for name, reason in why.items():
            warnings.warn(f"Pictures of {name} are not shown: {reason}.", stacklevel=2)
    sure = any(not view.suite.foremost_only for views in ladders.values() for view in views)
    rule = RULE.format(surest=SUREST if sure else "")
    return tag("div", tag("p", rule, class_="about"), under(found))


def _pairs(
    album: Album, view: View, some: Sequence[Broken], why: dict[str, str]
) -> tuple[list[Html], list[Broken]]:
    """Return the pairs that can be shown, and those that cannot; `why` notes the reason."""
    pairs, others = [], []
    for one in some:
        try:
            clean, changed = (
                album.picture(view.run, cell.set, one.key, cell.condition)
                for cell in (one.clean, one.cell)
            )
        except SourceError as error:
            why.setdefault(view.name, str(error))
            others.append(one)
        else:
            pairs.append(_pair(view, one, clean, changed))
    return pairs, others


def _strip(view: View, pairs: list[Html], others: list[Broken], why: str) -> Html:
    every = {cell.group for cell in view.suite.cells if cell.role in ("grid", "extra")}
    shown = len(pairs) + len(others)
    fewer = (
        f"{shown} of {len(every)} corruptions; the others broke no further picture, or there is no "
        f"room for them beside the other runs."
    )
    return tag(
        "div",
        tag("h4", view.name),
        tag("p", fewer, class_="how") if shown < len(every) else None,
        tag("div", pairs, class_="strip") if pairs else None,
        _listing(view, others, why) if others else None,
    )


def _pair(view: View, one: Broken, clean: Pixels, changed: Pixels) -> Html:
    truth = called(view.run.classes, one.label)
    sides = [
        tag(
            "div",
            thumbnail(pixels, f"{truth}, {how}: called {_named(view, answer)}"),
            tag("span", how, class_="cond"),
            tag("span", mark, _named(view, answer), class_=kind),
            share(answer, known=not view.suite.foremost_only),
            class_="side",
        )
        for pixels, how, mark, answer, kind in (
            (clean, "clean", "\u2713 ", one.before, "right"),
            (changed, _how(one.cell), "\u2717 ", one.after, "wrong"),
        )
    ]
    about = tag("span", "truth: ", tag("b", truth))
    return tag("figure", sides, tag("figcaption", about, tag("code", one.key)), class_="broke")


def _how(cell: Cell) -> str:
    return f"{cell.group}, severity {cell.severity}"


def _listing(view: View, some: Sequence[Broken], why: str) -> Html:
    rows = tuple(
        (
            one.cell.group,
            one.cell.severity,
            called(view.run.classes, one.label),
            _named(view, one.after),
            None if view.suite.foremost_only else Figure(100 * one.after.probability, digits=0),
            one.key,
        )
        for one in some
    )
    columns = (
        Column("corruption", "corruption", "left"),
        Column("severity", "severity"),
        Column("truth", "truth", "left"),
        Column("said", "called", "left"),
        Column("probability", "%"),
        Column("key", "picture", "left"),
    )
    sheet = Sheet(title=f"{view.name}: pictures that broke", columns=columns, rows=rows, facts={})
    return tag("div", table(sheet), tag("p", why, class_="refused"))


def _named(view: View, answer: Answer) -> str:
    return called(view.run.classes, view.run.classes[answer.place])


PART = Section(
    title="Pictures that broke",
    needs="a grid of corruptions with clean pictures; the data, given again, to show them",
    place=60,
    make=make,
)

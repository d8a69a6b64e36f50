"""Weakest and strongest classes: where the error is highest and lowest."""

import math
from collections.abc import Sequence

from brittle import labels
from brittle.errors import ScoreError
from brittle.reports.base import Column, Figure, Sheet
from brittle.scoring.breakdown import CORRUPTED, Breakdown, Part, break_down
from brittle.scoring.unknowns import of_outputs
from brittle.sections._chart import figure
from brittle.sections._html import Html, tag
from brittle.sections._marks import Dot, dots
from brittle.sections._material import Material, View
from brittle.sections._table import table
from brittle.sections._words import counted, shown, under
from brittle.sections.base import Missing, Section

FEWEST = 10
"""Pictures of a class below which its error says more of the pictures than of the class."""
ENDS = 6
"""Classes shown at either end."""
LEAST = 2
WIDTH = 460


def make(material: Material) -> Html | Missing:
    """Rank the classes of every suite."""
    found: list[tuple[str, list[Html]]] = []
    why: dict[str, None] = {}
    ranking = material.only(lambda view: not (view.suite.moving or of_outputs(view.suite)))
    for name, views in ranking.items():
        made = []
        for view in views:
            try:
                parts = break_down(
                    view.suite,
                    view.outcomes,
                    by="class",
                    replicates=view.replicates,
                    level=view.level,
                )
            except ScoreError as error:
                why[f"{view.name}, {name}: {error}"] = None
                continue
            head = _head(parts)
            ranked = _ranked(parts, head)
            if len(ranked) < LEAST:
                most = max((part.counts.get(head, 0) for part in parts.parts), default=0)
                why[
                    f"{name} has at most {counted(most, 'picture')} of a class; a class is ranked "
                    f"from {FEWEST} on."
                ] = None
                continue
            made.append(_ends(view, ranked, head, len(parts.parts) - len(ranked)))
        if made:
            found.append((name, [tag("div", made, class_="pair")]))
    return under(found) if found else Missing(" ".join(why))


def _head(found: Breakdown) -> str:
    """Return the column that ranks: corrupted, else the first shift, else clean.

    Of these the first in which two classes have enough pictures.
    """
    names = list(dict.fromkeys(name for part in found.parts for name in part.errors))
    easy = [name for name in names if name in ("clean", "iid")]
    order = sorted(names, key=lambda name: (name in easy, name != CORRUPTED))
    return next((name for name in order if len(_ranked(found, name)) >= LEAST), order[0])


def _ranked(found: Breakdown, head: str) -> list[Part]:
    """Return the classes with enough pictures in a column, the highest error in it first."""
    enough = [part for part in found.parts if part.counts.get(head, 0) >= FEWEST]
    return sorted(enough, key=lambda part: (-part.errors[head].value, part.name))


def _ends(view: View, ranked: Sequence[Part], head: str, few: int) -> Html:
    whole = len(ranked) <= 2 * ENDS
    some = list(ranked) if whole else [*ranked[:ENDS], *ranked[-ENDS:]]
    listed = labels.which(view.run.classes)
    called = labels.descriptions(listed) if listed else {}
    names = list(dict.fromkeys(name for part in some for name in part.errors))
    columns = (
        Column("name", "class", "left"),
        Column("images", "pictures"),
        *(Column(name, f"{name} %") for name in names),
    )
    rows = tuple(
        (
            called.get(part.name, part.name),
            part.counts[head],
            *(Figure.of(part.errors[one]) if one in part.errors else None for one in names),
        )
        for part in some
    )
    which = (
        f"all {len(some)}"
        if whole
        else f"the {ENDS} weakest and the {ENDS} strongest of {len(ranked)}"
    )
    caption = f"{view.name}: top-1 error by class, {which}"
    sheet = Sheet(
        title=caption, columns=columns, rows=rows, facts={}, rules=() if whole else (ENDS,)
    )
    dotted = [
        Dot(
            name=called.get(part.name, part.name),
            number=part.errors[head],
            said=f"{called.get(part.name, part.name)}: {shown(part.errors[head], unit='%')}",
            place=view.place,
        )
        for part in some
        if math.isfinite(part.errors[head].value)
    ]
    title = f"{head} error (%)"
    alt = f"{caption}, {title}: " + "; ".join(dot.said for dot in dotted)
    remark = (
        "The ends of a ranking are partly luck: among many classes some are there by chance, and "
        "with other pictures would not be."
    )
    if few:
        remark += (
            f" {counted(few, 'class', 'classes')} of fewer than {FEWEST} pictures are left out."
        )
    return tag(
        "div",
        figure(
            lambda width: dots(dotted, title=title, width=width, domain=(0, 100)),
            alt=alt,
            caption=caption,
            wide=WIDTH,
        ),
        tag("details", tag("summary", "The numbers"), table(sheet)),
        tag("p", remark, class_="how"),
    )


PART = Section(
    title="Weakest and strongest classes",
    needs=f"at least {FEWEST} pictures of a class",
    place=70,
    make=make,
)

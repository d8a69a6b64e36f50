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
    for name, views in material.suites.items():
        if of_outputs(views[0].suite):
            continue
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
            ranked = _ranked(parts)
            if len(ranked) < LEAST:
                most = max((part.images for part in parts.parts), default=0)
                why[
                    f"{name} has at most {counted(most, 'picture')} of a class; a class is ranked "
                    f"from {FEWEST} on."
                ] = None
                continue
            made.append(_ends(view, ranked, parts))
        if made:
            found.append((name, [tag("div", made, class_="pair")]))
    return under(found) if found else Missing(" ".join(why))


def _head(part: Part) -> str:
    """Return the column that ranks: corrupted, else a shift, else clean."""
    names = [name for name in part.errors if name not in ("clean", "iid")]
    return CORRUPTED if CORRUPTED in part.errors else (names or list(part.errors))[0]


def _ranked(found: Breakdown) -> list[Part]:
    """Return the classes with enough pictures, those with the highest error first."""
    enough = [part for part in found.parts if part.images >= FEWEST]
    return sorted(enough, key=lambda part: (-part.errors[_head(part)].value, part.name))


def _ends(view: View, ranked: Sequence[Part], found: Breakdown) -> Html:
    whole = len(ranked) <= 2 * ENDS
    some = list(ranked) if whole else [*ranked[:ENDS], *ranked[-ENDS:]]
    listed = labels.which(view.run.classes)
    called = labels.descriptions(listed) if listed else {}
    head = _head(some[0])
    names = list(dict.fromkeys(name for part in some for name in part.errors))
    columns = (
        Column("name", "class", "left"),
        Column("images", "pictures"),
        *(Column(name, f"{name} %") for name in names),
    )
    rows = tuple(
        (
            called.get(part.name, part.name),
            part.images,
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
    few = sum(part.images < FEWEST for part in found.parts)
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
            lambda width: dots(dotted, title=title, width=width),
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

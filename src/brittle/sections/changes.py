"""What changed: every other run against the first, paired image by image."""

from brittle._compare import compare
from brittle.errors import ScoreError
from brittle.reports import comparison
from brittle.scoring.comparing import Change, Comparison
from brittle.scoring.unknowns import of_outputs
from brittle.sections._chart import figure
from brittle.sections._html import Html, tag
from brittle.sections._marks import Dot, dots
from brittle.sections._material import Material, View
from brittle.sections._table import noted
from brittle.sections._words import counted, shown, under
from brittle.sections.base import Missing, Section


def make(material: Material) -> Html | Missing:
    """Compare the runs of each suite that two or more hold."""
    if len(material.runs) < 2:
        return Missing()
    found: list[tuple[str, list[Html]]] = []
    why: list[str] = []
    for name, views in material.suites.items():
        made = []
        for new in views[1:]:
            try:
                made.append(_pair(material, views[0], new))
            except ScoreError as error:
                why.append(f"{views[0].name} and {new.name}, {name}: {error}")
                made.append(tag("p", f"{new.name}: {error}", class_="refused"))
        if made:
            found.append((name, made))
    if not found:
        return Missing("The runs have no suite in common.")
    if len(why) == sum(len(made) for _, made in found):
        return Missing(" ".join(why))
    return under(found)


def _pair(material: Material, old: View, new: View) -> Html:
    found = compare(
        old.run,
        new.run,
        suite=old.suite.name,
        baseline=None if of_outputs(old.suite) else material.baseline,
        replicates=material.replicates,
        level=material.level,
    )._replace(old=old.name, new=new.name)
    scores, *_ = comparison(found)
    head = found.changes[0]
    flips = (
        f"{counted(len(found.flips), 'picture')} of {found.images:,} changed sides under some "
        f"condition: {found.flips.broke:,} times right to wrong, {found.flips.mended:,} times "
        f"wrong to right."
    )
    errors = not (old.suite.moving or of_outputs(old.suite))
    caption = f"{old.name} (old) and {new.name} (new): {counted(found.images, 'picture')}, paired"
    return tag(
        "div",
        noted(scores, caption=caption),
        tag("p", flips, class_="about") if errors else None,
        _chart(head, found) if len(head.columns) > 1 else None,
        class_="compared",
    )


def _chart(head: Change, found: Comparison) -> Html:
    rows = [
        Dot(
            name=name,
            number=step.difference,
            said=f"{name}: {shown(step.difference, 1, signed=True)}; {found.old} "
            f"{step.old.value:.1f}, {found.new} {step.new.value:.1f}",
            place=0,
        )
        for name, step in head.columns.items()
    ]
    upside = "right" if head.better == "lower" else "left"
    title = f"{head.column} of {found.new} minus {found.old}"
    alt = f"{title}, what got worst first: " + "; ".join(row.said for row in rows)
    caption = (
        f"{head.title}: {title}, what got worst first; to the {upside} is worse. Coloured where "
        f"the paired {100 * found.level:g} % interval leaves zero out; of many, some do so by "
        "chance."
    )
    worse = head.better == "lower"
    return figure(
        lambda width: dots(rows, title=title, width=width, zero=0.0, higher_is_worse=worse),
        alt=alt,
        caption=caption,
    )


PART = Section(
    title="What changed",
    needs="two runs or more on the same pictures",
    place=50,
    make=make,
)

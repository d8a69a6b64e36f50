"""Words that several sections use: numbers, intervals, lists, corruptions."""

import re
from collections.abc import Sequence

from brittle.reports.base import Figure
from brittle.scoring.bootstrap import Number
from brittle.sections._colours import SERIES
from brittle.sections._html import Html, joined, tag
from brittle.sections._material import View


def shown(number: Number, digits: int = 1, *, unit: str = "", signed: bool = False) -> str:
    """Return a number with its interval as people read it.

    >>> shown(Number(75.25, 74.0, 76.0), unit="%")
    '75.2 % [74.0, 76.0]'
    """
    one = Figure.of(number, digits, signed=signed)
    interval = f" {one.interval}" if one.interval else ""
    return f"{one.text(one.value)}{' ' if unit else ''}{unit}{interval}"


def listed(names: Sequence[str], *, word: str = "and") -> str:
    """Return names as a sentence lists them.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def breakable(name: str) -> Html:
    """Return a name that a narrow page may break after its underscores and brackets.

    >>> str(breakable("glass_blur"))
    'glass_<wbr>blur'
    """
    pieces = re.split(r"(?<=[_(/])", name)
    return joined(
        [piece, tag("wbr")] if at < len(pieces) - 1 else piece for at, piece in enumerate(pieces)
    )


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 image`, `1,000 images`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def under(suites: Sequence[tuple[str, Sequence[Html]]]) -> Html:
    """Return what was made of each suite, under the suite's name where there are several."""
    if len(suites) == 1:
        return joined(suites[0][1])
    return joined(tag("section", tag("h3", name), made, class_="suite") for name, made in suites)


def legend(views: Sequence[View], *, group: str = "") -> Html:
    """Return which colour, dash and shape is whose; with a `group` runs can be switched off."""
    made = []
    for view in views:
        box = None
        if group and len(views) > 1 and all(one.place < len(SERIES) for one in views):
            box = tag(
                "input",
                type="checkbox",
                checked=True,
                id=f"{group}-{view.place}",
                data_place=view.place,
            )
        inner = [
            box,
            tag("i", class_=f"swatch s{view.place % len(SERIES)}", aria_hidden="true"),
            view.name,
        ]
        made.append(tag("label" if box else "span", inner, class_="run"))
    return tag("p", made, class_="legend")


def facts(view: View) -> str:
    """Say in a line what a suite was measured on in a run."""
    said = view.suite.facts
    images = view.images
    parts = [counted(images, "picture"), f"edition {view.suite.edition}"]
    if said.get("pixels"):
        parts.append(f"pixels {said['pixels']}")
    if said.get("subset"):
        parts.append(f"of the classes {said['subset']}")
    return ", ".join(parts)

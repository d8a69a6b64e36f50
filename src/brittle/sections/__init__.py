"""Sections of the HTML report, one file each (see `base.Section`), found by file.

runs --> Material --> sections --> one page (`brittle.report`)

A section draws with `figure` (Vega-Lite to SVG, in two widths), writes numbers with `table` (a
sheet of `brittle.reports`), and everything else with `tag` and `joined`, which escape; `under` puts
a suite's name above its part. Sections of other packages take them from here.

>>> SECTIONS.load("headline").title
'Scores'
"""

from brittle.families import Family
from brittle.sections._chart import figure
from brittle.sections._colours import series
from brittle.sections._html import Html, joined, tag
from brittle.sections._material import Material, View
from brittle.sections._published import Known
from brittle.sections._table import table
from brittle.sections._words import under
from brittle.sections.base import Missing, Section

__all__ = [
    "SECTIONS",
    "Html",
    "Known",
    "Material",
    "Missing",
    "Section",
    "View",
    "figure",
    "in_order",
    "joined",
    "series",
    "table",
    "tag",
    "under",
]

SECTIONS: Family[Section] = Family("section", "brittle.sections", Section)


def in_order() -> tuple[str, ...]:
    """Return the names of the sections in the order in which they stand on the page."""
    return tuple(sorted(SECTIONS.names(), key=lambda name: (SECTIONS.load(name).place, name)))

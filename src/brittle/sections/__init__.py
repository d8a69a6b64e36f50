"""Sections of the HTML report, one file each (see `base.Section`), found by file.

runs --> Material --> sections --> one page (`brittle.report`)

A section draws with `_chart` (Vega-Lite to SVG), writes numbers with `_table` (a sheet of
`brittle.reports` to a table), and everything else with `_html`, which escapes.

>>> SECTIONS.load("headline").title
'Scores'
"""

from brittle.families import Family
from brittle.sections._material import Material, View
from brittle.sections._published import Known
from brittle.sections.base import Missing, Section

__all__ = ["SECTIONS", "Known", "Material", "Missing", "Section", "View", "in_order"]

SECTIONS: Family[Section] = Family("section", "brittle.sections", Section)


def in_order() -> tuple[str, ...]:
    """Return the names of the sections in the order in which they stand on the page."""
    return tuple(sorted(SECTIONS.names(), key=lambda name: (SECTIONS.load(name).place, name)))

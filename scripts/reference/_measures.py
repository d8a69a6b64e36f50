"""The table of a family of measures."""

from typing import Any

from brittle.families import Family
from scripts.reference._markdown import cell, spec, table


def measures(family: Family[Any]) -> str:
    """Return the table."""
    lines = []
    for name in family.names():
        part = family.load(name)
        line = (spec(name, part), part.title, cell(part.formula), part.better)
        lines.append((*line, cell(part.citation)))
    return table(("name", "printed as", "formula", "better", "from"), lines)

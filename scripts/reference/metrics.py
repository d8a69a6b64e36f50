"""Every metric: title, formula, columns, direction, citation."""

from brittle.metrics import METRICS
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in METRICS.names():
        part = METRICS.load(name)
        facts = (part.formula, part.column, part.better, part.citation)
        lines.append((f"`{name}`", part.title, *map(cell, facts)))
    return table(("name", "printed as", "formula", "a column is", "better", "from"), lines)

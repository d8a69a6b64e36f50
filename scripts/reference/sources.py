"""Every kind of source: what it looks like on disk, its splits and options."""

from brittle.sources import FAMILY
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in FAMILY.names():
        part = FAMILY.load(name)
        options = ", ".join(f"`{key}`" for key in part.params)
        lines.append((f"`{name}`", cell(part.layout), ", ".join(part.splits), options))
    return table(("kind", "looks like", "splits", "options"), lines)

"""Every format of tables."""

from brittle.reports import FORMATS
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    loaded = {name: FORMATS.load(name) for name in FORMATS.names()}
    lines = [(f"`{name}`", cell(part.about), f"`{part.suffix}`") for name, part in loaded.items()]
    return table(("format", "is", "file"), lines)

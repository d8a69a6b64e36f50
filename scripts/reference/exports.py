"""Every export: a run in the form of another tool."""

from brittle.exports import EXPORTS
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    loaded = {name: EXPORTS.load(name) for name in EXPORTS.names()}
    lines = [
        (f"`{name.replace('_', '-')}`", cell(part.about), "a text" if part.render else "a place")
        for name, part in loaded.items()
    ]
    return table(("form", "is", "goes to"), lines)

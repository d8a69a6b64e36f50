"""Every table of published results."""

from brittle import published
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    loaded = {name: published.get(name) for name in published.names()}
    lines = [(f"`{name}`", cell(b.about), str(len(b.results))) for name, b in loaded.items()]
    return table(("leaderboard", "of", "rows"), lines, right=1)

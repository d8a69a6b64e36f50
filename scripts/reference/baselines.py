"""Every baseline: what errors may be divided by."""

from brittle.baselines import BASELINES
from scripts.reference._markdown import cell, sentence, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in BASELINES.names():
        part = BASELINES.load(name)
        about = sentence(part.about).removeprefix(f"{name}: ")
        edition = f"`{part.edition}`" if part.edition else "any"
        classes = f"`{part.classes}`" if part.classes else "any"
        row = (f"`{name}`", part.title, cell(about), edition, classes, cell(part.source))
        lines.append(row)
    return table(("name", "printed as", "is", "edition", "classes", "from"), lines)

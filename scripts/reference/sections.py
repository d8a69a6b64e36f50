"""Every section of the HTML report, in the order of the page."""

from brittle.sections import SECTIONS, in_order
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    loaded = {name: SECTIONS.load(name) for name in in_order()}
    lines = [(f"`{name}`", cell(part.title), cell(part.needs)) for name, part in loaded.items()]
    return table(("section", "printed as", "needs"), lines)

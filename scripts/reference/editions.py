"""Every edition: how a source is prepared, and which numbers it uses."""

from brittle import editions
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    lines = []
    for name, edition in editions.EDITIONS.items():
        stored = f"JPEG {edition.jpeg}" if edition.jpeg else "without loss"
        side = str(edition.side) if edition.side else "any"
        film = "H.264" if edition.film else "without loss"
        lines.append((f"`{name}`", cell(edition.about), side, f"`{edition.table}`", stored, film))
    head = ("edition", "is", "side", "table", "pictures stored as", "frames stored as")
    return table(head, lines)

"""Every corruption: what it does, a strip, its parameters and tables."""

from typing import Any

from brittle import rows, suites
from brittle.corruptions import CORRUPTIONS
from scripts.reference._markdown import chapter, shown, table


def section(name: str) -> str:
    """Return the section of one corruption."""
    part = CORRUPTIONS.load(name)
    kind = f"{part.group}{', extra' if part.extra else ''}, version {part.version}"
    row_type: Any = part.row
    fields = rows.fields(row_type)
    lines = [
        (listed_name if severity == 1 else "", str(severity), *map(shown, row))
        for listed_name, listed in part.tables.items()
        for severity, row in enumerate(listed, 1)
    ]
    numbers = table(("table", "severity", *fields), lines, right=len(fields) + 1)
    picture = f"![{name} at five severities](img/{name}.jpg)"
    return chapter(name, part, kind=kind, picture=picture, numbers=numbers)


def make() -> str:
    """Return the sections: the fifteen in the paper's order, then the extra ones."""
    order = suites.get("imagenet-c").corruptions
    extra = [name for name in CORRUPTIONS.names() if name not in order]
    return "\n" + "\n".join(section(name) for name in (*order, *extra))

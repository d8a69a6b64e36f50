"""Every corruption: what it does, a strip, its parameters and tables."""

from typing import Any

from brittle import rows, suites
from brittle.corruptions import CORRUPTIONS
from scripts.reference._markdown import paragraph, parameters, shown, table


def section(name: str) -> str:
    """Return the section of one corruption."""
    part = CORRUPTIONS.load(name)
    kind = f"{part.group}{', extra' if part.extra else ''}, version {part.version}"
    row_type: Any = part.row
    fields = rows.fields(row_type)
    numbers = [
        (listed_name if severity == 1 else "", str(severity), *map(shown, row))
        for listed_name, listed in part.tables.items()
        for severity, row in enumerate(listed, 1)
    ]
    return "\n".join(
        [
            f"## {name}\n",
            f"*{kind}*\n",
            part.about.strip() + "\n",
            f"![{name} at five severities](img/{name}.jpg)\n",
            paragraph(part.row.__doc__) + "\n",
            parameters(part.row),
            table(("table", "severity", *fields), numbers, right=len(fields) + 1),
            f"Reference: {part.citation}.\n",
        ]
    )


def make() -> str:
    """Return the sections: the fifteen in the paper's order, then the extra ones."""
    order = suites.get("imagenet-c").corruptions
    extra = [name for name in CORRUPTIONS.names() if name not in order]
    return "\n" + "\n".join(section(name) for name in (*order, *extra))

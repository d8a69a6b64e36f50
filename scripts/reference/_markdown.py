"""What the blocks share: cells, tables, specs, paragraphs."""

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

from brittle import rows
from brittle.spec import Spec


def cell(text: object) -> str:
    """Return text that may stand in a table."""
    shown = " ".join(str(text).split())
    escaped = re.sub(r"(?<!\\)\|", r"\\|", shown)
    return re.sub(r"<(?=[A-Za-z/!])", "&lt;", escaped)


def code(text: object) -> str:
    """Return text in the type of code, as it may stand in a table."""
    shown = " ".join(str(text).split())
    if "|" in shown:  # GitHub wants it escaped there, Python's Markdown would show the backslash
        return f"<code>{html.escape(shown).replace('|', '&#124;')}</code>"
    return f"`{shown}`" if shown else ""


def table(head: Sequence[str], lines: Iterable[Sequence[str]], right: int = 0) -> str:
    """Return a table; its last `right` columns are numbers."""
    left = len(head) - right
    bars = [f"| {' | '.join(head)} |", f"|{'---|' * left}{'--:|' * right}"]
    return "\n".join([*bars, *(f"| {' | '.join(line)} |" for line in lines)]) + "\n"


def spec(name: str, part: Any) -> str:
    """Return the spec of a part with its usual parameters."""
    return f"`{Spec(name, part.row._field_defaults)}`"


def sentence(text: str) -> str:
    """Return the first sentence of a documentation, without the name before its colon."""
    first = re.split(r"(?<=[a-z\])`'0-9])\.(?:\s|$)", " ".join(text.split()), maxsplit=1)[0]
    return first.rstrip(".")


def shown(value: Any) -> str:
    """Return a parameter as text; a long list by its ends."""
    if isinstance(value, tuple):
        if len(value) < 4:
            return ", ".join(f"{one:g}" for one in value)
        return f"{value[0]:g}, {value[1]:g} .. {value[-1]:g} ({len(value)})"
    return value if isinstance(value, str) else f"{value:g}"


def parameters(row: Any) -> str:
    """Return the table of what may be said to a part, with limits."""
    fields = rows.fields(row)
    lines = [
        (f"`{key}`", f"{'a list, each ' * (field.kind is tuple)}{field.limit}")
        for key, field in fields.items()
    ]
    return table(("parameter", "is"), lines)


def paragraph(text: str | None) -> str:
    """Return a docstring's text in one line."""
    return " ".join((text or "").split())


def chapter(name: str, part: Any, *, kind: str, picture: str, numbers: str) -> str:
    """Return what is said of a part: its documentation, a picture, its parameters and tables."""
    return "\n".join(
        [
            f"## {name}\n",
            f"*{kind}*\n",
            part.about.strip() + "\n",
            f"{picture}\n",
            paragraph(part.row.__doc__) + "\n",
            parameters(part.row),
            numbers,
            f"Reference: {part.citation}.\n",
        ]
    )

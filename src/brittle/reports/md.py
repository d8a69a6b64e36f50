"""md: a table in Markdown."""

from collections.abc import Sequence

from brittle.reports.base import Entry, Figure, Format, Sheet, plain, said


def render(sheets: Sequence[Sheet]) -> str:
    """Write sheets one below another."""
    return "\n".join(_sheet(sheet.without("machines")) for sheet in sheets)


def _sheet(sheet: Sheet) -> str:
    lines = [f"**{_escape(sheet.title)}**", ""]
    if sheet.facts:
        lines += [_escape(said(sheet.facts)), ""]
    lines.append(_row([_escape(column.title) for column in sheet.columns]))
    lines.append(_row(["---" if c.align == "left" else "---:" for c in sheet.columns]))
    lines += [_row([_cell(entry) for entry in row]) for row in sheet.rows]
    if sheet.notes:
        lines += ["", *(f"- {_escape(note)}" for note in sheet.notes)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(entry: Entry) -> str:
    interval = entry.interval if isinstance(entry, Figure) else ""
    return _escape(plain(entry)) + (f" {interval}" if interval else "")


def _escape(text: str) -> str:
    """Keep what Markdown would take for itself."""
    for sign in "\\|*_`<[]":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


PART = Format(about="a table in Markdown", suffix=".md", render=render)

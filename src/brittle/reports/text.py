"""text: aligned columns for a terminal, cut into blocks where they are too wide for it."""

from collections.abc import Sequence
from itertools import groupby

from brittle.reports.base import Column, Figure, Format, Sheet, plain, said

WIDE = 120
"""Characters in a line; a wider table is cut into blocks of columns."""
GAPS = ("  ", " ")
"""Between columns; the narrow one where a table fits the line by it."""


def render(sheets: Sequence[Sheet]) -> str:
    """Write sheets one below another."""
    return "\n".join(_sheet(sheet.without("machines")) for sheet in sheets)


def _sheet(sheet: Sheet) -> str:
    lines = [sheet.title]
    if sheet.facts:
        lines.append(said(sheet.facts))
    columns = [_column(sheet, number) for number in range(len(sheet.columns))]
    gap = GAPS[0]
    if _width(columns, gap) > WIDE:
        columns = [_column(sheet, number, short=True) for number in range(len(sheet.columns))]
        gap = next((gap for gap in GAPS if _width(columns, gap) <= WIDE), gap)
    for block in _blocks(columns, gap):
        lines.append("")
        lines += _over([sheet.columns[n] for n in block], [columns[n] for n in block], gap)
        rows = [gap.join(columns[number][row] for number in block).rstrip()
                for row in range(len(sheet.rows) + 1)]  # fmt: skip
        rule = "-" * max(len(row) for row in rows)
        for place, row in enumerate(rows):
            if place == 1 or place - 1 in sheet.rules:
                lines.append(rule)
            lines.append(row)
    if sheet.notes:
        lines += ["", *(f"note: {note}" for note in sheet.notes)]
    return "\n".join(lines) + "\n"


def _width(columns: Sequence[Sequence[str]], gap: str) -> int:
    return len(gap.join(column[0] for column in columns))


def _column(sheet: Sheet, number: int, *, short: bool = False) -> list[str]:
    """Return the lines of a column, header first, all of one width."""
    column = sheet.columns[number]
    entries = [row[number] for row in sheet.rows]
    values = [plain(entry) for entry in entries]
    intervals = [entry.interval if isinstance(entry, Figure) else "" for entry in entries]
    wide, room = max(map(len, values), default=0), max(map(len, intervals), default=0)
    cells = values if column.align == "left" else [f"{value:>{wide}}" for value in values]
    if room:
        cells = [
            f"{cell} {interval:>{room}}" for cell, interval in zip(cells, intervals, strict=True)
        ]
    title = column.short if short and column.short else column.title
    width = max([len(title), *map(len, cells)])
    if column.align == "left":
        return [f"{line:<{width}}" for line in [title, *cells]]
    return [f"{line:>{width}}" for line in [title, *cells]]


def _blocks(columns: Sequence[Sequence[str]], gap: str) -> list[list[int]]:
    """Cut columns into blocks that fit the line; each begins with the first column."""
    blocks: list[list[int]] = [[0]]
    used = first = len(columns[0][0])
    for number, column in enumerate(columns[1:], 1):
        if used + len(gap) + len(column[0]) > WIDE and len(blocks[-1]) > 1:
            blocks.append([0])
            used = first
        blocks[-1].append(number)
        used += len(gap) + len(column[0])
    return blocks


def _over(columns: Sequence[Column], lines: Sequence[Sequence[str]], gap: str) -> list[str]:
    """Return the line of spanning titles, if there is any."""
    if not any(column.over for column in columns):
        return []
    spans = []
    pairs = zip(columns, lines, strict=True)
    for title, group in groupby(pairs, key=lambda pair: pair[0].over):
        width = len(gap.join(line[0] for _, line in group))
        spans.append(f" {title} ".center(width, "-")[:width] if title else " " * width)
    return [gap.join(spans).rstrip()]


PART = Format(about="aligned columns for a terminal", suffix=".txt", render=render)

"""csv: comma-separated values in full precision, intervals in columns of their own.

Several sheets are divided by an empty line.
"""

import csv
import io
from collections.abc import Sequence

from brittle.reports.base import Entry, Figure, Format, Sheet


def render(sheets: Sequence[Sheet]) -> str:
    """Write sheets one below another."""
    return "\n".join(_sheet(sheet.without("people")) for sheet in sheets)


def _sheet(sheet: Sheet) -> str:
    figures = [
        any(_has_interval(row[place]) for row in sheet.rows) for place in range(len(sheet.columns))
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header: list[str] = []
    for column, wide in zip(sheet.columns, figures, strict=True):
        header += [column.key, f"{column.key}_low", f"{column.key}_high"] if wide else [column.key]
    writer.writerow(header)
    for row in sheet.rows:
        line: list[str] = []
        for entry, wide in zip(row, figures, strict=True):
            line += _cells(entry) if wide else _cells(entry)[:1]
        writer.writerow(line)
    return out.getvalue()


def _has_interval(entry: Entry) -> bool:
    return isinstance(entry, Figure) and entry.low is not None


def _cells(entry: Entry) -> list[str]:
    if isinstance(entry, Figure):
        return [_full(entry.value), _full(entry.low), _full(entry.high)]
    return ["" if entry is None else str(entry), "", ""]


def _full(value: float | None) -> str:
    return "" if value is None or value != value else repr(float(value))


PART = Format(about="comma-separated, full precision", suffix=".csv", render=render)

"""json: full precision with intervals, under a format name and version."""

import json
import math
from collections.abc import Sequence
from typing import Any

from brittle.reports.base import Entry, Figure, Format, Sheet

FORMAT, VERSION = "brittle-report", 1


def render(sheets: Sequence[Sheet]) -> str:
    """Write all sheets as one object."""
    found = {
        "format": FORMAT,
        "format_version": VERSION,
        "sheets": [_sheet(sheet.without("people")) for sheet in sheets],
    }
    return json.dumps(found, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _sheet(sheet: Sheet) -> dict[str, Any]:
    keys = [column.key for column in sheet.columns]
    return {
        "title": sheet.title,
        "facts": dict(sheet.facts),
        "columns": [{"key": c.key, "title": c.title} for c in sheet.columns],
        "rows": [
            {key: _entry(entry) for key, entry in zip(keys, row, strict=True)} for row in sheet.rows
        ],
        "notes": list(sheet.notes),
    }


def _entry(entry: Entry) -> Any:
    if not isinstance(entry, Figure):
        return None if entry == "" else entry
    if entry.low is None or entry.high is None:
        return _finite(entry.value)
    named = {"value": entry.value, "low": entry.low, "high": entry.high}
    return {name: _finite(value) for name, value in named.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


PART = Format(about="one object, full precision", suffix=".json", render=render)

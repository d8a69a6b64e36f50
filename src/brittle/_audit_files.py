"""An audit as text, Markdown, CSV and JSON, and as files in a folder."""

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brittle._audit import Audit, Score
from brittle._audit_plot import draw, need_plot
from brittle._version import __version__
from brittle.files import replacing, write_bytes

FORMAT = "brittle-audit/1"


def as_text(found: Audit) -> str:
    """Return two tables for a terminal."""
    return "\n".join(_lines(table) for table in _tables(found))


def as_markdown(found: Audit) -> str:
    """Return two Markdown tables."""
    made = []
    for title, head, rows in _tables(found):
        rule = ["---", *("---:" for _ in head[1:])]
        cells = [head, rule, *rows]
        made.append("\n".join([title, "", *("| " + " | ".join(row) + " |" for row in cells), ""]))
    return "\n".join(made)


def as_csv(found: Audit) -> str:
    """Return a line a cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("edition", "seed", "images", *Score._fields))
    for score in found.scores:
        writer.writerow((found.edition, found.seed, len(found.keys), *score))
    return stream.getvalue()


def as_json(found: Audit) -> str:
    """Return everything; what is not finite (a PSNR of equal pictures) is null."""
    whole = {
        "format": FORMAT,
        "brittle": __version__,
        "edition": found.edition,
        "seed": found.seed,
        "keys": list(found.keys),
        "scores": [
            {name: _finite(value) for name, value in score._asdict().items()}
            for score in found.scores
        ],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Audit], str]] = {
    "text": as_text,
    "md": as_markdown,
    "csv": as_csv,
    "json": as_json,
}


def write(found: Audit, folder: Path) -> list[Path]:
    """Write audit.csv, audit.json and audit.png, whole or not at all; returns their paths."""
    need_plot()
    paths = [folder / f"audit.{ending}" for ending in ("csv", "json", "png")]
    write_bytes(paths[0], as_csv(found).encode())
    write_bytes(paths[1], as_json(found).encode())
    with replacing(paths[2]) as aside:
        draw(found, aside)
    return paths


def _tables(found: Audit) -> list[tuple[str, list[str], list[list[str]]]]:
    severities = sorted({score.severity for score in found.scores})
    cells = {(score.corruption, score.severity): score for score in found.scores}
    names = list(dict.fromkeys(score.corruption for score in found.scores))
    said = f"edition {found.edition}, seed {found.seed}, mean of {len(found.keys)} pictures"
    head = ["corruption", *(str(severity) for severity in severities)]
    left_out = any(score.unchanged for score in found.scores)
    similar, noise = [], []
    for name in names:
        row = [cells[name, severity] for severity in severities]
        label = row[-1].label
        similar.append([label, *(_cell(score.ms_ssim, score.ms_ssim_error, 3) for score in row)])
        marks = ["" if not left_out else "*" if score.unchanged else " " for score in row]
        ratios = [_cell(score.psnr, score.psnr_error, 2) for score in row]
        noise.append([label, *map(str.__add__, ratios, marks)])
    note = "; * without pictures that came back unchanged" if left_out else ""
    return [
        (f"MS-SSIM to the clean picture by severity (1 is equal); {said}", head, similar),
        (f"PSNR to the clean picture by severity, in dB; the same pictures{note}", head, noise),
    ]


def _cell(mean: float, error: float, digits: int) -> str:
    if math.isnan(error):
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ±{error:.{digits}f}"


def _lines(table: tuple[str, list[str], list[list[str]]]) -> str:
    title, head, rows = table
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in [head, *rows]
    ]
    return "\n".join([title, *lines, ""])


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value

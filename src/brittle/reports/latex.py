"""latex: a tabular with the rules of booktabs, to be put into a table of one's own.

Title, facts and notes stand above it as comments.
"""

from collections.abc import Sequence
from itertools import groupby

from brittle.reports.base import Column, Entry, Figure, Format, Sheet, plain, said

SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
}  # fmt: skip


def render(sheets: Sequence[Sheet]) -> str:
    """Write sheets one below another."""
    return "\n".join(_sheet(sheet.without("machines")) for sheet in sheets)


def escape(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    >>> print(escape("top_1 & 50 %"))
    top\_1 \& 50 \%
    """
    return "".join(SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def _sheet(sheet: Sheet) -> str:
    comments = [sheet.title, said(sheet.facts), *sheet.notes, r"needs \usepackage{booktabs}"]
    lines = [f"% {' '.join(one.split())}" for one in comments if one]
    places = "".join("l" if column.align == "left" else "r" for column in sheet.columns)
    lines += [rf"\begin{{tabular}}{{{places}}}", r"\toprule"]
    lines += _over(sheet.columns)
    lines.append(_row([escape(column.title) for column in sheet.columns]))
    lines.append(r"\midrule")
    for place, row in enumerate(sheet.rows):
        if place and place in sheet.rules:
            lines.append(r"\midrule")
        lines.append(_row([_cell(entry) for entry in row]))
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    # A bracket after a line's end would be taken for its option.
    first = f"{{}}{cells[0]}" if cells[0].startswith("[") else cells[0]
    return f"{' & '.join([first, *cells[1:]])} \\\\"


def _cell(entry: Entry) -> str:
    if not isinstance(entry, Figure):
        return "--" if entry is None else escape(plain(entry))
    value, interval = entry.text(entry.value), entry.interval
    if value == "-":
        return "--"
    shown = _signs(value)
    return rf"{shown} {{\scriptsize {_signs(interval)}}}" if interval else shown


def _signs(number: str) -> str:
    return number.replace("-", "$-$").replace("<", "$<$")


def _over(columns: Sequence[Column]) -> list[str]:
    """Return the lines of spanning titles with their rules, if there are any."""
    if not any(column.over for column in columns):
        return []
    cells, rules, at = [], [], 1
    for title, group in groupby(columns, key=lambda column: column.over):
        count = len(list(group))
        if not title:
            cells += [""] * count
        else:
            cells.append(rf"\multicolumn{{{count}}}{{c}}{{{escape(title)}}}")
            rules.append(rf"\cmidrule(lr){{{at}-{at + count - 1}}}")
        at += count
    return [_row(cells), "".join(rules)]


PART = Format(about="a tabular with booktabs", suffix=".tex", render=render)

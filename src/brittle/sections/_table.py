"""A sheet as a table in HTML that copies into a spreadsheet: a number a cell, intervals beside.

The attribute `data-v` holds a number in full, for the button that copies.
"""

import math
from itertools import groupby

from brittle.reports.base import Column, Entry, Figure, Sheet, plain
from brittle.sections._html import Html, joined, tag
from brittle.sections._words import breakable


def table(
    sheet: Sheet, *, caption: str | None = None, marked: frozenset[int] = frozenset()
) -> Html:
    """Return a sheet's table without its facts and notes; rows in `marked` stand out less.

    >>> from brittle.reports.base import Column, Figure, Sheet
    >>> columns = (Column("n", "model", "left"), Column("v", "mCE"))
    >>> rows = (("a <b>", Figure(70.04, 69.0, 71.0)),)
    >>> one = Sheet(title="t", columns=columns, rows=rows, facts={})
    >>> made = str(table(one))
    >>> "a &lt;b&gt;" in made, '<td class="n" data-v="70.04">70.0</td>' in made
    (True, True)
    """
    sheet = sheet.without("machines")
    wide = [
        any(isinstance(row[at], Figure) and row[at].interval for row in sheet.rows)  # type: ignore[union-attr]
        for at in range(len(sheet.columns))
    ]
    said = sheet.title if caption is None else caption
    body: list[Html] = []
    cells: list[Html] = []
    for number, row in enumerate(sheet.rows):
        if number and number in sheet.rules:
            body.append(tag("tbody", cells))
            cells = []
        cells.append(_row(row, sheet.columns, wide, quiet=number in marked))
    body.append(tag("tbody", cells))
    inner = tag(
        "table",
        tag("caption", said) if said else None,
        tag("thead", _over(sheet.columns, wide), tag("tr", _heads(sheet.columns, wide))),
        body,
    )
    return tag("div", inner, class_="table", tabindex=0, role="region", aria_label=said or "table")


def noted(sheet: Sheet, *, caption: str | None = None) -> Html:
    """Return a sheet's table with its notes below."""
    return joined(table(sheet, caption=caption), notes(sheet.notes))


def notes(said: tuple[str, ...]) -> Html:
    """Return remarks as a list; nothing where there are none."""
    if not said:
        return joined()
    return tag("ul", [tag("li", one) for one in said], class_="notes")


def _heads(columns: tuple[Column, ...], wide: list[bool]) -> list[Html]:
    made = []
    for column, two in zip(columns, wide, strict=True):
        side = None if column.align == "left" else "n"
        made.append(tag("th", column.title, scope="col", class_=side))
        if two:
            made.append(tag("th", "interval", scope="col", class_="i"))
    return made


def _over(columns: tuple[Column, ...], wide: list[bool]) -> Html | None:
    """Return the row of titles that span columns, if there are any."""
    if not any(column.over for column in columns):
        return None
    made = []
    pairs = zip(columns, wide, strict=True)
    for title, group in groupby(pairs, key=lambda pair: pair[0].over):
        count = sum(1 + two for _, two in group)
        made.append(tag("th", title, scope="colgroup", colspan=count) if title else
                    tag("td", colspan=count))  # fmt: skip
    return tag("tr", made)


def _row(
    row: tuple[Entry, ...], columns: tuple[Column, ...], wide: list[bool], *, quiet: bool
) -> Html:
    made: list[Html] = []
    for at, (entry, column, two) in enumerate(zip(row, columns, wide, strict=True)):
        if column.align == "left":
            made.append(
                tag("th", breakable(plain(entry)), scope="row")
                if not at
                else tag("td", plain(entry))
            )
        else:
            made.append(tag("td", plain(entry), class_="n", data_v=_full(entry)))
        if two:
            shown = entry.interval if isinstance(entry, Figure) else ""
            made.append(tag("td", shown, class_="i"))
    return tag("tr", made, class_="quiet" if quiet else None)


def _full(entry: Entry) -> str | None:
    if isinstance(entry, Figure):
        return repr(float(entry.value)) if math.isfinite(entry.value) else ""
    return str(entry) if isinstance(entry, int) else None

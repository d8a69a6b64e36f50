"""What a report is: a sheet of facts, columns and rows, which a format turns into text.

A sheet holds full precision; how many digits are shown is said beside each number, so that the
formats for people round and those for machines do not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from brittle.scoring.bootstrap import Number


class Figure(NamedTuple):
    """A number in a sheet, with its interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None
    digits: int = 1
    signed: bool = False
    shown: bool = True
    """Whether people are shown the interval; machines always are."""
    least: bool = False
    """Whether what is too small for the digits is shown as such: `<0.001`."""

    @classmethod
    def of(
        cls, number: Number, digits: int = 1, *, signed: bool = False, shown: bool = True
    ) -> "Figure":
        """Return a number as a figure."""
        return cls(number.value, number.low, number.high, digits, signed, shown)

    def text(self, value: float | None) -> str:
        """Return a number as people read it; one that is none is a dash."""
        if value is None or value != value:
            return "-"
        shown = f"{value:{'+' if self.signed else ''}.{self.digits}f}"
        if float(shown) != 0:
            return shown
        # A rounded zero has no sign.
        return f"<{10**-self.digits:g}" if self.least and value > 0 else shown.lstrip("+-")

    @property
    def interval(self) -> str:
        """The interval as people read it; the empty text where none is shown."""
        if not self.shown or self.low is None or self.low != self.low:
            return ""
        return f"[{self.text(self.low)}, {self.text(self.high)}]"


Entry: TypeAlias = Figure | str | int | None
"""What stands in a row: a figure, a text, a count, or nothing."""


class Column(NamedTuple):
    """A column of a sheet."""

    key: str
    """Its name for machines."""
    title: str
    align: Literal["left", "right"] = "right"
    short: str = ""
    """A shorter title where room is scarce."""
    over: str = ""
    """A title that spans this column and its neighbours of the same."""
    only: Literal["", "people", "machines"] = ""
    """Whom it is for, if not for all."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table with what must be said about it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entry, ...], ...]
    facts: Mapping[str, str | int | float]
    """What it was measured on."""
    notes: tuple[str, ...] = ()
    rules: tuple[int, ...] = ()
    """Rows before which a line is drawn."""

    def __post_init__(self) -> None:
        """Refuse rows that do not fit the columns."""
        assert all(len(row) == len(self.columns) for row in self.rows), self.title

    def without(self, reader: Literal["people", "machines"]) -> "Sheet":
        """Return the sheet without the columns that are for these readers only."""
        kept = [place for place, column in enumerate(self.columns) if column.only != reader]
        columns = tuple(self.columns[place] for place in kept)
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, columns=columns, rows=rows)


@dataclass(frozen=True, kw_only=True)
class Format:
    """A way to write sheets down."""

    about: str
    """One line for help."""
    suffix: str
    """Of a file of this format."""
    render: Callable[[Sequence[Sheet]], str]
    """Sheets to text that ends in a line feed."""


def plain(entry: Entry) -> str:
    """Return an entry as people read it, without its interval."""
    if entry is None:
        return "-"
    if isinstance(entry, Figure):
        return entry.text(entry.value)
    return f"{entry:,}" if isinstance(entry, int) else entry


def said(facts: Mapping[str, str | int | float]) -> str:
    """Return facts in one line: `5,000 images, pixels generated`."""
    parts = []
    for name, value in facts.items():
        shown = f"{value:,}" if isinstance(value, int) else f"{value}"
        parts.append(f"{shown} {name}" if isinstance(value, int) else f"{name} {shown}")
    return ", ".join(parts)

"""The parameter and title of the false positive rates: the recall that they are taken at."""

from typing import Annotated, NamedTuple

from brittle.rows import Range


class Row(NamedTuple):
    """Parameters: the share of the strange ones that must be found."""

    recall: Annotated[float, Range(0, 1)] = 0.95


def percent(row: Row) -> str:
    """Return the recall as papers write it.

    >>> percent(Row(0.95)), percent(Row(0.975))
    ('95', '97.5')
    """
    return f"{100 * row.recall:.6g}"

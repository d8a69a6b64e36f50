"""What a section of a report is: what it needs, and the part of the page that it makes.

A section's file offers `PART = Section(...)`. `make` gets the material of a report (the runs, their
scores, the pictures) and returns HTML, or says why there is none: a `Missing` with a reason stands
in the list at the end of the page, one without a reason is left out, since the section has nothing
to do with what was measured. The file's name is the section's anchor.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from brittle.sections._html import Html
from brittle.sections._material import Material


class Missing(NamedTuple):
    """There is no such section in this report."""

    why: str = ""
    """In a sentence, with what to do; the empty text where the runs are of another kind."""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A section of a report."""

    title: str
    needs: str
    """What runs must hold, in words: for the documentation and for a reader who misses it."""
    place: int
    """Where on the page: sections stand in the order of these numbers, in steps of ten."""
    make: Callable[[Material], Html | Missing]

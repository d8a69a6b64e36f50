"""What a published result is: a row of a table that was printed, with all that limits it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from brittle.scoring.bootstrap import Number


class Measure(NamedTuple):
    """How a metric's numbers are read and printed."""

    title: str
    """As printed: `mCE`."""
    better: Literal["lower", "higher"]
    unit: str
    digits: int
    column: str
    """What a column holds: `CE`."""
    column_digits: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """What somebody published of one model on one suite; all numbers in the metric's unit."""

    model: str
    """As printed; a method stands after its backbone: `ResNet-50 + AugMix`."""
    backbone: str
    """The network; the empty text where the source does not say it."""
    method: str
    """What was done besides ordinary training; the empty text for nothing."""
    standalone: bool | None
    """Whether the public leaderboard calls the method a single one (True) or a combination of
    several (False), which it holds not to be commensurable; None where it says neither."""
    values: Mapping[str, float]
    """Metric -> number."""
    columns: Mapping[str, Mapping[str, float]]
    """Metric -> column -> number, such as the CE of each corruption."""
    computed: frozenset[str]
    """Metrics that were not printed but follow from the printed columns or cells."""
    wrong: Mapping[str, tuple[int, ...]]
    """Corruption -> wrong images at severities 1 to 5, where every cell was published."""
    printed_under: Mapping[str, str]
    """Corruption -> the name that its cells are printed under, where the source mixed them up."""
    images: int | None
    """How many images it was measured on; None where the source does not say."""
    off: tuple[str, ...]
    """Why its numbers are not on an equal footing with the suite's own; nothing where they are."""
    short: str
    """The sources in a word or two: `ICLR 2019`, `thesis, board`."""
    source: str
    """The foremost source in full."""
    reference: str
    """The work that describes the method; the empty text where it is the source or unknown."""
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Published:
    """All that is published here of one suite."""

    name: str
    about: str
    headline: str | None
    """The metric that it is ranked by; None where no total was published."""
    measures: Mapping[str, Measure]
    """The metrics of the rows, the headline first."""
    suites: tuple[str, ...]
    """The suites of a run that measure the same."""
    images: int | None
    """How many pictures the published set has."""
    classes: str | None
    """The list of classes that a model chooses among."""
    shifts: tuple[str, ...]
    """The names that the shifts of a run must have; nothing where any run of the suite will do."""
    chance: float | None
    """What the headline is for guesses."""
    results: tuple[Result, ...]


class Entry(NamedTuple):
    """A row of a leaderboard."""

    place: int | None
    """One more than the number of better rows on an equal footing; None without the metric."""
    places: tuple[int, int] | None
    """The places over the interval of the number, where it has one."""
    own: bool
    """Whether it is a run of the user's, and not published."""
    model: str
    backbone: str
    standalone: bool | None
    numbers: Mapping[str, Number]
    """Metric -> number; published ones have no interval."""
    columns: Mapping[str, Number]
    """The columns of the metric that the board is ranked by."""
    images: int | None
    short: str
    """Where it comes from, in a word or two."""
    source: str
    """In full; of an own run its folder."""
    reference: str
    """The work that describes the method, where it is not the source."""
    off: tuple[str, ...]
    """Why it is not on an equal footing."""
    notes: tuple[str, ...]


def frozen(found: Mapping[str, float]) -> Mapping[str, float]:
    """Return a mapping that nobody can change."""
    return MappingProxyType(dict(found))

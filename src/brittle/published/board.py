"""Who stands where: published results and a user's own runs in one order.

A place is one more than the number of better rows that are on an equal footing with the published
results: the whole published set, the suite's own baseline and corruptions. A row that is not on
such a footing, a sample of the pictures say, is shown with the place that its number would have,
and takes no place from anybody.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brittle.errors import ScoreError, SpecError
from brittle.families import hint
from brittle.published._own import measured, told_apart
from brittle.published.base import Entry, Measure, Published, Result
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number
from brittle.scoring.rates import Measured


@dataclass(frozen=True, kw_only=True)
class Board:
    """A leaderboard of one suite, best first."""

    published: Published
    metric: str
    measure: Measure
    entries: tuple[Entry, ...]
    left_out: tuple[str, ...]
    """What the filters took away, in sentences."""
    level: float


def make(
    published: Published,
    runs: Sequence[Measured] = (),
    *,
    backbone: str | None = None,
    standalone: bool = False,
    sort: str | None = None,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> Board:
    """Rank the published rows that the filters keep, and the runs among them."""
    metric = _metric(published, sort)
    rows, left_out = _kept(published, backbone, standalone=standalone)
    numbers = {"replicates": replicates, "level": level, "seed": seed}
    measure = published.measures[metric]
    entries = [_printed(one, metric, measure.title) for one in rows]
    own = [measured(published, run, metric, baseline, numbers) for run in runs]
    entries += told_apart(own)
    return Board(
        published=published,
        metric=metric,
        measure=measure,
        entries=tuple(_placed(entries, metric, 1 if measure.better == "lower" else -1)),
        left_out=left_out,
        level=level,
    )


def _metric(published: Published, sort: str | None) -> str:
    if not published.measures or (sort is None and published.headline is None):
        raise ScoreError(
            f"Nothing can be ranked in {published.name}: no total of it was published. "
            f"brittle.published.results has its rows."
        )
    if sort is None:
        assert published.headline is not None
        return published.headline
    name = sort.strip().lower().replace("-", "_").replace(" ", "_")
    if name not in published.measures:
        raise SpecError(
            hint(name, published.measures, f"metric in what is published of {published.name},")
        )
    return name


def plain(name: str) -> str:
    """Return a network's name without what spellings differ in.

    >>> plain("ResNeXt-101 32x8d") == plain("resnext101_32x8d")
    True
    """
    return "".join(sign for sign in name.lower() if sign.isalnum())


def _kept(
    published: Published, backbone: str | None, *, standalone: bool
) -> tuple[list[Result], tuple[str, ...]]:
    rows, said = list(published.results), []
    if backbone is not None:
        known = {plain(row.backbone): row.backbone for row in rows if row.backbone}
        if plain(backbone) not in known:
            raise SpecError(
                hint(backbone, known.values(), f"backbone among the results of {published.name},")
                if known
                else f"The results of {published.name} do not say their backbones; leave it out."
            )
        silent = sum(not row.backbone for row in rows)
        rows = [row for row in rows if plain(row.backbone) == plain(backbone)]
        if silent:
            said.append(f"{_rows(silent)} left out: the source does not name the backbone")
    if standalone:
        silent = sum(row.standalone is None and bool(row.method) for row in rows)
        rows = [row for row in rows if row.standalone or not row.method]
        if silent:
            said.append(f"{_rows(silent)} left out: nobody says whether the method is a single one")
    return rows, tuple(said)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _printed(row: Result, metric: str, title: str) -> Entry:
    known = "cells" if row.wrong else "columns"
    computed = [f"{title} computed here from the published {known}"] * (metric in row.computed)
    return Entry(
        place=None,
        places=None,
        own=False,
        model=row.model,
        backbone=row.backbone,
        standalone=row.standalone,
        numbers={name: _exact(value) for name, value in row.values.items()},
        columns={name: _exact(value) for name, value in row.columns.get(metric, {}).items()},
        images=row.images,
        short=row.short,
        source=row.source,
        reference=row.reference,
        off=row.off,
        notes=(*row.notes, *computed),
    )


def _exact(value: float) -> Number:
    return Number(value, math.nan, math.nan)


def _placed(entries: Sequence[Entry], metric: str, sign: int) -> Iterator[Entry]:
    """Yield the entries in order with their places; `sign` turns numbers so that less is better."""

    def key(entry: Entry) -> tuple[float, bool]:
        number = entry.numbers.get(metric)
        return (math.inf if number is None else sign * number.value), entry.own

    equal = [key(entry)[0] for entry in entries if metric in entry.numbers and not entry.off]

    def place(value: float) -> int:
        return 1 + sum(other < value for other in equal)

    for entry in sorted(entries, key=key):
        number = entry.numbers.get(metric)
        if number is None:
            yield entry
            continue
        own = sign * number.value
        ends = sorted(sign * end for end in (number.low, number.high) if end == end)
        # The own number is no rival of the ends of its own interval.
        rivals = list(equal)
        if not entry.off:
            rivals.remove(own)
        places = tuple(1 + sum(other < end for other in rivals) for end in ends)
        yield entry._replace(
            place=place(own), places=(places[0], places[1]) if len(places) == 2 else None
        )

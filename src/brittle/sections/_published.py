"""Rows printed in papers, to stand beside a user's own: the one place where they come in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from brittle import published as results
from brittle.baselines import BASELINES
from brittle.outcomes import Suite
from brittle.scoring import normalise
from brittle.scoring.described import described, known


@final
@dataclass(frozen=True, kw_only=True)
class Known:
    """A published result."""

    name: str
    """The model or the method, as the source prints it."""
    values: Mapping[str, float]
    """Metric's name -> what is printed."""
    source: str
    """Where it is printed."""

    def __post_init__(self) -> None:
        """Refuse values of no metric."""
        for name in self.values:
            described(name)


def published(
    suite: Suite, given: Sequence[Known] = (), *, divided: bool = True
) -> tuple[Known, ...]:
    """Return the rows that stand beside runs of a suite: its agreed baseline, and those given.

    The baseline has an mCE of 100 by definition. Where runs are divided by another one (not
    `divided`), published numbers that are divided by the agreed one are left out.

    >>> suite = {"name": "x", "about": "", "cells": (), "scores": (), "baseline": "alexnet"}
    >>> [(row.name, row.values["mce"]) for row in published(Suite(edition="imagenet-224", **suite))]
    [('AlexNet', 100.0)]
    >>> published(Suite(edition="any", **suite))
    ()
    """
    rows = list(given)
    if suite.baseline is not None and suite.baseline in BASELINES.names():
        part = BASELINES.load(suite.baseline)
        # Not beside another edition, a subset, or other classes.
        same = part.classes is not None and normalise.Published(part, suite, plain=True).plain
        if same and part.title not in {row.name for row in rows}:
            values = {"mce": 100.0, "relative_mce": 100.0, "clean_error": part.clean}
            rows.insert(0, Known(name=part.title, values=values, source=part.source))
    return tuple(rows) if divided else tuple(filter(None, map(_undivided, rows)))


def _undivided(row: Known) -> Known | None:
    kept = {name: value for name, value in row.values.items() if not described(name).divided}
    return replace(row, values=kept) if kept else None


def printed(suite: str) -> list[Known]:
    """Return the rows that come with brittle, on an equal footing with a whole run of a suite.

    >>> len(printed("imagenet-c")) > 20, printed("shifts")
    (True, [])
    """
    if suite not in results.names():
        return []
    return [
        Known(name=row.model, values=values, source=row.source)
        for row in results.results(suite)
        if not row.off and (values := {name: v for name, v in row.values.items() if known(name)})
    ]


def valued(rows: Sequence[Known], *names: str) -> list[Known]:
    """Return the rows that have all these scores."""
    return [row for row in rows if all(name in row.values for name in names)]

"""Scores of a measured suite, each number with its interval.

    outcomes --> error rates --> bootstrap --> metrics --> scores

Nothing here knows a model, a picture or a file. A score that cannot be given says why.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from brittle.errors import ScoreError
from brittle.metrics import find
from brittle.metrics._sequences import STRONGEST, at
from brittle.metrics.base import Errors, Metric, Sum, mean
from brittle.outcomes import COLUMNED, MOVEMENTS, Cell, Outcome, Reads, Role, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.normalise import Divisor, divisor
from brittle.scoring.rates import Measured, Sampler, Wanted
from brittle.scoring.titles import notes, title
from brittle.spec import parse

MEANINGS: Mapping[Role, str] = {
    "clean": "clean images",
    "grid": "corruptions at severities",
    "extra": "the validation corruptions",
    "free": "conditions off the grid",
    "iid": "in-distribution images",
    "shift": "shifted images",
    "sequence": "sequences of frames",
}
ERROR = "mean_corruption_error"
RANKINGS = frozenset({"ranking", "logits"})
"""What a run may keep that says the order of all classes."""
NO_RANKING = (
    "The Zipf distance needs the ranking of all classes, and this run kept the foremost five. "
    "Evaluate again into another folder with --keep ranking."
)
PLAIN: Mapping[Reads, str] = {
    "flips": "mean_flip_probability",
    "top5_distance": "mean_top5_distance",
    "zipf_distance": "mean_zipf_distance",
}
"""What can be given where a part of the perturbations is missing."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """A metric of one suite in one run, as it is printed."""

    name: str
    title: str
    """Says what is off the published number: another baseline, other corruptions."""
    suite: str
    value: float
    low: float
    high: float
    columns: Mapping[str, Number]
    """What the value is summed from, such as the CE of each corruption."""
    column: str
    """What a column holds: `CE`."""
    unit: str
    better: Literal["lower", "higher"]
    digits: int
    column_digits: int
    baseline: str | None
    images: int
    replicates: int
    level: float
    notes: tuple[str, ...]
    citation: str

    @property
    def number(self) -> Number:
        """The value with its interval."""
        return Number(self.value, self.low, self.high)


class Scores(tuple[Score, ...]):
    """Scores in the order asked for; `withheld` says why others of the suite are not given."""

    withheld: Mapping[str, str]


class Sample(NamedTuple):
    """A score with all its replicates."""

    name: str
    metric: Metric
    cells: tuple[Cell, ...]
    divisor: Divisor | None
    title: str
    sum: Sum


def score_suite(
    suite: Suite,
    outcomes: Mapping[str, Outcome],
    names: Sequence[str] | None = None,
    *,
    baseline: str | Measured | None = None,
    info: Mapping[str, Any] | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Scores:
    """Score what was measured of a suite.

    `names` are metrics; one that cannot be given is a `ScoreError`. None takes those of the suite
    that can be given, and lists the others in `withheld` with the reason. `baseline` is the name of
    one that comes with brittle or another run on the same pictures; None takes the suite's own.
    `info` is the record of the run, whose seed must be that of a baseline run. `difficulty` is how
    far apart the frames of sequences are that are compared, and the strength of their noises.
    Intervals are percentile intervals over `replicates` bootstrap samples of the images; 0
    replicates leave them nan.
    """
    bootstrap.check(replicates, level)
    sampler = Sampler(suite, outcomes, replicates=replicates, seed=seed, difficulty=difficulty)
    asked = suite.scores if names is None else names
    samples, withheld = sample(
        sampler, asked, baseline=baseline, info=info or {}, strict=names is not None
    )
    scores = Scores(_score(one, sampler, level) for one in samples)
    scores.withheld = withheld
    return scores


def sample(
    sampler: Sampler,
    names: Sequence[str],
    *,
    baseline: str | Measured | None,
    info: Mapping[str, Any],
    strict: bool,
) -> tuple[list[Sample], dict[str, str]]:
    """Make scores with all their replicates; unless `strict`, say why others are withheld."""
    if isinstance(names, str):
        raise ScoreError(f"names is a list of metrics; write ['{names}'].")
    found = dict(find(name) for name in names)
    withheld: dict[str, str] = {}
    plans: dict[str, tuple[tuple[Cell, ...], Divisor | None]] = {}
    samples = []
    shared: Divisor | None = None
    for name, metric in found.items():
        try:
            cells = _cells(sampler, metric)
            _check_kept(metric, info)
            if metric.baseline and shared is None:
                shared = divisor(baseline, sampler, info)
            plans[name] = cells, shared if metric.baseline else None
        except ScoreError as error:
            if strict:
                raise
            withheld[name] = str(error)
    sampler.prepare(Wanted(c, found[n].reads) for n, (cells, _) in plans.items() for c in cells)
    for name, (cells, used) in plans.items():
        try:
            samples.append(_sample(sampler, name, found[name], cells, used))
        except ScoreError as error:
            if strict:
                raise
            withheld[name] = str(error)
    return samples, withheld


class Cells(NamedTuple):
    """Top-1 errors of what was measured on all its images."""

    errors: Mapping[Cell, Number]
    means: Mapping[str, Number]
    """Corruption -> mean over its severities, where all of them were measured."""
    images: int


def cell_errors(
    suite: Suite,
    outcomes: Mapping[str, Outcome],
    *,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    reads: Reads = "top1",
    difficulty: int = 1,
) -> Cells:
    """Return the top-1 errors of a suite's cells; those that are not complete are left out.

    With another `reads`, how far the predictions of its sequences move.
    """
    bootstrap.check(replicates, level)
    sampler = Sampler(suite, outcomes, replicates=replicates, seed=seed, difficulty=difficulty)
    some = [cell for cell in suite.cells if (cell.role == "sequence") == (reads in MOVEMENTS)]
    rates = sampler.rates([cell for cell in some if sampler.measured(cell)], reads)
    groups: dict[str, list[Cell]] = {}
    for cell in suite.cells:
        if cell.role in ("grid", "extra"):
            groups.setdefault(cell.group, []).append(cell)
    return Cells(
        {cell: number(rate, level) for cell, rate in rates.items()},
        {
            group: number(mean({cell: rates[cell] for cell in row}), level)
            for group, row in groups.items()
            if all(cell in rates for cell in row)
        },
        sampler.count(rates),
    )


def _cells(sampler: Sampler, metric: Metric) -> tuple[Cell, ...]:
    """Return the cells that a metric uses; refuse what is not there or not complete."""
    suite = sampler.suite
    if metric.off_grid and suite.graded:
        raise ScoreError(
            f"{metric.title} is for photographs and free conditions, and {suite.name} is a grid of "
            f"corruptions: ask for clean_error, or for mean_corruption_error."
        )
    chosen: list[Cell] = []
    for roles in metric.roles:
        found = metric.choose([cell for cell in suite.cells if cell.role in roles])
        if not found:
            wanted = " or ".join(MEANINGS[role] for role in roles)
            raise ScoreError(
                f"{metric.title} needs {wanted}, and {suite.name} was measured without; evaluate "
                f"the model on them as well."
            )
        chosen += found
    if difficult := any(cell.role == "sequence" for cell in chosen):
        chosen = _at(sampler, metric, chosen)
    if sampler.difficulty > 1 and not difficult:
        raise ScoreError(
            f"{metric.title} has no difficulty, which is of frames; leave it out, or ask for mFR."
        )
    _check_whole(suite, metric, chosen)
    _check_severities(suite, metric, chosen)
    sampler.need(chosen, metric.title)
    if suite.foremost_only and metric.reads not in ("top1", "flips"):
        raise ScoreError(
            f"{metric.title} needs the order of the classes, and the model of this run gives the "
            f"foremost one only."
        )
    if metric.reads == "top5" and sampler.classes(chosen) < 6 and "classes" in suite.facts:
        raise ScoreError(
            f"{metric.title} of {sampler.classes(chosen)} classes is 0 whatever the model does; "
            f"use the top-1 error."
        )
    return tuple(chosen)


def _check_kept(metric: Metric, info: Mapping[str, Any]) -> None:
    """Refuse what reads more than the run has kept."""
    kept = info.get("keep")
    if metric.reads == "zipf_distance" and kept is not None and not {*kept} & RANKINGS:
        raise ScoreError(NO_RANKING)


def _at(sampler: Sampler, metric: Metric, cells: Sequence[Cell]) -> list[Cell]:
    """Take the cells of the difficulty that is asked for; noises without it are refused."""
    strict = metric.whole or sampler.difficulty > 1
    found = list(at(cells, sampler.difficulty, strict=strict))
    groups = {cell.group for cell in found}
    lost = dict.fromkeys(cell.group for cell in cells if cell.group not in groups)
    if lost:
        raise ScoreError(
            f"{metric.title} at difficulty {sampler.difficulty} needs {', '.join(lost)} at "
            f"strength {sampler.difficulty}, and {sampler.suite.name} was measured without; "
            + (
                "the suite imagenet-p-all has all strengths."
                if sampler.difficulty <= STRONGEST
                else f"noises have {STRONGEST} strengths, so take a difficulty of no more."
            )
        )
    return found


def _check_whole(suite: Suite, metric: Metric, cells: Sequence[Cell]) -> None:
    """Refuse a part of the corruptions that a metric's name stands for."""
    there = {parse(cell.group).name for cell in cells if cell.role in COLUMNED}
    if metric.whole and (lost := [name for name in metric.corruptions if name not in there]):
        moving = metric.reads in MOVEMENTS
        noun, other = ("perturbations", PLAIN[metric.reads]) if moving else ("corruptions", ERROR)
        raise ScoreError(
            f"{metric.title} needs all {len(metric.corruptions)} {noun}, and {suite.name} was "
            f"measured without {', '.join(lost)}. Measure them too, or read {other}, which says "
            f"over how many it is."
        )


def _check_severities(suite: Suite, metric: Metric, cells: Sequence[Cell]) -> None:
    rows: dict[str, list[int]] = {}
    for cell in cells:
        if cell.role in ("grid", "extra"):
            rows.setdefault(cell.group, []).append(cell.severity or 0)
    every = sorted({severity for row in rows.values() for severity in row})
    for group, row in rows.items():
        if len(set(row)) < len(row):
            raise ScoreError(f"{suite.name} has {group} twice at a severity; measure it once.")
        wanted = list(metric.severities) or every
        if sorted(row) != wanted:
            raise ScoreError(
                f"{metric.title} needs {group} at the severities {_listed(wanted)}; "
                f"{suite.name} has it at {_listed(sorted(row))}. mean_corruption_error takes any "
                f"severities that all corruptions have."
            )


def _sample(
    sampler: Sampler, name: str, metric: Metric, cells: tuple[Cell, ...], used: Divisor | None
) -> Sample:
    groups = list(dict.fromkeys(c.group for c in cells if c.role in COLUMNED))
    losses = any("clean" in roles for roles in metric.roles)
    normaliser = used.normaliser(groups, losses=losses, reads=metric.reads) if used else None
    errors = Errors(rates=sampler.rates(cells, metric.reads), baseline=normaliser)
    # A baseline that is measured too can lose nothing in a replicate of few images.
    with np.errstate(divide="ignore", invalid="ignore"):
        made = metric.of(errors)
    return Sample(name, metric, cells, used, title(sampler, metric, cells, used), made)


def _score(one: Sample, sampler: Sampler, level: float) -> Score:
    metric = one.metric
    total = number(one.sum.total, level)
    return Score(
        name=one.name,
        title=one.title,
        suite=sampler.suite.name,
        value=total.value,
        low=total.low,
        high=total.high,
        columns={key: number(rate, level) for key, rate in one.sum.columns.items()},
        column=metric.column,
        unit=metric.unit,
        better=metric.better,
        digits=metric.digits,
        column_digits=metric.column_digits,
        baseline=one.divisor.title if one.divisor else None,
        images=sampler.count(one.cells),
        replicates=sampler.replicates,
        level=level,
        notes=notes(sampler, metric, one.cells, one.divisor),
        citation=metric.citation,
    )


def _listed(severities: Sequence[int]) -> str:
    return ", ".join(map(str, severities))

"""Several runs of one suite, a row each, with the columns that the papers print."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from brittle.errors import ScoreError
from brittle.metrics import METRICS, find
from brittle.metrics._grid import base
from brittle.outcomes import Suite
from brittle.reports._words import category, facts, heading, withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.scoring.rates import Measured
from brittle.scoring.sameness import Side, compared
from brittle.scoring.scores import Score, Scores, score_suite
from brittle.scoring.unknowns import named, of_outputs

LONG = 24
"""Characters of a title that may head a column; a longer one goes into the notes."""


def paper(
    runs: Sequence[Measured],
    suite: str | None = None,
    *,
    score: str | None = None,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Sheet:
    """Return the table of a paper: clean error, the headline and its columns for every run.

    The headline is `score`, or the foremost one of the suite that any run can give. A suite
    without a grid has all its scores as columns, and the headline's shifts after them.
    """
    suites = [run.suite(suite) for run in runs]
    first = suites[0]
    for run, other in zip(runs, suites, strict=True):
        for noun, was, now in (
            ("suite", first.name, other.name),
            ("edition", first.edition, other.edition),
            ("pixels", first.facts.get("pixels"), other.facts.get("pixels")),
        ):
            if was != now:
                raise ScoreError(
                    f"{runs[0].model} has the {noun} {was} and {run.model} {now}; runs in one "
                    f"table must agree in it."
                )
    if of_outputs(first):
        names = [named(first, name) for name in ([score] if score else first.scores)]
    else:
        names = [find(name)[0] for name in ([score] if score else first.scores)]
    moving = first.moving
    if "clean_error" not in names and not moving and not of_outputs(first):
        names.append("clean_error")
    scored, sides = [], []
    for number, (run, one) in enumerate(zip(runs, suites, strict=True), 1):
        outcomes = run.outcomes(one.name)
        sides.append(Side(f"row {number}", one, outcomes, run.info))
        if of_outputs(one):
            scored.append(run.scores(names, suite=one.name, replicates=replicates, level=level))
            continue
        # Through the suite's own list, what cannot be given is withheld and no error.
        scored.append(
            score_suite(
                replace(one, scores=tuple(names)), outcomes, baseline=baseline, info=run.info,
                replicates=replicates, level=level, seed=seed, difficulty=difficulty,
            )
        )  # fmt: skip
    offered = names if score is None else names[:1]
    head = next((n for n in offered if any(_get(s, n) for s in scored)), None)
    if head is None:
        raise ScoreError(
            f"No run gives a score of {first.name}: {scored[0].withheld.get(names[0], '')}"
        )
    sheet = _sheet(runs, first, scored, head, names, replicates, level)
    # No run can give those before the headline.
    before = offered[: offered.index(head)]
    passed = (("", {name: scores.withheld[name] for name in before}) for scores in scored)
    return replace(sheet, notes=(*withheld(passed), *_others(runs, sides), *sheet.notes))


def _others(runs: Sequence[Measured], sides: Sequence[Side]) -> Iterator[str]:
    """Say which rows are not of the same pictures as the first."""
    first = sides[0]
    for run, side in zip(runs[1:], sides[1:], strict=True):
        found = compared(first, side)
        if found.differ:
            yield (
                f"{side.who} ({run.model}) is not on the same pictures as {first.who} "
                f"({runs[0].model}): {'; '.join(found.differ)}"
            )
        yield from found.notes


def _get(scores: Scores, name: str) -> Score | None:
    return next((score for score in scores if score.name == name), None)


def _sheet(
    runs: Sequence[Measured],
    suite: Suite,
    scored: Sequence[Scores],
    head: str,
    names: Sequence[str],
    replicates: int,
    level: float,
) -> Sheet:
    heads = [_get(scores, head) for scores in scored]
    metric = _printed(head, heads)
    said = [score.title for score in heads if score]
    same = len(set(said)) == 1 and len(said[0]) <= LONG
    shared = said[0] if same else metric.title
    ladder = bool(metric.corruptions)
    moving = suite.moving
    totals = ["clean_error", head] if ladder and not moving else [head] if ladder else list(names)
    totals = [n for n in dict.fromkeys(totals) if any(_get(s, n) for s in scored)]
    groups = list(dict.fromkeys(_key(g, score) for score in heads if score for g in score.columns))
    if len(groups) == 1:
        groups = []
    columns = [
        Column("model", "", "left", only="machines"),
        Column("title", "", "left", only="machines"),
        Column("name", "model", "left", only="people"),
    ]
    for name in totals:
        title = shared if name == head else _printed(name, [_get(s, name) for s in scored]).title
        columns.append(Column(name, title, short=title.removesuffix(" error")))
    for group in groups:
        over = category(group).capitalize() if ladder else ""
        title, short = heading(group) if ladder else (group, group)
        columns.append(Column(group, title, short=short, over=over))
    rows: list[tuple[Entry, ...]] = []
    notes: list[str] = []
    for run, scores, one in zip(runs, scored, heads, strict=True):
        marked = one is not None and one.title != shared
        row: list[Entry] = [run.model, one.title if one else None]
        row.append(f"{run.model} *" if marked else run.model)
        for name in totals:
            found = _get(scores, name)
            row.append(Figure.of(found.number, found.digits, shown=False) if found else None)
        ces = {_key(group, one): n for group, n in one.columns.items()} if one else {}
        for group in groups:
            number = ces.get(group)
            row.append(Figure.of(number, metric.column_digits, shown=False) if number else None)
        rows.append(tuple(row))
        if one is not None:
            prefix = f"* {run.model}: {one.title}" if marked else run.model
            notes += [f"{prefix}: {note}" for note in one.notes] or ([prefix] if marked else [])
    missed = (
        (f"{run.model}: ", {name: why for name, why in scores.withheld.items() if name in totals})
        for run, scores in zip(runs, scored, strict=True)
    )
    notes += withheld(missed)
    images = {score.images for score in heads if score}
    if len(images) > 1:
        counts = [f"{r.model} {s.images:,}" for r, s in zip(runs, heads, strict=True) if s]
        notes.append(f"numbers of images differ: {', '.join(counts)}")
    divided = next((score.baseline for score in heads if score), None)
    found_facts = facts(suite, images=max(images), replicates=0, level=level, baseline=divided)
    return Sheet(
        title=f"{suite.name}: {metric.title}" + (f" in {metric.unit}" if metric.unit else ""),
        columns=tuple(columns),
        rows=tuple(rows),
        facts=found_facts,
        notes=(
            *notes,
            *(
                [f"{100 * level:g} % intervals are in the formats csv and json"]
                if replicates
                else []
            ),
        ),
    )


class _Printed(NamedTuple):
    """How a score is printed, whatever it reads."""

    title: str
    unit: str
    column_digits: int
    corruptions: tuple[str, ...]


def _printed(name: str, scores: Sequence[Score | None]) -> _Printed:
    if name in METRICS.names():
        metric = METRICS.load(name)
        return _Printed(metric.title, metric.unit, metric.column_digits, metric.corruptions)
    one = next(score for score in scores if score)
    return _Printed(one.title, one.unit, one.column_digits, ())


def _key(group: str, score: Score) -> str:
    """Return the column of a corruption: its plain name, where the score has it but once."""
    if not _printed(score.name, [score]).corruptions:
        return group
    name = base(group)
    return name if [base(other) for other in score.columns].count(name) == 1 else group

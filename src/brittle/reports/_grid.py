"""One run's errors, cell by cell: corruptions x severities, or sets of photographs."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from typing import TypeAlias

from brittle.errors import ScoreError
from brittle.metrics._plain import titles
from brittle.outcomes import Role, Suite
from brittle.reports._moves import moves
from brittle.reports._words import facts, withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number
from brittle.scoring.breakdown import break_down
from brittle.scoring.rates import Measured
from brittle.scoring.scores import Cells, Score, cell_errors, score_suite

BESIDE = ("mce", "extra_mce", "mean_corruption_error")
"""The scores that stand beside the grid where they can be given."""
_RUNGS: tuple[Role, ...] = ("grid", "extra")
Table: TypeAlias = tuple[tuple[tuple[Entry, ...], ...], tuple[Column, ...], tuple[int, ...]]
"""Rows, columns, and the rows before which a line is drawn."""


def grid(
    run: Measured,
    suite: str | None = None,
    *,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Sheet:
    """Return what one run measured of a suite, complete or not."""
    found = run.suite(suite)
    if found.moving:
        return moves(
            run, found, baseline=baseline, replicates=replicates, level=level, seed=seed,
            difficulty=difficulty,
        )  # fmt: skip
    if difficulty > 1:
        raise ScoreError(f"{found.name} has no difficulty, which is of frames; leave it out.")
    outcomes = run.outcomes(found.name)
    cells = cell_errors(found, outcomes, replicates=replicates, level=level, seed=seed)
    scores: dict[str, Score] = {}
    notes: list[str] = []
    if found.graded:
        made = score_suite(
            replace(found, scores=BESIDE), outcomes,
            baseline=baseline, info=run.info, replicates=replicates, level=level, seed=seed,
        )  # fmt: skip
        scores = {score.name: score for score in made}
        notes = [f"{s.title}: {note}" for s in made for note in s.notes]
        missed = {name: why for name, why in made.withheld.items() if name in found.scores}
        notes += withheld([("", missed)])
        means: dict[str, Number] = {}
        if "mean_corruption_error" in scores:
            by = break_down(
                found, outcomes, by="severity", replicates=replicates, level=level, seed=seed
            )
            means = {part.name: part.errors["error"] for part in by.parts}
        rows, columns, rules = _ladder(found, cells, scores, means)
    else:
        rows, columns, rules = _plain(found, cells)
    missing = [cell for cell in found.cells if cell not in cells.errors]
    if missing:
        notes.append(f"{len(missing)} of {len(found.cells)} cells are not measured on every image")
    divided = next((score.baseline for score in scores.values()), None)
    return Sheet(
        title=f"{run.model}: {found.name}, top-1 error in %",
        columns=columns,
        rows=rows,
        facts=facts(
            found, images=cells.images, replicates=replicates, level=level, baseline=divided
        ),
        notes=tuple(notes),
        rules=rules,
    )


def _ladder(
    suite: Suite, cells: Cells, scores: Mapping[str, Score], means: Mapping[str, Number]
) -> Table:
    ladder = [cell for cell in suite.cells if cell.role in ("grid", "extra")]
    severities = sorted({cell.severity or 0 for cell in ladder})
    at = {(cell.group, cell.severity): cell for cell in ladder}
    ces = {
        key: one
        for name in ("mce", "extra_mce")
        if name in scores
        for key, one in scores[name].columns.items()
    }
    blank: list[Entry] = [""] * len(severities)

    def alone(role: Role) -> list[tuple[Entry, ...]]:
        found = [cell for cell in suite.cells if cell.role == role]
        return [(c.condition, role, *blank, _figure(cells.errors.get(c)), "") for c in found]

    def rung(group: str, role: Role) -> tuple[Entry, ...]:
        found = [cells.errors.get(at[group, s]) if (group, s) in at else None for s in severities]
        row = [_figure(one, shown=False) for one in found]
        mean, ce = _figure(cells.means.get(group)), _figure(ces.get(group), 0, shown=False)
        return (group, role, *row, mean, ce)

    blocks = [alone("clean")]
    for role in _RUNGS:
        groups = dict.fromkeys(cell.group for cell in ladder if cell.role == role)
        blocks.append([rung(group, role) for group in groups])
        if role == "grid" and groups and "mean_corruption_error" in scores:
            mean = scores["mean_corruption_error"]
            steps = [_figure(means.get(str(severity)), shown=False) for severity in severities]
            total = _figure(scores["mce"].number, shown=False) if "mce" in scores else None
            name = f"mean of {len(mean.columns)}"
            blocks.append([(name, "mean", *steps, _figure(mean.number), total)])
    blocks.append(alone("free"))
    columns = (
        Column("corruption", "corruption", "left"),
        Column("role", "", "left", only="machines"),
        *(Column(f"severity_{severity}", str(severity)) for severity in severities),
        Column("mean", "mean"),
        Column("ce", "CE"),
    )
    rows = [row if ces else row[:-1] for block in blocks for row in block]
    rules = accumulate(len(block) for block in blocks)
    return tuple(rows), columns if ces else columns[:-1], tuple(rules)


def _plain(suite: Suite, cells: Cells) -> Table:
    names = titles(suite.cells)
    rows = tuple((names[cell], cell.role, _figure(cells.errors.get(cell))) for cell in suite.cells)
    columns = (
        Column("name", "images", "left"),
        Column("role", "", "left"),
        Column("error", "error"),
    )
    return rows, columns, ()


def _figure(number: Number | None, digits: int = 1, *, shown: bool = True) -> Figure | None:
    return None if number is None else Figure.of(number, digits, shown=shown)

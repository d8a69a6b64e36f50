"""A run's scores, one a line; one score with its columns; errors by part."""

from collections.abc import Sequence

from brittle.outcomes import Suite
from brittle.reports._words import facts, withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.scoring.breakdown import Breakdown
from brittle.scoring.rates import Measured
from brittle.scoring.scores import Score, Scores, score_suite
from brittle.scoring.unknowns import of_outputs

WORDS = {"lower": "lower is better", "higher": "higher is better"}


def summary(
    run: Measured,
    suite: str | None = None,
    *,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Sheet:
    """Return the scores of one suite of a run, or of all; those not given are in the notes."""
    scored: list[tuple[Suite, Scores]] = []
    for name in run.suites if suite is None else (suite,):
        one = run.suite(name)
        if of_outputs(one):
            scored.append((one, run.scores(suite=name, replicates=replicates, level=level)))
            continue
        scores = score_suite(
            one, run.outcomes(name),
            baseline=baseline, info=run.info, replicates=replicates, level=level, seed=seed,
            difficulty=difficulty,
        )  # fmt: skip
        scored.append((one, scores))
    several = len(scored) > 1
    rows: list[tuple[Entry, ...]] = []
    said: dict[str, list[str]] = {}
    for one, scores in scored:
        where = f"{one.name}: " if several else ""
        for score in scores:
            rows.append(
                (
                    one.name,
                    score.name,
                    score.title,
                    Figure.of(score.number, score.digits),
                    score.unit,
                    score.better,
                    WORDS[score.better],
                    score.baseline,
                    score.images,
                )
            )
            for note in score.notes:
                said.setdefault(note, []).append(f"{where}{score.name}")
    notes = [f"{', '.join(names)}: {note}" for note, names in said.items()]
    notes += withheld((f"{one.name}: " if several else "", made.withheld) for one, made in scored)
    units = {score.unit for _, scores in scored for score in scores}
    columns = (
        Column("suite", "suite", "left", only="" if several else "machines"),
        Column("score", "", "left", only="machines"),
        Column("title", "score", "left"),
        Column("value", "%" if units == {"%"} else ""),
        Column("unit", "", only="machines"),
        Column("better", "", only="machines"),
        Column("direction", "", "left"),
        Column("baseline", "", only="machines"),
        Column("images", "images", only="" if several else "machines"),
    )
    first = next((score for _, scores in scored for score in scores), None)
    measured = _facts(scored, first) if first else {}
    title = run.model if several else f"{run.model}: {scored[0][0].name}"
    return Sheet(title=title, columns=columns, rows=tuple(rows), facts=measured, notes=tuple(notes))


def detail(model: str, suite: Suite, score: Score) -> Sheet:
    """Return one score with the columns that it is summed from."""
    rows: list[tuple[Entry, ...]] = [(score.title, Figure.of(score.number, score.digits))]
    for name, one in score.columns.items():
        rows.append((name, Figure.of(one, max(score.column_digits, 1))))
    return Sheet(
        title=f"{model}: {suite.name}, {score.title}",
        columns=(Column("name", score.column, "left"), Column("value", score.unit)),
        rows=tuple(rows),
        facts=_facts([(suite, Scores([score]))], score),
        notes=(*score.notes, score.citation),
        rules=(1,),
    )


def parts(model: str, suite: Suite, found: Breakdown) -> Sheet:
    """Return errors by class, category, severity or group."""
    names = list(dict.fromkeys(name for part in found.parts for name in part.errors))
    columns = (
        Column("part", found.by, "left"),
        Column("images", "images"),
        *(Column(name, f"{name} %" if name != "error" else "error %") for name in names),
    )
    rows = tuple(
        (
            part.name,
            part.images,
            *(Figure.of(part.errors[name]) if name in part.errors else None for name in names),
        )
        for part in found.parts
    )
    return Sheet(
        title=f"{model}: {suite.name} by {found.by}",
        columns=columns,
        rows=rows,
        facts={
            key: value
            for key, value in facts(
                suite, images=0, replicates=found.replicates, level=found.level
            ).items()
            if key != "images"
        },
        notes=("top-1 error", *found.notes),
    )


def _facts(scored: Sequence[tuple[Suite, Scores]], first: Score) -> dict[str, str | int | float]:
    suite, scores = scored[0]
    images = max(score.images for score in (*scores, first))
    named = next((score.baseline for score in scores if score.baseline), None)
    made = facts(
        suite, images=images, replicates=first.replicates, level=first.level, baseline=named
    )
    if len(scored) > 1:
        return {key: value for key, value in made.items() if key == "intervals"}
    return made

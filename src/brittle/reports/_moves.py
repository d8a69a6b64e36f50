"""How predictions move under the perturbations of a run: a row each, and where they flip."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from brittle.metrics import find
from brittle.metrics._sequences import at
from brittle.outcomes import Outcome, Reads, Suite
from brittle.reports._words import facts, withheld
from brittle.reports.base import Column, Entry, Figure, Sheet
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.scoring.moving import by_frame, unsteady
from brittle.scoring.rates import Measured
from brittle.scoring.scores import cell_errors, score_suite

RAW: Mapping[str, Reads] = {
    "mean_flip_probability": "flips",
    "mean_top5_distance": "top5_distance",
    "mean_zipf_distance": "zipf_distance",
}


def moves(
    run: Measured,
    suite: Suite,
    *,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Sheet:
    """Return flips and distances, a row a perturbation, with those divided by a baseline."""
    outcomes = run.outcomes(suite.name)
    kept = any(name in run.info.get("keep", ()) for name in ("ranking", "logits"))
    names = ["mean_flip_probability", "mfr", "mean_top5_distance", "mt5d"]
    names += ["mean_zipf_distance"] if kept else []
    asked = replace(suite, scores=tuple(names))
    made = score_suite(
        asked, outcomes, baseline=baseline, info=run.info, replicates=replicates, level=level,
        seed=seed, difficulty=difficulty,
    )  # fmt: skip
    scores = {score.name: score for score in made}
    cells = at(
        [cell for cell in suite.cells if cell.role == "sequence"], difficulty,
        strict=difficulty > 1,
    )  # fmt: skip
    raw = {
        name: cell_errors(
            suite, outcomes, replicates=replicates, level=level, seed=seed, reads=reads,
            difficulty=difficulty,
        )
        for name, reads in RAW.items()
        # A model that gives the foremost class alone has no distances.
        if name in names and (reads == "flips" or not suite.foremost_only)
    }  # fmt: skip
    # What was measured is shown, also where it is no whole suite yet.
    shown = [name for name in names if name in scores or name in raw]
    rows: list[tuple[Entry, ...]] = []
    for cell in cells:
        row: list[Entry] = [cell.condition]
        for name in shown:
            metric = find(name)[1]
            digits = max(metric.column_digits, 1)
            if name in raw:
                found = raw[name].errors.get(cell)
            else:
                found = scores[name].columns.get(cell.group)
            row.append(None if found is None else Figure.of(found, digits))
        rows.append(tuple(row))
    summed = [score for score in made if score.name in raw]
    last: list[Entry] = [f"mean of {len(summed[0].columns)}" if summed else "mean"]
    last += [
        Figure.of(scores[n].number, max(scores[n].digits, 1)) if n in scores else None
        for n in shown
    ]
    missing = {n: why for n, why in made.withheld.items() if n in suite.scores or n in raw}
    said: dict[str, list[str]] = {}
    for score in made:
        for note in score.notes:
            said.setdefault(note, []).append(score.title)
    notes = [f"{', '.join(titles)}: {note}" for note, titles in said.items()]
    divided = next((score.baseline for score in made if score.baseline), None)
    images = max(found.images for found in raw.values())
    return Sheet(
        title=f"{run.model}: {suite.name}, how predictions move from frame to frame",
        columns=(
            Column("perturbation", "perturbation", "left"),
            *(Column(name, _heading(name), short=find(name)[1].column) for name in shown),
        ),
        rows=(*rows, tuple(last)),
        facts=facts(suite, images=images, replicates=replicates, level=level, baseline=divided),
        notes=tuple(dict.fromkeys([*notes, *withheld([("", missing)])])),
        rules=(len(rows),),
    )


def flipping(
    run: Measured, suite: Suite, outcomes: Mapping[str, Outcome], *, most: int, difficulty: int = 1
) -> Sheet:
    """Return the sequences that flip most, and at which frames."""
    found = unsteady(suite, outcomes, difficulty=difficulty)
    rows = tuple(
        (one.key, one.label, one.condition, one.flips, one.of, spans(one.frames))
        for one in found[: most or None]
    )
    return Sheet(
        title=f"{run.model}: {suite.name}, the sequences that flip most",
        columns=(
            Column("key", "image", "left"),
            Column("label", "label", "left", only="machines"),
            Column("perturbation", "perturbation", "left"),
            Column("flips", "flips"),
            Column("of", "of"),
            Column("frames", "at the frames", "left"),
        ),
        rows=rows,
        facts={},
        notes=(
            f"{len(found):,} sequences flip; {len(rows):,} are shown",
            *_left_out(suite, difficulty),
        ),
    )


def frames(
    run: Measured,
    suite: Suite,
    outcomes: Mapping[str, Outcome],
    *,
    replicates: int,
    level: float,
    difficulty: int = 1,
) -> Sheet:
    """Return how many sequences flip at each frame."""
    found = by_frame(suite, outcomes, replicates=replicates, level=level, difficulty=difficulty)
    names = list(dict.fromkeys(name for step in found for name in step.flips))
    rows = tuple(
        (step.frame, *(Figure.of(step.flips[n]) if n in step.flips else None for n in names))
        for step in found
    )
    return Sheet(
        title=f"{run.model}: {suite.name} by frame, sequences that flip in %",
        columns=(Column("frame", "frame", "left"), *(Column(name, name) for name in names)),
        rows=rows,
        facts={},
        notes=_left_out(suite, difficulty),
    )


def _left_out(suite: Suite, difficulty: int) -> tuple[str, ...]:
    """Say which noises have no strength of this difficulty, and so no part in a list."""
    there = [cell for cell in suite.cells if cell.role == "sequence"]
    shown = {cell.group for cell in at(there, difficulty, strict=difficulty > 1)}
    lost = dict.fromkeys(cell.group for cell in there if cell.group not in shown)
    if not lost:
        return ()
    return (f"without {', '.join(lost)}, not measured at strength {difficulty}",)


def spans(numbers: Sequence[int]) -> str:
    """Return rising numbers with neighbours put together.

    >>> spans([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return ", ".join("-".join(map(str, one)) for one in found)


def _heading(name: str) -> str:
    metric = find(name)[1]
    return f"{metric.column} %" if metric.unit else metric.column

"""Scores of suites that are about outputs and not about ranks: separation, average precision."""

from collections.abc import Callable, Sequence

import numpy as np

from brittle.errors import ScoreError
from brittle.labels import many
from brittle.outcomes import Cell, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import Images, Number, number
from brittle.scoring.detecting import MEAN, USUAL, Kept, detect
from brittle.scoring.scores import Score, Scores
from brittle.separation import ask

Read = Callable[[Cell], Kept]

TITLES = {"map": "mAP", "weighted_map": "frequency-weighted mAP"}
CITATION = "Hendrycks et al., ICCV 2021, arXiv:2006.16241"


def of_outputs(suite: Suite) -> bool:
    """Say whether a suite's scores read outputs instead of ranks."""
    return any(cell.role == "out" for cell in suite.cells) or several(suite)


def several(suite: Suite) -> bool:
    """Say whether a picture may have several classes."""
    return suite.facts.get("task") == "multi"


def score_outputs(
    suite: Suite,
    read: Read,
    names: Sequence[str] | None = None,
    *,
    replicates: int,
    level: float,
    seed: int = 0,
) -> Scores:
    """Score a suite that `of_outputs` names; `names` are those of the suite unless given."""
    bootstrap.check(replicates, level)
    asked = suite.scores if names is None else names
    if any(cell.role == "out" for cell in suite.cells):
        found = _separated(suite, read, asked, replicates, level, seed)
    else:
        found = _precise(suite, read, asked, replicates, level, seed)
    scores = Scores(found)
    scores.withheld = {}
    return scores


def _separated(
    suite: Suite, read: Read, names: Sequence[str], replicates: int, level: float, seed: int
) -> list[Score]:
    """Return the separation by the usual detector; columns are the strange sets."""
    spec = USUAL[str(suite.facts.get("task", "single"))]
    found = detect(
        suite, read, [spec], measures=names, replicates=replicates, level=level, seed=seed
    )
    scores = []
    for name in names:
        one = ask(name)
        columns = {row.set: row.values[one.title] for row in found.rows}
        total = columns.pop(MEAN, None) or next(iter(columns.values()))
        title = next(row.title for row in found.rows)
        scores.append(
            _score(
                suite, name, f"{one.title} ({title})", total, columns, one.measure.citation,
                better=one.measure.better, column=one.title, images=sum(found.images.values()),
                replicates=replicates, level=level,
                notes=(f"the strange images are the positive class; other detectors: brittle "
                       f"detect RUN --suite {suite.name}",),
            )
        )  # fmt: skip
    return scores


def _precise(
    suite: Suite, read: Read, names: Sequence[str], replicates: int, level: float, seed: int
) -> list[Score]:
    """Return mean average precision; the total is the mean over the shifted sets."""
    # Its kernels are compiled, and who lists names must not wait for a compiler.
    from brittle.multilabel import average_precision, mean, weighted_mean

    means = {"map": mean, "weighted_map": weighted_mean}
    if strange := [name for name in names if name not in TITLES]:
        raise ScoreError(
            f"{suite.name} is of several classes a picture; its scores are "
            f"{' and '.join(TITLES)}, and {strange[0]} is not one of them."
        )
    rates: dict[str, dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]] = {}
    images, left = 0, 0
    for cell in suite.cells:
        kept = read(cell)
        named = np.array([label is not None for label in kept.labels])
        if not named.any():
            raise ScoreError(f"None of the images of {cell.group} has a label.")
        left += int((~named).sum())
        kept = kept.rows(named)
        images += len(kept.keys)
        truth = many.matrix(kept.labels, kept.classes)
        drawn = Images.of(kept.keys, range(len(kept.keys)))
        order = drawn.rows
        found = average_precision(
            kept.outputs.logits[order],
            truth[order],
            weights=bootstrap.weights(drawn, replicates, seed),
        )
        rates[cell.group] = {name: 100 * means[name](found) for name in names}
    shifts = [cell.group for cell in suite.cells if cell.role == "shift"]
    scores = []
    for name in names:
        total = np.mean([rates[group][name] for group in shifts], axis=0)
        columns = {group: number(row[name], level) for group, row in rates.items()}
        notes = (f"{left} images without a label left out",) if left else ()
        scores.append(
            _score(
                suite, name, TITLES[name], number(total, level), columns, CITATION,
                better="higher", column="mAP", images=images, replicates=replicates, level=level,
                notes=notes,
            )
        )  # fmt: skip
    return scores


def _score(
    suite: Suite,
    name: str,
    title: str,
    total: Number,
    columns: dict[str, Number],
    citation: str,
    *,
    better: str,
    column: str,
    images: int,
    replicates: int,
    level: float,
    notes: tuple[str, ...],
) -> Score:
    return Score(
        name=name,
        title=title,
        suite=suite.name,
        value=total.value,
        low=total.low,
        high=total.high,
        columns=columns,
        column=column,
        unit="%",
        better="lower" if better == "lower" else "higher",
        digits=1,
        column_digits=1,
        baseline=None,
        images=images,
        replicates=replicates,
        level=level,
        notes=notes,
        citation=citation,
    )

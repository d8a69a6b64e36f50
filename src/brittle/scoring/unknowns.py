"""Scores of suites that are about outputs and not about ranks: separation, average precision."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from brittle.detectors import fit
from brittle.errors import ScoreError, SpecError
from brittle.families import hint
from brittle.labels import many
from brittle.metrics.base import Rates
from brittle.outcomes import Cell, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import Images, number
from brittle.scoring.described import PRECISION
from brittle.scoring.detecting import USUAL, Kept, cells_of
from brittle.scoring.scores import Score, Scores
from brittle.scoring.separating import Keys, Pair, sampled
from brittle.separation import ask

Read = Callable[[Cell], Kept]

TITLES = {name: title for name, (title, _) in PRECISION.items()}
OUT = "OOD mean"
"""What the mean over shifted sets is called."""
CITATION = "Hendrycks et al., ICCV 2021, arXiv:2006.16241"


def of_outputs(suite: Suite) -> bool:
    """Say whether a suite's scores read outputs instead of ranks."""
    return suite.strange or suite.task == "multi"


class Sampled(NamedTuple):
    """A score with all its replicates."""

    name: str
    title: str
    better: Literal["lower", "higher"]
    column: str
    citation: str
    total: Rates
    columns: Mapping[str, Rates]
    images: int
    notes: tuple[str, ...]


def score_outputs(
    suite: Suite,
    read: Read,
    names: Sequence[str] | None = None,
    *,
    replicates: int,
    level: float,
    seed: int = 0,
) -> Scores:
    """Score a suite that `of_outputs` names.

    A score that is named and cannot be given is a `ScoreError`; without names those of the suite
    that cannot are listed in `withheld`.
    """
    bootstrap.check(replicates, level)
    withheld: dict[str, str] = {}
    found: list[Sampled] = []
    try:
        found = sample_outputs(suite, read, names, replicates=replicates, seed=seed)
    except ScoreError as error:
        # All of them read the same outputs.
        if names is not None:
            raise
        withheld = dict.fromkeys(suite.scores, str(error))
    scores = Scores(_score(suite, one, replicates, level) for one in found)
    scores.withheld = withheld
    return scores


def sample_outputs(
    suite: Suite, read: Read, names: Sequence[str] | None, *, replicates: int, seed: int = 0
) -> list[Sampled]:
    """Return the scores of such a suite with all their replicates."""
    if isinstance(names, str):
        raise ScoreError(f"names is a list of scores; write ['{names}'].")
    asked = [named(suite, name) for name in (suite.scores if names is None else names)]
    made = _separated if suite.strange else _precise
    return made(suite, read, list(dict.fromkeys(asked)), replicates, seed)


def named(suite: Suite, name: str) -> str:
    """Return the canonical name of a score of such a suite; one that it has not is refused."""
    if suite.strange:
        return str(ask(name.strip().lower()).spec)
    if name.strip().lower() not in TITLES:
        raise SpecError(hint(name, TITLES, "score of several classes a picture"))
    return name.strip().lower()


def _separated(
    suite: Suite, read: Read, names: Sequence[str], replicates: int, seed: int
) -> list[Sampled]:
    """Return the separation by the usual detector; columns are the strange sets."""
    usual_cell, _, strange = cells_of(suite)
    usual = read(usual_cell)
    ready = fit(USUAL[usual.outputs.task])
    known = ready.score(usual.outputs)
    images = len(usual.keys)
    rates = {}
    for cell in strange:
        other = read(cell)
        images += len(other.keys)
        pair, keys = Pair(ready.score(other.outputs), known), Keys(other.keys, usual.keys)
        rates[cell.group] = 100 * sampled(pair, names, keys, replicates=replicates, seed=seed)
    notes = (
        f"the strange images are the positive class; for other detectors: brittle detect RUN "
        f"--suite {suite.name}",
    )
    found = []
    for place, name in enumerate(names):
        one = ask(name)
        columns = {group: rows[place] for group, rows in rates.items()}
        total = np.mean(list(columns.values()), axis=0)
        found.append(
            Sampled(
                str(one.spec), f"{one.title} ({ready.title})", one.measure.better, one.title,
                one.measure.citation, total, columns, images, notes,
            )
        )  # fmt: skip
    return found


def _precise(
    suite: Suite, read: Read, names: Sequence[str], replicates: int, seed: int
) -> list[Sampled]:
    """Return mean average precision; the total is the mean over the shifted sets."""
    # Its kernels are compiled, and who lists names must not wait for a compiler.
    from brittle.multilabel import average_precision, mean, weighted_mean

    means = {"map": mean, "weighted_map": weighted_mean}
    rates: dict[str, dict[str, Rates]] = {}
    images, left = 0, 0
    for cell in suite.cells:
        kept = read(cell)
        labelled = np.array([label is not None for label in kept.labels])
        if not labelled.any():
            raise ScoreError(f"None of the images of {cell.group} has a label.")
        left += int((~labelled).sum())
        kept = kept.rows(labelled)
        images += len(kept.keys)
        truth = many.matrix(kept.labels, kept.classes)
        if not truth.any():
            raise ScoreError(
                f"None of the {len(truth):,} images of {cell.group} has any of the classes, so "
                f"there is no precision to average; give labelled images with some of them."
            )
        drawn = Images.of(kept.keys, range(len(kept.keys)))
        found = average_precision(
            kept.outputs.logits[drawn.rows],
            truth[drawn.rows],
            weights=bootstrap.weights(drawn, replicates, seed),
        )
        # A rare class has its few pictures twice in a replicate, which lifts its precision.
        rates[cell.group] = {
            name: bootstrap.centred(100 * means[name](found), most=100) for name in names
        }
    shifts = [cell.group for cell in suite.cells if cell.role == "shift"]
    head = f"{OUT} " if shifts else ""
    notes = (f"{left} images without a label left out",) if left else ()
    return [
        Sampled(
            name, f"{head}{TITLES[name]}", "higher", TITLES[name], CITATION,
            np.mean([rates[group][name] for group in shifts or rates], axis=0),
            {group: row[name] for group, row in rates.items()}, images, notes,
        )
        for name in names
    ]  # fmt: skip


def _score(suite: Suite, one: Sampled, replicates: int, level: float) -> Score:
    total = number(one.total, level)
    return Score(
        name=one.name,
        title=one.title,
        suite=suite.name,
        value=total.value,
        low=total.low,
        high=total.high,
        columns={name: number(rows, level) for name, rows in one.columns.items()},
        column=one.column,
        unit="%",
        better=one.better,
        digits=1,
        column_digits=1,
        baseline=None,
        images=one.images,
        replicates=replicates,
        level=level,
        notes=one.notes,
        citation=one.citation,
    )

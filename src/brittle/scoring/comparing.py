"""Two runs on the same images: what changed, how surely, and which images flipped.

Both models are scored on the same bootstrap samples of the images, so the luck of the images is in
both and falls out of the difference.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from brittle.errors import ScoreError
from brittle.metrics.base import Rates
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.gates import Verdict, judged, read_gate
from brittle.scoring.pairing import Flips, flips, pair
from brittle.scoring.rates import Measured, Sampler, Wanted
from brittle.scoring.scores import sample


class Step(NamedTuple):
    """A number in both runs, and how far it moved."""

    old: Number
    new: Number
    difference: Number
    """New minus old."""
    p: float
    """Two-sided bootstrap p-value, never below 2 / (replicates + 1); nan without replicates."""


class Change(NamedTuple):
    """A score in both runs."""

    name: str
    title: str
    better: Literal["lower", "higher"]
    unit: str
    digits: int
    step: Step
    column: str
    column_digits: int
    columns: dict[str, Step]
    """The score's columns, the one that got worst first."""
    exact: float | None
    """McNemar's exact p-value, for a score that is the error of one cell."""


class Comparison(NamedTuple):
    """What changed from one run to another."""

    suite: str
    edition: str
    old: str
    new: str
    changes: tuple[Change, ...]
    withheld: dict[str, str]
    """Score -> why it is not given."""
    flips: Flips
    """Images that became right or wrong in some condition, those that got worst first."""
    verdicts: tuple[Verdict, ...]
    images: int
    facts: Mapping[str, Any]
    """What the old run says of the suite besides (see `outcomes.Suite`)."""
    notes: tuple[str, ...]
    replicates: int
    level: float

    @property
    def passed(self) -> bool:
        """Whether every gate holds."""
        return all(verdict.passed for verdict in self.verdicts)


def compare_runs(
    old: Measured,
    new: Measured,
    *,
    suite: str | None = None,
    scores: Sequence[str] | None = None,
    gates: Sequence[str] = (),
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
    difficulty: int = 1,
) -> Comparison:
    """Compare two runs of one suite, image by image.

    Runs on other pictures are refused: other images, pixels, edition, seed, or versions of parts
    (`sameness`). `scores` are those of the suite unless named. A gate such as `mCE:1.0` fails
    when NEW is worse than OLD by more than 1.0 with confidence: when the whole interval of the
    difference lies beyond it.
    """
    bootstrap.check(replicates, level)
    asked = [read_gate(text) for text in gates]
    if asked and not replicates:
        raise ScoreError("A gate needs intervals; ask for replicates.")
    paired = pair(old, new, suite)
    first = paired.old
    how = {"replicates": replicates, "seed": seed, "difficulty": difficulty}
    before = Sampler(first, paired.before, **how)
    after = Sampler(paired.new, paired.after, **how)
    flipped = flips(before, after)
    names = [*(first.scores if scores is None else scores), *(gate.name for gate in asked)]
    strict = scores is not None
    ours, why = sample(before, names, baseline=baseline, info=old.info, strict=strict)
    theirs, why_too = sample(after, names, baseline=baseline, info=new.info, strict=strict)
    withheld, matched = {**why, **why_too}, {one.name: one for one in theirs}
    changes = []
    for one in (one for one in ours if one.name in matched):
        other, metric = matched[one.name], one.metric
        sign = 1 if metric.better == "lower" else -1
        columns = {
            key: step(rate, other.sum.columns[key], level) for key, rate in one.sum.columns.items()
        }
        single = len(one.cells) == 1 and metric.reads == "top1"
        changes.append(
            Change(
                name=one.name,
                title=one.title if one.title == other.title else f"{one.title}, NEW {other.title}",
                better=metric.better,
                unit=metric.unit,
                digits=metric.digits,
                step=step(one.sum.total, other.sum.total, level),
                column=metric.column,
                column_digits=metric.column_digits,
                columns=dict(
                    sorted(columns.items(), key=lambda item: -sign * item[1].difference.value)
                ),
                exact=_mcnemar(before, after, Wanted(one.cells[0])) if single else None,
            )
        )
    if not changes:
        raise ScoreError(
            f"None of the scores of {first.name} can be compared: " + " ".join(withheld.values())
        )
    steps = {change.name: change for change in changes}
    for gate in asked:
        if gate.name not in steps:
            raise ScoreError(f"The gate {gate.text}: {withheld[gate.name]}")
    return Comparison(
        suite=first.name,
        edition=first.edition,
        old=old.model,
        new=new.model,
        changes=tuple(changes),
        withheld=withheld,
        flips=flipped,
        verdicts=tuple(
            judged(
                gate,
                steps[gate.name].title,
                steps[gate.name].step.difference,
                steps[gate.name].better,
                steps[gate.name].digits,
            )
            for gate in asked
        ),
        images=before.count(first.cells),
        facts=first.facts,
        notes=paired.notes,
        replicates=replicates,
        level=level,
    )


def exact_p(broke: int, mended: int) -> float:
    """Return McNemar's exact two-sided p-value of so many images that broke and were mended.

    >>> exact_p(0, 5), exact_p(3, 3)
    (0.0625, 1.0)
    """
    total, fewer = broke + mended, min(broke, mended)
    logs = [
        math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
        for k in range(fewer + 1)
    ]
    top = max(logs)
    tail = math.exp(top - total * math.log(2)) * sum(math.exp(one - top) for one in logs)
    return min(1.0, round(2 * tail, 12) if tail > 1e-9 else 2 * tail)


def step(old: Rates, new: Rates, level: float) -> Step:
    """Return a number in both runs and its paired difference, from all replicates."""
    old, new = np.broadcast_arrays(old, new)
    moved = new - old
    # A replicate that is no number, such as of a baseline without errors, could lie anywhere.
    low, high = (np.where(np.isnan(moved), end, moved) for end in (-np.inf, np.inf))
    moves = Number(float(moved[0]), number(low, level).low, number(high, level).high)
    return Step(number(old, level), number(new, level), moves, _p(low[1:], high[1:]))


def _p(low: Rates, high: Rates) -> float:
    """Return twice the share of replicates on the rarer side of no difference."""
    if not len(low):
        return math.nan
    fewer = min(np.count_nonzero(low <= 0), np.count_nonzero(high >= 0))
    return min(1.0, 2 * (int(fewer) + 1) / (len(low) + 1))


def _mcnemar(before: Sampler, after: Sampler, wanted: Wanted) -> float:
    was, now = before.wrong(wanted), after.wrong(wanted)
    return exact_p(int((~was & now).sum()), int((was & ~now).sum()))

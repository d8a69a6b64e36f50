"""A run of the user's as a row of a leaderboard, with all that it is not on a par in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brittle.errors import ScoreError, SpecError
from brittle.metrics import METRICS
from brittle.outcomes import Outcome, Suite
from brittle.published.base import Entry, Published
from brittle.scoring.bootstrap import Number
from brittle.scoring.rates import Measured
from brittle.scoring.sameness import classes
from brittle.scoring.scores import Score, score_suite
from brittle.scoring.unknowns import of_outputs
from brittle.spec import parse

OWN = "self-measured"
NEAR = 0.05
"""How far apart two numbers of chance in percent may lie."""


def measured(
    published: Published,
    run: Measured,
    metric: str,
    baseline: str | Measured | None,
    numbers: Mapping[str, Any],
) -> Entry:
    """Score a run by the metrics that are published; `numbers` says how intervals are made."""
    suite = run.suite(_suite(published, run))
    _check_shifts(published, suite, run.model)
    outcomes = run.outcomes(suite.name)
    images = _images(suite, outcomes)
    if of_outputs(suite):
        if baseline is not None:
            raise ScoreError(f"The scores of {suite.name} have no baseline; leave it out.")
        scores = run.scores(
            list(published.measures),
            suite=suite.name,
            replicates=numbers["replicates"],
            level=numbers["level"],
        )
    else:
        names = [name for name in published.measures if name in METRICS.names()]
        scores = score_suite(
            # Through the suite's own list, what cannot be given is withheld and no error.
            replace(suite, scores=tuple(names)), outcomes,
            baseline=baseline, info=run.info, **numbers,
        )  # fmt: skip
    found = {score.name: score for score in scores}
    head = found.get(metric)
    notes = list(head.notes) if head else []
    for name, why in scores.withheld.items():
        notes.append(f"{published.measures[name].title} is not given: {why}")
    if suite.facts.get("pixels") == "generated":
        moving = any(outcome.frames is not None for outcome in outcomes.values())
        what = "frames" if moving else "corrupted pictures"
        notes.append(f"its {what} were generated, not read from the published files")
    return Entry(
        place=None,
        places=None,
        own=True,
        model=run.model,
        backbone="",
        standalone=None,
        numbers={name: score.number for name, score in found.items()},
        columns=_columns(head) if head else {},
        images=images,
        short=OWN,
        source=str(getattr(run, "path", run.model)),
        reference="",
        off=tuple(_off(published, suite, outcomes, head, images)) if head else (),
        notes=tuple(notes),
    )


def told_apart(entries: Sequence[Entry]) -> list[Entry]:
    """Name the runs of one model by their folders too."""
    names = [entry.model for entry in entries]
    return [
        one if names.count(one.model) == 1 else one._replace(model=f"{one.model} at {one.source}")
        for one in entries
    ]


def _suite(published: Published, run: Measured) -> str:
    there = {_base(name): name for name in reversed(run.suites)}
    # The plain suite before one in another edition.
    there |= {name: name for name in run.suites}
    for name in published.suites:
        if name in there:
            return there[name]
    raise ScoreError(
        f"The run of {run.model} cannot stand among the results of {published.name}: it holds "
        f"{', '.join(run.suites)}. Evaluate the model on {published.suites[0]} as well."
    )


def _check_shifts(published: Published, suite: Suite, model: str) -> None:
    own = {cell.group for cell in suite.cells if cell.role == "shift"}
    if published.shifts and own != set(published.shifts):
        raise ScoreError(
            f"The run of {model} has the shifts {', '.join(sorted(own)) or 'none'}, and "
            f"{published.name} has {', '.join(published.shifts)}: they are not the same pictures."
        )


def _images(suite: Suite, outcomes: Mapping[str, Outcome]) -> int:
    """Count the labelled images of what the suite is about: its clean counterpart is beside it.

    Sequences and strange images need no labels, so all of them count.
    """
    if suite.strange:
        strange = {cell.set for cell in suite.cells if cell.role == "out"}
        return sum(len(outcomes[name].keys) for name in strange)
    about = {cell.set for cell in suite.cells if cell.role in ("grid", "extra", "shift")}
    found = {
        key
        for name in about or outcomes
        for key, label in zip(outcomes[name].keys, outcomes[name].labels, strict=True)
        if label is not None or outcomes[name].frames is not None
    }
    return len(found)


def _off(
    published: Published, suite: Suite, outcomes: Mapping[str, Outcome], score: Score, images: int
) -> Iterator[str]:
    """Yield why a score of a run is not on an equal footing with the published ones."""
    if published.images is None:
        yield "nobody says on how many pictures the published ones are"
    elif images != published.images:
        yield f"on {images:,} images where the published set has {published.images:,}"
    if (edition := parse(suite.name).params.get("edition")) is not None:
        yield f"in the edition {edition}"
    if suite.facts.get("class_list", published.classes) != published.classes:
        yield f"among {classes(suite.facts)}"
    if of_outputs(suite):
        every = sum(len(outcomes[name].keys) for name in {cell.set for cell in suite.cells})
        chance = 100 * images / every
        if published.chance is not None and abs(chance - published.chance) > NEAR:
            yield f"chance is {chance:.2f} here, and {published.chance:g} for the published ones"
    elif score.title != published.measures[score.name].title:
        yield f"it is {score.title}"


def _columns(score: Score) -> dict[str, Number]:
    """Return the columns by the plain names of their corruptions, where these tell them apart."""
    names = [_base(group) for group in score.columns]
    return {
        name if names.count(name) == 1 else group: number
        for name, (group, number) in zip(names, score.columns.items(), strict=True)
    }


def _base(group: str) -> str:
    try:
        return parse(group).name
    except SpecError:
        # The name of a user's own shift or suite may be anything.
        return group

"""How well detectors tell what a model knows from what it does not, from stored outputs.

Every detector is scored on the same images. Those that are fitted learn from the set named `fit`,
or else from the half of the in-distribution images that their keys choose, and then the other half
is what all of them are scored on. Strange images are never fitted on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle import seeds
from brittle.detectors import DETECTORS, Fitted, Outputs, fit
from brittle.detectors.base import Need
from brittle.errors import MissingExtraError, ScoreError
from brittle.outcomes import Cell, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.separating import USUALLY, Keys, Pair, sampled
from brittle.separation import ask
from brittle.spec import parse

USUAL: Mapping[str, str] = {"single": "msp", "multi": "max_logit"}
"""Task -> the detector that a suite is summed by unless one is named."""
MEAN = "mean"
FEWEST = 20
"""Images to fit on, and to score, below which nothing is said."""


class Kept(NamedTuple):
    """What was stored of one set, by key."""

    keys: tuple[str, ...]
    labels: tuple[str | None, ...]
    outputs: Outputs
    classes: tuple[str, ...]
    """The names of the outputs that count, in their order."""

    def rows(self, chosen: NDArray[np.bool_]) -> "Kept":
        """Return some of the images."""
        places = np.flatnonzero(chosen)
        return Kept(
            tuple(self.keys[n] for n in places),
            tuple(self.labels[n] for n in places),
            self.outputs.rows(places),
            self.classes,
        )


Read = Callable[[Cell], Kept]
Scores: TypeAlias = NDArray[np.float64]


class Scored(NamedTuple):
    """The scores of detectors on the same images."""

    fitted: Mapping[str, Fitted]
    """Spec -> the detector, in the order asked."""
    usual: Mapping[str, Scores]
    """Spec -> a score for each known image."""
    strange: Mapping[str, Mapping[str, Scores]]
    """Set -> spec -> a score for each strange image."""
    keys: Mapping[str, Sequence[str]]
    """Set -> the keys of its images, in the order of their scores; the known set comes first."""
    learned: str
    """What was fitted on; the empty text where nothing was."""
    withheld: Mapping[str, str]
    """Spec -> why it is not given."""


class Found(NamedTuple):
    """A detector against one set of strange images, or the mean over all of them."""

    detector: str
    """Its spec: `knn(neighbours=10)`."""
    title: str
    set: str
    values: Mapping[str, Number]
    """Title of a measure -> its value, 0 to 100."""
    against: Mapping[str, Number] | None
    """The same minus that of the detector that is compared with, paired."""


class Detection(NamedTuple):
    """All detectors against all sets of strange images."""

    suite: str
    rows: tuple[Found, ...]
    sets: tuple[str, ...]
    """The strange sets in the suite's order, and the mean where there are several."""
    measures: tuple[str, ...]
    better: Mapping[str, str]
    images: Mapping[str, int]
    """Set -> images that were scored."""
    fitted: str
    """What fitted detectors learned from; the empty text where none is fitted."""
    withheld: Mapping[str, str]
    """Detector -> why it is not given."""
    scored: Scored
    """What the numbers are made of: the scores of all detectors on the same images."""
    against: str | None
    replicates: int
    level: float

    def of(self, detector: str, measure: str, where: str = MEAN) -> Number:
        """Return one number, such as `found.of("msp", "AUROC", "textures")`."""
        for row in self.rows:
            if row.detector == detector and row.set == where and measure in row.values:
                return row.values[measure]
        raise ScoreError(
            f"There is no {measure} of {detector} on {where}; there are {', '.join(self.measures)} "
            f"on {', '.join(self.sets)}."
        )


def detect(
    suite: Suite,
    read: Read,
    detectors: Sequence[str] | None = None,
    *,
    measures: Sequence[str] = USUALLY,
    against: str | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> Detection:
    """Score detectors on every strange set of a suite; None takes all that the outputs allow.

    `against` is a detector that the others are compared with on the same images.
    """
    bootstrap.check(replicates, level)
    asked = [ask(name) for name in measures]
    wanted = specs(detectors, against)
    scored = score(suite, read, wanted, strict=detectors is not None, seed=seed)
    if against is not None and against not in scored.fitted:
        raise ScoreError(f"Nothing can be compared with {against}: {scored.withheld[against]}")
    known, *names = scored.keys
    made = {
        (spec, name): 100
        * sampled(
            Pair(scored.strange[name][spec], scored.usual[spec]),
            measures,
            Keys(scored.keys[name], scored.keys[known]),
            replicates=replicates,
            seed=seed,
        )
        for name in names
        for spec in scored.fitted
    }
    if len(names) > 1:
        for spec in scored.fitted:
            made[spec, MEAN] = np.mean([made[spec, name] for name in names], axis=0)
        names.append(MEAN)
    titles = tuple(one.title for one in asked)

    def numbers(rows: NDArray[np.float64]) -> dict[str, Number]:
        return {t: number(row, level) for t, row in zip(titles, rows, strict=True)}

    rows = tuple(
        Found(
            spec,
            one.title,
            name,
            numbers(made[spec, name]),
            None
            if against is None or spec == against
            else numbers(made[spec, name] - made[against, name]),
        )
        for spec, one in scored.fitted.items()
        for name in names
    )
    return Detection(
        suite=suite.name,
        rows=rows,
        sets=tuple(names),
        measures=titles,
        better={one.title: one.measure.better for one in asked},
        images={name: len(keys) for name, keys in scored.keys.items()},
        fitted=scored.learned,
        withheld=scored.withheld,
        scored=scored,
        against=against,
        replicates=replicates,
        level=level,
    )


def specs(detectors: Sequence[str] | None, against: str | None = None) -> tuple[str, ...]:
    """Return the detectors that are meant: all without a list, and the one compared with."""
    wanted = DETECTORS.names() if detectors is None else detectors
    first = () if against is None or against in wanted else (against,)
    return tuple(dict.fromkeys((*first, *wanted)))


def needs(detectors: Sequence[str] | None, against: str | None = None) -> frozenset[Need]:
    """Return what the detectors read of the outputs."""
    parts = (DETECTORS.load(parse(spec).name) for spec in specs(detectors, against))
    return frozenset(need for part in parts for need in part.needs)


def score(
    suite: Suite, read: Read, wanted: Sequence[str], *, strict: bool = True, seed: int = 0
) -> Scored:
    """Fit detectors and score every image; unless `strict`, say which cannot be given and why."""
    usual_cell, fit_cell, strange = cells_of(suite)
    usual = read(usual_cell)
    known = read(fit_cell) if fit_cell is not None else None
    learned = ""
    none: dict[str, str] = {}
    if fitted := [spec for spec in wanted if DETECTORS.load(parse(spec).name).fit is not None]:
        try:
            usual, known, learned = _divided(usual, known)
        except ScoreError as error:
            if strict:
                raise
            none = dict.fromkeys(fitted, str(error))
            wanted = [spec for spec in wanted if spec not in none]
    ready, withheld = _ready(wanted, known, usual, strict=strict, seed=seed)
    keys, scores = {usual_cell.group: usual.keys}, {}
    for cell in strange:
        other = read(cell)
        keys[cell.group] = other.keys
        scores[cell.group] = {spec: one.score(other.outputs) for spec, one in ready.items()}
    return Scored(
        fitted=ready,
        usual={spec: one.score(usual.outputs) for spec, one in ready.items()},
        strange=scores,
        keys=keys,
        learned=learned,
        withheld={**none, **withheld},
    )


def cells_of(suite: Suite) -> tuple[Cell, Cell | None, tuple[Cell, ...]]:
    """Return the in-distribution cell, that to fit on, and the strange ones."""
    strange = tuple(cell for cell in suite.cells if cell.role == "out")
    usual = [cell for cell in suite.cells if cell.role == "iid"]
    if not strange or not usual:
        raise ScoreError(
            f"{suite.name} has no {'pictures' if usual else 'in-distribution pictures'} to tell "
            f"apart; evaluate a suite such as ood or imagenet-o."
        )
    fitting = next((cell for cell in suite.cells if cell.role == "fit"), None)
    return usual[0], fitting, strange


def _divided(usual: Kept, known: Kept | None) -> tuple[Kept, Kept, str]:
    if known is not None:
        said = f"fitted on the set fit, {len(known.keys):,} images"
        return usual, known, said + _unseen(known, usual)
    chosen = seeds.half(usual.keys)
    fitting, rest = usual.rows(chosen), usual.rows(~chosen)
    if min(len(fitting.keys), len(rest.keys)) < FEWEST:
        raise ScoreError(
            f"{len(usual.keys)} in-distribution images are too few to fit detectors on one half "
            f"and score the other; give a set to fit on (--data fit=DIR), or ask for detectors "
            f"that are not fitted."
        )
    said = (
        f"fitted on the {len(fitting.keys):,} in-distribution images that their keys choose; all "
        f"detectors are scored on the other {len(rest.keys):,}"
    )
    return rest, fitting, said + _unseen(fitting, rest)


def _unseen(fitting: Kept, scored: Kept) -> str:
    """Say how many known images are of classes that nothing was fitted on; "" if none is."""
    seen = frozenset(fitting.labels) - {None}
    if scored.outputs.task == "multi" or not seen:
        return ""
    count = sum(label is not None and label not in seen for label in scored.labels)
    if not count:
        return ""
    return (
        f"; {count:,} of the {len(scored.keys):,} known images that are scored are of classes that "
        f"none of those is of, so fitted detectors have not seen their like"
    )


def _ready(
    wanted: Sequence[str], known: Kept | None, usual: Kept, *, strict: bool, seed: int
) -> tuple[dict[str, Fitted], dict[str, str]]:
    """Fit what can be fitted; unless `strict`, say why others are withheld."""
    ready: dict[str, Fitted] = {}
    withheld: dict[str, str] = {}
    for spec in wanted:
        try:
            ready[spec] = _fit(spec, known, usual, seed)
        except (ScoreError, MissingExtraError) as error:
            if strict:
                raise
            withheld[spec] = str(error)
    if not ready:
        raise ScoreError(f"No detector can be given: {'; '.join(withheld.values())}")
    return ready, withheld


def _fit(spec: str, known: Kept | None, usual: Kept, seed: int) -> Fitted:
    part = DETECTORS.load(parse(spec).name)
    for need in part.needs:
        if getattr(usual.outputs, need) is None:
            raise ScoreError(
                f"{part.title} needs {need} of every image, which this run has not kept; evaluate "
                f"again into another folder with --keep {need}."
            )
    if usual.outputs.task not in part.tasks:
        raise ScoreError(
            f"{part.title} is not for models of "
            f"{'several classes' if usual.outputs.task == 'multi' else 'one class'} a picture; see "
            f"brittle list detectors."
        )
    if part.fit is None or known is None:
        return fit(spec, seed=seed)
    if not part.labels:
        return fit(spec, known.outputs, seed=seed)
    place = {name: number for number, name in enumerate(known.classes)}
    named = np.array([label in place for label in known.labels])
    if named.sum() < FEWEST:
        raise ScoreError(
            f"{part.title} is fitted with labels, and {int(named.sum())} of the images to fit on "
            f"have one among the model's classes; give labelled ones."
        )
    some = known.rows(named)
    labels = np.array([place[str(label)] for label in some.labels])
    return fit(spec, some.outputs, labels, seed=seed)

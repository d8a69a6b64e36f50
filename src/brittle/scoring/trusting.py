"""Does a model's confidence go with being right, cell by cell of a suite?"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.calibration import Answers, Temperature, ask, measure, temperature
from brittle.errors import ScoreError
from brittle.metrics._grid import tested_if_any
from brittle.metrics._plain import titles
from brittle.outcomes import Cell, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.calibrating import replicated

USUALLY = ("rms", "ece", "aurra", "soft_f1", "nll")
CORRUPTED = "mean over corruptions"


class Believed(NamedTuple):
    """What was stored of the labelled images of one cell, by key."""

    keys: tuple[str, ...]
    confidence: NDArray[np.float64]
    correct: NDArray[np.float64]
    log_loss: NDArray[np.float64]
    logits: NDArray[np.floating] | None = None
    """Of the classes that count; None where they were not kept."""
    labels: NDArray[np.intp] | None = None

    def answers(self) -> Answers:
        """Return them as answers, with all that is known."""
        if self.logits is not None and self.labels is not None:
            return Answers.of_logits(self.logits, self.labels)
        return Answers(self.confidence, self.correct, self.log_loss)


Believe = Callable[[Cell], Believed]


class Trust(NamedTuple):
    """The calibration of a cell, or of the mean over several."""

    name: str
    images: int
    values: Mapping[str, Number]
    """Title of a measure -> its value."""


class Scaled(NamedTuple):
    """What dividing the logits by a temperature does, on the half that it was not fitted on."""

    temperature: Temperature
    images: int
    before: Mapping[str, Number]
    after: Mapping[str, Number]


class Calibration(NamedTuple):
    """The calibration of a suite's cells."""

    suite: str
    rows: tuple[Trust, ...]
    measures: tuple[str, ...]
    better: Mapping[str, str]
    withheld: Mapping[str, str]
    scaled: Scaled | None
    replicates: int
    level: float


def trust(
    suite: Suite,
    believe: Believe,
    names: Sequence[str] | None = None,
    *,
    scale: bool = False,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> Calibration:
    """Return the calibration on each plain cell and on each corruption: its mean over severities.

    None takes the usual measures, and lists those that cannot be given. With `scale` a temperature
    is fitted on half of the clean or in-distribution images, and tried on the other half.
    """
    bootstrap.check(replicates, level)
    if suite.foremost_only:
        raise ScoreError("The model of this run gives the foremost class and no confidence.")
    if suite.task == "multi":
        raise ScoreError(
            f"Calibration is for one class a picture, and {suite.name} has several a picture."
        )
    cells = [cell for cell in suite.cells if cell.role not in ("sequence", "out", "fit")]
    if not cells:
        raise ScoreError(f"{suite.name} has no labelled pictures, and calibration needs them.")
    wanted = tuple(USUALLY if names is None else names)
    withheld: dict[str, str] = {}
    found: dict[Cell, dict[str, NDArray[np.float64]]] = {}
    images: dict[Cell, int] = {}
    for cell in cells:
        try:
            one = believe(cell)
        except ScoreError as error:
            # It is not finished, or has no label. A mean over corruptions lacks none of its cells.
            if cell.role in ("grid", "extra"):
                raise
            withheld[cell.group] = str(error)
            continue
        answers = one.answers()
        wanted = _possible(answers, wanted, withheld, strict=names is not None)
        rows = replicated(answers, wanted, keys=one.keys, replicates=replicates, seed=seed)
        found[cell], images[cell] = dict(zip(wanted, rows, strict=True)), len(one.keys)
    if not found:
        raise ScoreError("; ".join(dict.fromkeys(withheld.values())))
    cells = list(found)
    named = titles(tuple(cell for cell in cells if cell.role not in ("grid", "extra")))
    named |= {cell: cell.group for cell in cells if cell.role == "iid"}
    made: dict[str, NDArray[np.float64]] = {}
    counts: dict[str, int] = {}
    groups: dict[str, list[NDArray[np.float64]]] = {}
    for cell, by in found.items():
        rows = np.stack([by[name] for name in wanted])
        if cell.role in ("grid", "extra"):
            groups.setdefault(cell.group, []).append(rows)
        else:
            made[named[cell]] = rows
        counts[named.get(cell, cell.group)] = images[cell]
    for group, listed in groups.items():
        made[group] = np.mean(listed, axis=0)
    grid = [cell for cell in cells if cell.role in ("grid", "extra")]
    if counted := list(dict.fromkeys(cell.group for cell in tested_if_any(grid))) if grid else []:
        made[CORRUPTED] = np.mean([made[group] for group in counted], axis=0)
        counts[CORRUPTED] = counts[counted[0]]
    asked = [ask(name) for name in wanted]

    def numbers(rows: NDArray[np.float64]) -> dict[str, Number]:
        return {one.title: number(row, level) for one, row in zip(asked, rows, strict=True)}

    scaled = None
    if scale:
        easy = next((cell for cell in cells if cell.role in ("clean", "iid")), cells[0])
        scaled = _scaled(
            believe(easy),
            lambda answers, keys: numbers(
                replicated(answers, wanted, keys=keys, replicates=replicates, seed=seed)
            ),
        )
    return Calibration(
        suite=suite.name,
        rows=tuple(Trust(name, counts[name], numbers(rows)) for name, rows in made.items()),
        measures=tuple(one.title for one in asked),
        better={one.title: one.measure.better for one in asked},
        withheld=withheld,
        scaled=scaled,
        replicates=replicates,
        level=level,
    )


def _possible(
    answers: Answers, names: Sequence[str], withheld: dict[str, str], *, strict: bool
) -> tuple[str, ...]:
    """Return the measures that can be given, and note why others are not; or refuse `strict`ly."""
    wanted = []
    for name in names:
        try:
            measure(answers, name)
            wanted.append(name)
        except ScoreError as error:
            if strict:
                raise
            withheld[name] = str(error)
    if not wanted:
        raise ScoreError(f"No measure of calibration can be given: {'; '.join(withheld.values())}")
    return tuple(wanted)


def _scaled(
    one: Believed,
    numbers: Callable[[Answers, Sequence[str]], Mapping[str, Number]],
) -> Scaled:
    if one.logits is None or one.labels is None:
        raise ScoreError(
            "A temperature is fitted on logits, which this run has not kept; evaluate again into "
            "another folder with --keep logits."
        )
    found = temperature(one.logits, one.labels, one.keys)
    rest = ~found.fitted
    keys = [key for key, other in zip(one.keys, rest, strict=True) if other]
    logits, labels = one.logits[rest], one.labels[rest]
    return Scaled(
        found,
        len(keys),
        numbers(Answers.of_logits(logits, labels), keys),
        numbers(Answers.of_logits(found.apply(logits), labels), keys),
    )

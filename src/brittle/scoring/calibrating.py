"""How well confidence goes with being right, with intervals, and two models on the same images.

A replicate draws as many answers as there are. The draws come from the keys of the images, so two
models on the same images share them, and the interval of their difference is a paired one.

An error of bins grows with the scatter inside them, and a replicate, which has answers twice, has
more of it. So its replicates are moved until their mean is what was measured: the interval then
says how the number would come out on other images, as everywhere.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brittle.calibration import Answers, Asked, Sample, ask
from brittle.errors import ScoreError
from brittle.scoring._draws import draws
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, centred, check, number
from brittle.scoring.separating import Difference

USUALLY = ("rms", "aurra", "soft_f1")


def calibrate(
    answers: Answers,
    names: Sequence[str] = USUALLY,
    *,
    keys: Sequence[str] | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Number]:
    """Return the numbers of calibration by their titles, each with its percentile interval.

    Without keys the draws belong to positions. `replicates=0` makes no intervals.

    >>> answers = Answers([0.9, 0.8, 0.6, 0.4], [1, 1, 0, 1])
    >>> round(calibrate(answers, ["aurra"], replicates=0)["AURRA"].value, 4)
    0.8542
    """
    asked = _asked(names, replicates, level)
    rows = _rows(answers, asked, keys, replicates, seed)
    return {one.title: number(row, level) for one, row in zip(asked, rows, strict=True)}


def replicated(
    answers: Answers,
    names: Sequence[str],
    *,
    keys: Sequence[str] | None,
    replicates: int,
    seed: int,
) -> NDArray[np.float64]:
    """Return measures x (1 + replicates): what was measured, then the replicates."""
    return _rows(answers, _asked(names, replicates, LEVEL), keys, replicates, seed)


def contrast_calibration(
    first: Answers,
    second: Answers,
    names: Sequence[str] = USUALLY,
    *,
    keys: Sequence[str] | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Difference]:
    """Compare two models on the same images in the same order: first minus second, paired."""
    asked = _asked(names, replicates, level)
    if len(first) != len(second):
        raise ScoreError(
            f"There are {len(first):,} and {len(second):,} answers; a paired comparison needs the "
            f"same images in one order."
        )
    ones, twos = (_rows(each, asked, keys, replicates, seed) for each in (first, second))
    return {
        part.title: Difference(float(one[0]), float(two[0]), number(one - two, level))
        for part, one, two in zip(asked, ones, twos, strict=True)
    }


def _asked(names: Sequence[str], replicates: int, level: float) -> list[Asked]:
    check(replicates, level)
    if isinstance(names, str) or not names:
        raise ScoreError(f"names must be a list such as {list(USUALLY)}; got {names!r}.")
    return [ask(name) for name in names]


def _rows(
    answers: Answers, asked: list[Asked], keys: Sequence[str] | None, replicates: int, seed: int
) -> NDArray[np.float64]:
    """Return measures x (1 + replicates)."""
    blocks = draws("answers", len(answers), keys, replicates, seed)
    samples = (Sample(answers, block) for block in blocks)
    rows = np.concatenate(
        [np.stack([one.of(sample) for one in asked]) for sample in samples], axis=1
    )
    return np.stack(
        [centred(row) if one.measure.biased else row for one, row in zip(asked, rows, strict=True)]
    )

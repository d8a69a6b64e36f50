"""How well scores tell two groups apart, with intervals, and two detectors on the same images.

The bootstrap is stratified: a replicate draws as many strange and as many usual images as there
are, each from their own. The draws come from the keys of the images, so two detectors on the same
images share them, and the interval of their difference is a paired one.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle.errors import ScoreError
from brittle.scoring._draws import draws
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, check, number
from brittle.separation import Asked, Groups, ask

USUALLY = ("auroc", "aupr", "fpr")
_TOGETHER = 16
"""Replicates that are in memory at a time."""


class Pair(NamedTuple):
    """The scores of a detector on both groups; higher is stranger."""

    strange: ArrayLike
    usual: ArrayLike


class Keys(NamedTuple):
    """The keys of the images of both groups, in the order of their scores."""

    strange: Sequence[str]
    usual: Sequence[str]


class Difference(NamedTuple):
    """A number of two detectors on the same images, and first minus second with its interval."""

    first: float
    second: float
    difference: Number


def separate(
    strange: ArrayLike,
    usual: ArrayLike,
    names: Sequence[str] = USUALLY,
    *,
    keys: Keys | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Number]:
    """Return the numbers of separation by their titles, each with its percentile interval.

    Without keys the draws belong to positions. `replicates=0` makes no intervals.

    >>> separate([3.0, 2.0, 1.0], [1.0, 0.5], ["auroc"], replicates=0)["AUROC"].value
    0.9166666666666666
    """
    asked = _asked(names, replicates, level)
    made = _rows(Pair(strange, usual), asked, keys, replicates, seed)
    return {
        one.title: number(row, level)
        for one, row in zip(asked, np.concatenate(list(made), axis=1), strict=True)
    }


def sampled(
    pair: Pair, names: Sequence[str], keys: Keys | None, *, replicates: int, seed: int
) -> NDArray[np.float64]:
    """Return measures x (1 + replicates): what was measured, then the replicates."""
    asked = _asked(names, replicates, LEVEL)
    return np.concatenate(list(_rows(pair, asked, keys, replicates, seed)), axis=1)


def contrast(
    first: Pair,
    second: Pair,
    names: Sequence[str] = USUALLY,
    *,
    keys: Keys | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Difference]:
    """Compare two detectors on the same images in the same order: first minus second, paired.

    >>> better, worse = Pair([3.0, 2.0], [1.0, 0.0]), Pair([3.0, 0.5], [1.0, 0.0])
    >>> contrast(better, worse, ["auroc"], replicates=0)["AUROC"].difference.value
    0.25
    """
    asked = _asked(names, replicates, level)
    for group, one, two in zip(Pair._fields, first, second, strict=True):
        if np.shape(one) != np.shape(two):
            raise ScoreError(
                f"The two detectors have scores of the shapes {np.shape(one)} and {np.shape(two)} "
                f"for the {group} group; a paired comparison needs the same images in one order."
            )
    ones, twos = (
        np.concatenate(list(_rows(pair, asked, keys, replicates, seed)), axis=1)
        for pair in (first, second)
    )
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
    pair: Pair, asked: list[Asked], keys: Keys | None, replicates: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Yield blocks of measures x rows: what was measured, then replicates."""
    groups = Groups(*pair)
    yield np.stack([one.of(groups.curve) for one in asked])
    if not replicates:
        return
    drawn = zip(
        *(
            chain.from_iterable(
                draws(group, np.shape(scores)[0], keys and getattr(keys, group), replicates, seed)
            )
            for group, scores in zip(Pair._fields, pair, strict=True)
        ),
        strict=True,
    )
    next(drawn)  # the images as they are
    while block := list(islice(drawn, _TOGETHER)):
        strange, usual = (np.stack(rows) for rows in zip(*block, strict=True))
        curve = groups.reweighted(strange, usual)
        yield np.stack([one.of(curve) for one in asked])

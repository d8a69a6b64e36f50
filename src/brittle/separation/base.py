"""What a number of separation is: a pure function of a curve, with its direction and citation.

Two groups have scores: the strange ones are the positive class, since a higher score is stranger.
`Curve` counts how many of either group reach each threshold. Its counts have a leading axis: one
row for what was measured, or one for each bootstrap replicate. So a number is written once, for
plain values and for intervals alike. All counts are whole numbers; equal scores share a threshold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle.errors import ScoreError

Scores: TypeAlias = NDArray[np.floating]
"""N scores; higher is stranger."""

Counts: TypeAlias = NDArray[np.int64]
"""R x G: how many reach each of G thresholds, in each of R rows."""

SCALING = "Hendrycks et al., Scaling out-of-distribution detection, ICML 2022, arXiv:1911.11132"
BASELINE = "Hendrycks and Gimpel, ICLR 2017, arXiv:1610.02136"


class Curve(NamedTuple):
    """How many of either group have at least each score, from the strangest score down."""

    thresholds: NDArray[np.float64]
    """G different scores, falling."""
    true: Counts
    """Strange ones whose score is at least the threshold; the last column holds all of them."""
    false: Counts
    """The same of the usual ones."""


class NoRow(NamedTuple):
    """No parameters."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number that says how well scores tell two groups apart."""

    title: str
    """As printed: `AUROC`."""
    about: str
    """Its documentation: `__doc__` of its file."""
    formula: str
    citation: str
    of: Callable[[Curve, Any], NDArray[np.float64]]
    """A curve of R rows and the parameters to R numbers from 0 to 1."""
    row: type[Any] = NoRow
    """A NamedTuple of parameters, every one with a default and its limits (see `brittle.rows`)."""
    titled: Callable[[Any], str] | None = None
    """The title under parameters, where they belong to it."""
    better: Literal["lower", "higher"] = "higher"


class Groups:
    """The scores of two groups, sorted once: the curve of all of them, or of replicates.

    >>> groups = Groups([0.9, 0.4], [0.4, 0.1, 0.1])
    >>> groups.curve.thresholds.tolist(), groups.curve.true.tolist(), groups.curve.false.tolist()
    ([0.9, 0.4, 0.1], [[1, 2, 2]], [[0, 1, 3]])
    """

    def __init__(self, strange: ArrayLike, usual: ArrayLike) -> None:
        """Take the scores of the positive group and of the other; neither is changed."""
        self._strange = _checked(strange, "strange (positive)")
        self._usual = _checked(usual, "usual (negative)")

    @cached_property
    def curve(self) -> Curve:
        """The curve of these scores, in one row."""
        from brittle.separation._kernels import merge

        kind = np.promote_types(self._strange.dtype, self._usual.dtype)
        strange = np.sort(self._strange.astype(kind, copy=False))
        usual = np.sort(self._usual.astype(kind, copy=False))
        for name, ordered in (("strange (positive)", strange), ("usual (negative)", usual)):
            if np.isnan(ordered[-1]):  # NaN sorts last
                raise ScoreError(
                    f"{np.isnan(ordered).sum()} of the {len(ordered):,} scores of the {name} group "
                    f"are NaN; leave those out, or mend the detector that gave them."
                )
        size = len(strange) + len(usual)
        thresholds, true, false = (np.empty(size, kind), *np.empty((2, size), np.int64))
        found = merge(strange, usual, thresholds, true, false)
        return Curve(thresholds[:found].astype(np.float64), true[None, :found], false[None, :found])

    @cached_property
    def _steps(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """For each score, in the order given, its place among the thresholds."""
        rising = self.curve.thresholds[::-1]
        strange, usual = (
            len(rising) - 1 - np.searchsorted(rising, scores)
            for scores in (self._strange, self._usual)
        )
        return strange, usual

    def reweighted(self, strange: NDArray[Any], usual: NDArray[Any]) -> Curve:
        """Return the curve in which each score counts so often: R x N whole numbers a group.

        A row of ones gives the curve itself. Thresholds that nobody has in a row stay, with the
        counts of the threshold above.
        """
        from brittle.separation._kernels import accumulate

        places = self._steps
        size = len(self.curve.thresholds)
        return Curve(
            self.curve.thresholds,
            accumulate(places[0], np.ascontiguousarray(strange), size),
            accumulate(places[1], np.ascontiguousarray(usual), size),
        )


def _checked(scores: ArrayLike, name: str) -> Scores:
    """Return scores as a flat array of float32 or float64."""
    found = np.asarray(scores)
    if found.dtype.kind not in "fiub":
        raise ScoreError(f"The scores of the {name} group are {found.dtype}; give numbers.")
    if found.ndim != 1:
        raise ScoreError(
            f"The scores of the {name} group have the shape {found.shape}; give a flat list, one "
            f"score an image or pixel (array.ravel())."
        )
    if not len(found):
        raise ScoreError(
            f"The {name} group has no scores; how well two groups are told apart needs at least "
            f"one of each."
        )
    narrow = found.dtype in (np.dtype(np.float32), np.dtype(np.float16))
    return found.astype(np.float32 if narrow else np.float64, copy=False)

"""What a number of calibration is: a pure function of answers, with its direction and citation.

An answer is a confidence and whether it was right. A `Sample` says how often each counts, in rows:
first a row of ones, what was measured, then one for each bootstrap replicate. So a number is
written once, for plain values and for intervals alike. Answers of equal confidence have no order:
where a bin ends among them, each bin gets its share of their mean, so no number depends on how the
answers were listed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle.calibration._answers import Answers
from brittle.errors import ScoreError

Rows: TypeAlias = NDArray[np.float64]
"""R numbers, or R x K: what was measured and then the replicates."""

DEEP = "Hendrycks, Mazeika and Dietterich, ICLR 2019, arXiv:1812.04606"


class Ranked(NamedTuple):
    """Sums over the answers from the least confident up, 0 first: R x (G + 1) for G confidences."""

    counts: Rows
    confidence: Rows
    correct: Rows

    def at(self, places: NDArray[np.float64]) -> "Ranked":
        """Return the sums over so many of the least confident answers, for each of the places."""
        return Ranked(
            *(
                np.stack([np.interp(places, *row) for row in zip(self.counts, sums, strict=True)])
                for sums in self
            )
        )


@dataclass(frozen=True)
class Sample:
    """Answers, and how often each counts."""

    answers: Answers
    weights: NDArray[np.floating]
    """R x N whole numbers, every row with the sum N."""

    def sum(self, values: NDArray[Any]) -> Rows:
        """Return the sum of N values, or of each column of N x K, in every row."""
        return np.asarray(self.weights, np.float64) @ values.astype(np.float64)

    def mean(self, values: NDArray[Any]) -> Rows:
        """Return the mean of N values in every row."""
        return self.sum(values) / len(self.answers)

    @cached_property
    def ranked(self) -> Ranked:
        """The sums over the answers by rising confidence."""
        from brittle.calibration._kernels import ranked_sums

        answers = self.answers
        weights = np.ascontiguousarray(self.weights)
        return Ranked(*ranked_sums(weights, *answers.ranks, answers.confidence, answers.correct))


class NoRow(NamedTuple):
    """No parameters."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A number that says how well confidence goes with being right."""

    title: str
    about: str
    """Its documentation: `__doc__` of its file."""
    formula: str
    citation: str
    of: Callable[[Sample, Any], Rows]
    """A sample of R rows and the parameters to R numbers."""
    row: type[Any] = NoRow
    """A NamedTuple of parameters, every one with a default and its limits (see `brittle.rows`)."""
    needs: tuple[Literal["log_loss", "square_loss"], ...] = ()
    """What it reads of the answers beside confidence and correctness."""
    probability: bool = True
    """Whether the confidence must be a probability; otherwise only its order counts."""
    biased: bool = False
    """Whether it grows with the scatter inside bins, hence in replicates."""
    better: Literal["lower", "higher"] = "lower"

    def check(self, answers: Answers) -> None:
        """Refuse answers that lack what this number reads."""
        for need in self.needs:
            if getattr(answers, need) is None:
                raise ScoreError(
                    f"{self.title} needs the probabilities of all classes and the labels; make the "
                    f"answers with Answers.of_logits or Answers.of_probabilities."
                )
        if self.probability and not answers.within:
            raise ScoreError(
                f"{self.title} needs confidences from 0 to 1; these lie from "
                f"{answers.confidence.min():g} to {answers.confidence.max():g}."
            )

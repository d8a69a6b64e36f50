"""Curves to draw: accuracy over response rate, and accuracy over confidence."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.calibration._answers import Answers
from brittle.calibration._bins import Bins, Row, Widths, adaptive, fixed
from brittle.calibration.base import Sample


class ResponseCurve(NamedTuple):
    """Accuracy of the most confident answers, for each number of them from 1 to all."""

    rate: NDArray[np.float64]
    """Share of the images that are answered."""
    accuracy: NDArray[np.float64]


def response_curve(answers: Answers) -> ResponseCurve:
    """Return the response-rate-accuracy curve; its mean is AURRA.

    >>> response_curve(Answers([0.9, 0.5, 0.5, 0.1], [1, 1, 0, 0])).accuracy.round(3).tolist()
    [1.0, 0.75, 0.667, 0.5]
    """
    ranked = plain(answers).ranked
    total = len(answers)
    answered = np.arange(1, total + 1)
    below = np.interp(total - answered, ranked.counts[0], ranked.correct[0])
    return ResponseCurve(answered / total, (ranked.correct[0, -1] - below) / answered)


def reliability(answers: Answers, *, size: int | None = None, bins: int = 15) -> Bins:
    """Return bins of equal width, or, with `size`, of so many answers each, in one row.

    >>> reliability(Answers([0.2, 0.9, 0.8], [0, 1, 0]), bins=2).accuracy.tolist()
    [[0.0, 0.5]]
    """
    sample = plain(answers)
    return fixed(sample, Widths(bins)) if size is None else adaptive(sample, Row(size))


def plain(answers: Answers) -> Sample:
    """Return the answers as they are, each counting once."""
    return Sample(answers, np.ones((1, len(answers))))

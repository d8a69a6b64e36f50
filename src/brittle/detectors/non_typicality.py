"""Non-typicality: how near the outputs are to those that usually lack the classes they lack.

Typicality's opposite, for multi-label models: for every class that an in-distribution image has not
(probability at most 0.5) its vector of probabilities is added to that class's row. Such a row is
the mean over images of all other kinds, and an image of a clear kind lies far from it; so the score
is minus the sum of the distances over the classes that an image lacks. One that lacks none is
scored by its least probable class. Fitted on in-distribution validation outputs.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._association import Row, associate, distances
from brittle.detectors._papers import SCALING
from brittle.detectors.base import Detector, Outputs


def _lacking(told: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    return told <= threshold


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> NDArray[np.float64]:
    """Sum the outputs of the images that lack a class."""
    return associate(outputs, row, _lacking)


def score(outputs: Outputs, state: NDArray[np.float64], row: Row) -> NDArray[np.float64]:
    """Sum the distances over the classes that are not there."""
    return -distances(outputs, state, row, _lacking, outputs.logits.argmin(axis=1))


PART = Detector(
    title="non-typicality",
    about=__doc__,
    formula="-sum over c with p_c <= t of |p/sum(p) - B_c|^2, B_c ~ sum of p over images with "
    "p_c <= t",
    citation=SCALING,
    score=score,
    fit=fit,
    fitted_on="in-distribution validation outputs, without labels",
    tasks=("multi",),
    row=Row,
)

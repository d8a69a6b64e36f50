"""Typicality: how far the outputs are from those that usually go with the classes they name.

For multi-label models. For every class that an in-distribution image has (probability above 0.5)
its whole vector of probabilities is added to that class's row of a matrix; rows are normalised, and
a row never hit is uniform. An image's score is the sum, over the classes that it has, of the
distance between its normalised outputs and the class's row: squared, or `distance=kl`. An image
that has no class is scored by its most probable one. Fitted on in-distribution validation outputs.

The published code divides the matrix along the wrong axis and compares outputs that are not
normalised; this follows the description.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._association import Row, associate, distances
from brittle.detectors._papers import SCALING
from brittle.detectors.base import Detector, Outputs


def _there(told: NDArray[np.float64], threshold: float) -> NDArray[np.bool_]:
    return told > threshold


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> NDArray[np.float64]:
    """Sum the outputs of the images that have a class."""
    return associate(outputs, row, _there)


def score(outputs: Outputs, state: NDArray[np.float64], row: Row) -> NDArray[np.float64]:
    """Sum the distances over the classes that are there."""
    return distances(outputs, state, row, _there, outputs.logits.argmax(axis=1))


PART = Detector(
    title="typicality",
    about=__doc__,
    formula="sum over c with p_c > t of |p/sum(p) - A_c|^2, A_c ~ sum of p over images with "
    "p_c > t",
    citation=SCALING,
    score=score,
    fit=fit,
    fitted_on="in-distribution validation outputs, without labels",
    tasks=("multi",),
    row=Row,
)

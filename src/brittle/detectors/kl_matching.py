"""KL matching: how far the probabilities are from the typical ones of any class.

A class's template is the mean softmax of the in-distribution images that the model takes for that
class; labels are not used. The score is the distance to the nearest template, or, with
`to=predicted`, to that of the class answered: the nearest one where no image was taken for that
class. Fitted on in-distribution validation outputs.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._papers import SCALING
from brittle.detectors.base import Detector, Outputs
from brittle.rows import OneOf


class Row(NamedTuple):
    """Parameters: which template the distance is taken to."""

    to: Annotated[str, OneOf(("nearest", "predicted"))] = "nearest"


class State(NamedTuple):
    """The templates of the classes that were predicted."""

    logs: NDArray[np.float64]
    """K x C: the logarithm of each template."""
    place: NDArray[np.intp]
    """For each of the C classes its row, -1 where it has none."""


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> State:
    """Average the softmax by the class predicted."""
    classes = outputs.logits.shape[1]
    sums, counts = np.zeros((classes, classes)), np.zeros(classes)
    for block in outputs.blocks():
        predicted = block.logits.argmax(axis=1)
        np.add.at(sums, predicted, block.probabilities())
        counts += np.bincount(predicted, minlength=classes)
    seen = counts > 0
    templates = sums[seen] / counts[seen, None]
    # A probability that is 0 in double precision would put everything infinitely far away.
    logs = np.log(np.maximum(templates, np.finfo(np.float64).tiny))
    return State(logs, np.where(seen, np.cumsum(seen) - 1, -1))


def score(outputs: Outputs, state: State, row: Row) -> NDArray[np.float64]:
    """Return KL[p || template]."""
    logs = outputs.log_probabilities()
    told = np.exp(logs)
    away = (told * logs).sum(axis=1)[:, None] - told @ state.logs.T
    found: NDArray[np.float64] = away.min(axis=1)
    if row.to == "nearest":
        return found
    place = state.place[outputs.logits.argmax(axis=1)]
    return np.where(place < 0, found, away[np.arange(len(away)), place])


PART = Detector(
    title="KL matching",
    about=__doc__,
    formula="min_k KL[p || d_k], d_k = mean of p over images with argmax p = k",
    citation=SCALING,
    score=score,
    fit=fit,
    fitted_on="in-distribution validation outputs, without labels",
    tasks=("single",),
    row=Row,
)

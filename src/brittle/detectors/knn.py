"""KNN: the distance from the features to the k-th nearest in-distribution ones, at unit length.

Fitted on in-distribution features, without labels: all of them are kept, and there must be at least
k. The paper takes k = 50 for CIFAR-10 and 1000 for ImageNet's whole training set.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.detectors.base import Detector, Outputs
from brittle.errors import ScoreError
from brittle.rows import Range

_BLOCK = 1 << 24
"""Distances that are in memory at a time."""


class Row(NamedTuple):
    """Parameters: which neighbour."""

    neighbours: Annotated[int, Range(1, 10_000_000)] = 50


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> NDArray[np.float64]:
    """Keep the features at unit length."""
    if len(outputs) < row.neighbours:
        raise ScoreError(
            f"KNN with k = {row.neighbours} is fitted on at least as many images; got "
            f"{len(outputs)}. Give more, or ask for knn(neighbours={max(1, len(outputs) // 5)})."
        )
    return _unit(outputs)


def score(outputs: Outputs, state: NDArray[np.float64], row: Row) -> NDArray[np.float64]:
    """Find the k-th nearest by the angle, and measure the distance to it."""
    mine = _unit(outputs)
    found = np.empty(len(mine))
    step = max(1, _BLOCK // len(state))
    for at in range(0, len(mine), step):
        here = mine[at : at + step]
        near = np.argpartition(-(here @ state.T), row.neighbours - 1, axis=1)
        chosen = state[near[:, row.neighbours - 1]]
        found[at : at + step] = np.sqrt(np.square(here - chosen).sum(axis=1))
    return found


def _unit(outputs: Outputs) -> NDArray[np.float64]:
    """Return the features at unit length; those that are all 0 stay so."""
    assert outputs.features is not None
    features = outputs.features.astype(np.float64)
    lengths = np.sqrt(np.square(features).sum(axis=1, keepdims=True))
    np.divide(features, lengths, out=features, where=lengths > 0)
    return features


PART = Detector(
    title="KNN",
    about=__doc__,
    formula="|f/|f| - (its k-th nearest)|",
    citation="Sun et al., ICML 2022, arXiv:2204.06507",
    score=score,
    fit=fit,
    fitted_on="in-distribution features, without labels",
    needs=("features",),
    row=Row,
)

"""Mahalanobis: how far the features are from the nearest class's mean, in units of their scatter.

Class means by label, and one covariance for all: the mean of (f - mean of its class)(f - ...)^T. A
direction in which the in-distribution features do not vary is not looked at, as with a
pseudo-inverse. The features are used as given, without the input perturbation and the many layers
of the paper. Fitted on in-distribution features with labels.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.detectors.base import Detector, NoRow, Outputs
from brittle.errors import ScoreError


class State(NamedTuple):
    """The class means in coordinates in which the covariance is the identity."""

    centre: NDArray[np.float64]
    """D: taken off first, since differences of large numbers lose digits."""
    whiten: NDArray[np.float64]
    """D x K: to those coordinates."""
    means: NDArray[np.float64]
    """Classes x K."""


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: NoRow,
    seed: int,
) -> State:
    """Estimate the means and the covariance."""
    assert outputs.features is not None
    assert labels is not None
    names, place = np.unique(labels, return_inverse=True)
    wide = outputs.features.shape[1]
    centre = outputs.features.mean(axis=0, dtype=np.float64)
    sums = np.zeros((len(names), wide))
    scatter = np.zeros((wide, wide))
    at = 0
    for block in outputs.blocks():
        here = _shifted(block, centre)
        np.add.at(sums, place[at : at + len(here)], here)
        at += len(here)
    means = sums / np.bincount(place)[:, None]
    at = 0
    for block in outputs.blocks():
        away = _shifted(block, centre) - means[place[at : at + len(block)]]
        scatter += away.T @ away
        at += len(block)
    values, vectors = np.linalg.eigh(scatter / len(outputs))
    kept = values > wide * np.finfo(np.float64).eps * max(values[-1], 0.0)
    if not kept.any():
        raise ScoreError(
            f"Mahalanobis finds no scatter inside the classes: {len(outputs)} images of "
            f"{len(names)} classes. Give several different images a class."
        )
    whiten = vectors[:, kept] / np.sqrt(values[kept])
    return State(centre, whiten, means @ whiten)


def score(outputs: Outputs, state: State, row: NoRow) -> NDArray[np.float64]:
    """Return the squared distance to the nearest mean."""
    mine = _shifted(outputs, state.centre) @ state.whiten
    near = (np.square(state.means).sum(axis=1) - 2 * mine @ state.means.T).argmin(axis=1)
    found: NDArray[np.float64] = np.square(mine - state.means[near]).sum(axis=1)
    return found


def _shifted(outputs: Outputs, centre: NDArray[np.float64]) -> NDArray[np.float64]:
    assert outputs.features is not None
    return outputs.features.astype(np.float64) - centre


PART = Detector(
    title="Mahalanobis",
    about=__doc__,
    formula="min_c (f - mu_c)^T Sigma^+ (f - mu_c)",
    citation="Lee et al., NeurIPS 2018, arXiv:1807.03888",
    score=score,
    fit=fit,
    fitted_on="in-distribution features, with labels",
    labels=True,
    needs=("features",),
    tasks=("single",),
)

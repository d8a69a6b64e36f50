"""Temperature scaling: one number that all logits are divided by, fitted on half of the images.

Which half an image belongs to is decided by its key, never by its place in a list. The NLL is
convex in 1/T, so the best T is where its slope is 0, and there is only one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle import seeds
from brittle._softmax import log_softmax
from brittle.calibration._answers import matrix
from brittle.errors import ScoreError

_LIMIT = 1e4
"""The largest T, and 1 over the smallest, that is told from none."""


class Temperature(NamedTuple):
    """A temperature, and what it does to the half that it was not fitted on."""

    value: float
    nll_before: float
    """On the other half."""
    nll_after: float
    fitted: NDArray[np.bool_]
    """Which images it was fitted on."""

    def apply(self, logits: ArrayLike) -> NDArray[np.float64]:
        """Return the logits divided by the temperature; the class answered stays the same."""
        found: NDArray[np.float64] = np.asarray(logits, np.float64) / self.value
        return found


def temperature(
    logits: ArrayLike, labels: ArrayLike, keys: Sequence[str], *, seed: int = 0
) -> Temperature:
    """Fit the temperature on the half of the images that their keys choose.

    Logits are N x C of a softmax model, labels the N true classes. Guo et al., ICML 2017,
    arXiv:1706.04599.

    >>> rng = np.random.default_rng(0)
    >>> logits = rng.normal(0, 2, (2000, 5))
    >>> labels = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    >>> found = temperature(3 * logits, labels, [str(n) for n in range(2000)])
    >>> round(found.value), found.nll_after < found.nll_before
    (3, True)
    """
    table, truth = matrix(logits, labels, "logits")
    if len(keys) != len(table):
        raise ScoreError(f"There are {len(keys):,} keys for {len(table):,} images; give one each.")
    if len(set(keys)) != len(keys):
        raise ScoreError("Two images have the same key; each must have its own.")
    chosen = seeds.half(keys, seed)
    if chosen.all() or not chosen.any():
        raise ScoreError(
            f"{len(keys)} images are too few to fit a temperature on one half and try it on the "
            f"other; give some more."
        )
    value = best(table[chosen], truth[chosen])
    rest, true = table[~chosen], truth[~chosen]
    return Temperature(value, nll(rest, true, 1.0), nll(rest, true, value), chosen)


def nll(logits: NDArray[np.floating], labels: NDArray[np.intp], value: float) -> float:
    """Return the mean NLL of the logits divided by a temperature."""
    logs = log_softmax(logits.astype(np.float64) / value)
    return -float(logs[np.arange(len(labels)), labels].mean())


def best(logits: NDArray[np.floating], labels: NDArray[np.intp]) -> float:
    """Return the temperature with the least NLL, by halving the interval of 1/T."""
    away = logits.astype(np.float64)
    away -= away[np.arange(len(labels)), labels][:, None]

    def slope(inverse: float) -> float:
        return float((np.exp(log_softmax(away * inverse)) * away).sum(axis=1).mean())

    low, high = 1 / _LIMIT, _LIMIT
    if slope(low) >= 0:
        raise ScoreError(
            "No temperature fits: on the half to fit on, the model's logits say nothing of the "
            "true class, so the best temperature is infinite. Are the labels those of these images?"
        )
    if slope(high) <= 0:
        raise ScoreError(
            "No temperature fits: on the half to fit on, every answer is right, so the best "
            "temperature is 0. Give more images, or harder ones."
        )
    while high / low > 1 + 1e-12:
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if slope(middle) > 0 else (middle, high)
    return float(1 / np.sqrt(low * high))

"""Softmax and sigmoid in logarithms, in double precision, for logits of any size."""

import numpy as np
from numpy.typing import NDArray


def log_sum_exp(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the log-sum-exp of every row.

    >>> log_sum_exp(np.array([[1000.0, 1000.0]])).round(4).tolist()
    [1000.6931]
    """
    top = logits.max(axis=-1).astype(np.float64)
    found: NDArray[np.float64] = top + np.log(np.exp(logits - top[..., None]).sum(axis=-1))
    return found


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the logarithm of the softmax of every row."""
    away = logits.astype(np.float64)
    away -= away.max(axis=-1, keepdims=True)
    away -= np.log(np.exp(away).sum(axis=-1, keepdims=True))
    return away


def log_sigmoid(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the logarithm of the sigmoid of every logit."""
    found: NDArray[np.float64] = -np.logaddexp(0.0, -logits.astype(np.float64))
    return found

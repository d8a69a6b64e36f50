"""What the detectors that scikit-learn fits share: the library, the columns, the generator."""

import importlib
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle import seeds
from brittle.detectors.base import Outputs
from brittle.errors import MissingExtraError
from brittle.rows import OneOf

On = Annotated[str, OneOf(("logits", "max_logit"))]
"""All logits, or the largest one alone."""


class Learned(NamedTuple):
    """A fitted estimator of scikit-learn."""

    estimator: Any


def need(module: str) -> Any:
    """Import a module of scikit-learn, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "Isolation forest and LOF need scikit-learn, which is not installed. Install it: pip "
            "install 'brittle[detectors]' (in a checkout: pip install '.[detectors]')."
        ) from error


def columns(outputs: Outputs, on: str) -> NDArray[np.float64]:
    """Return N x C logits, or N x 1."""
    logits = outputs.logits.astype(np.float64)
    return logits if on == "logits" else logits.max(axis=1, keepdims=True)


def generator(seed: int, name: str) -> int:
    """Return the seed for scikit-learn, which takes 32 bits."""
    return seeds.stream(seed, name, "") & 0xFFFFFFFF


def stranger(state: Learned, outputs: Outputs, on: str) -> NDArray[np.float64]:
    """Return minus the estimator's score, which is higher for what is usual."""
    if not len(outputs):
        return np.empty(0)
    return -np.asarray(state.estimator.score_samples(columns(outputs, on)), np.float64)

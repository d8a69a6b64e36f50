"""What is refused on the first pictures, and not after the last."""

import warnings

import numpy as np
from numpy.typing import NDArray

from brittle.errors import ModelError
from brittle.models import Model, Outputs
from brittle.types import UInt8

TOLERANCE = {"float32": 1e-3, "bfloat16": 1e-1, "float16": 3e-2}
"""How far the outputs of a picture may move with its batch, as a share of their spread."""


def examine(model: Model, pictures: UInt8, *, precision: str = "float32") -> int:
    """Return the number of classes that a model gives; refuse what is no classifier's output.

    `pictures` are different ones, N x H x W x 3. Refused are outputs of another shape, numbers that
    are not finite, outputs that depend on the batch (a network left in training mode), and equal
    outputs for all pictures.
    """
    whole = model.predict(pictures)
    check(model, whole, len(pictures))
    classes = int(whole.logits.shape[1])
    if classes < 2:
        raise ModelError(f"{model.name} gives {classes} output a picture; a classifier has 2.")
    if model.classes is not None and len(model.classes) != classes:
        raise ModelError(
            f"{model.name} gives {classes} outputs, and {len(model.classes)} classes are named; "
            f"give as many names, in the order of the outputs, with --classes."
        )
    alone = model.predict(pictures[:1])
    check(model, alone, 1)
    spread = float(np.ptp(np.where(np.isfinite(whole.logits), whole.logits, 0.0)))
    apart = _apart(whole.logits[:1], alone.logits)
    if apart > TOLERANCE.get(precision, TOLERANCE["float32"]) * max(spread, 1e-6):
        raise ModelError(
            f"{model.name} gives a picture other outputs alone than in a batch (they differ by "
            f"{apart:.3g}). Put it in evaluation mode, such as network.eval()."
        )
    if model.gives == "logits" and _are_shares(whole.logits):
        warnings.warn(
            f"The outputs of {model.name} are positive and sum to 1, as probabilities do. Errors "
            f"are the same either way, but what reads logits would be wrong: give logits, or say "
            f"gives=probabilities in the model's spec.",
            stacklevel=2,
        )
    differ = bool((pictures != pictures[0]).any())
    # A few pictures may well be of one class, where nothing but the class is given.
    if differ and model.gives != "classes" and (whole.logits == whole.logits[0]).all():
        raise ModelError(
            f"{model.name} gives {len(pictures)} different pictures the same outputs; look at its "
            f"preprocessing and weights."
        )
    return classes


def check(model: Model, outputs: Outputs, count: int, where: str = "") -> None:
    """Refuse outputs of another shape or with numbers that are not finite."""
    logits = outputs.logits
    if logits.ndim != 2 or len(logits) != count:
        raise ModelError(
            f"{model.name} gives outputs of shape {logits.shape} for {count} pictures; they must "
            f"be {count} x classes."
        )
    bad = np.isnan(logits) | (logits == np.inf)
    if model.gives != "probabilities":
        # The logarithm of a probability of 0 is minus infinity, and right.
        bad |= logits == -np.inf
    if bad.any():
        row = int(np.flatnonzero(bad.any(axis=1))[0])
        raise ModelError(
            f"{model.name} gives {logits[row][bad[row]][0]} for picture {row}{where}; outputs must "
            f"be finite. Reduced precision may overflow: try --precision float32."
        )


def _are_shares(logits: NDArray[np.float32]) -> bool:
    return bool((logits >= 0).all() and np.allclose(logits.sum(axis=1), 1, atol=1e-3))


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    both = np.isfinite(one) & np.isfinite(other)
    return float(np.abs(one[both] - other[both]).max()) if both.any() else 0.0

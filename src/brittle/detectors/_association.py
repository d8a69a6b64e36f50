"""Which outputs go with a class, and how far an image is from them: typicality and its opposite."""

from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from brittle.detectors.base import Outputs
from brittle.rows import OneOf, Range

Chosen: TypeAlias = Callable[[NDArray[np.float64], float], NDArray[np.bool_]]
"""N x C probabilities and the threshold to the classes of each image that count."""


class Row(NamedTuple):
    """Parameters: the probability above which a class is there; how two sets of outputs differ."""

    threshold: Annotated[float, Range(0, 1)] = 0.5
    distance: Annotated[str, OneOf(("squared", "kl"))] = "squared"


def associate(outputs: Outputs, row: Row, chosen: Chosen) -> NDArray[np.float64]:
    """Return C x C: row c is the sum of the outputs of the images that c counts in, normalised.

    A class that counts in no image has a uniform row.
    """
    classes = outputs.logits.shape[1]
    sums = np.zeros((classes, classes))
    for block in outputs.blocks():
        told = block.probabilities()
        sums += chosen(told, row.threshold).astype(np.float64).T @ told
    return normalised(sums)


def distances(
    outputs: Outputs,
    rows: NDArray[np.float64],
    row: Row,
    chosen: Chosen,
    fallback: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return the sum over an image's classes of the distance from its outputs to the class's row.

    Where no class counts, that of the class in `fallback`.
    """
    told = outputs.probabilities()
    mask = chosen(told, row.threshold)
    empty = ~mask.any(axis=1)
    mask[empty, fallback[empty]] = True
    mine = normalised(told)
    if row.distance == "squared":
        # Written out class by class: the difference of large squares would lose small distances.
        away = np.stack([np.square(mine - each).sum(axis=1) for each in rows], axis=1)
    else:
        tiny = np.finfo(np.float64).tiny
        own = (mine * np.log(np.maximum(mine, tiny))).sum(axis=1)
        away = own[:, None] - mine @ np.log(np.maximum(rows, tiny)).T
    found: NDArray[np.float64] = np.where(mask, away, 0).sum(axis=1)
    return found


def normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide every row by its sum; a row of nothing becomes uniform."""
    sums = values.sum(axis=1, keepdims=True)
    uniform = np.full_like(values, 1 / values.shape[1])
    found: NDArray[np.float64] = np.divide(values, sums, out=uniform, where=sums > 0)
    return found

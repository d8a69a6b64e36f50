"""Isolation forest: how few random cuts set an image apart from the in-distribution ones.

On all logits, or on the largest (`on=max_logit`). A hundred trees of up to 256 images each, by
scikit-learn. Fitted on in-distribution outputs; random by the seed.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._learn import Learned, On, columns, generator, need, stranger
from brittle.detectors.base import Detector, Outputs
from brittle.rows import Range


class Row(NamedTuple):
    """Parameters: the number of trees, and what they cut."""

    trees: Annotated[int, Range(1, 100_000)] = 100
    on: On = "logits"


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> Learned:
    """Grow the trees."""
    forest = need("sklearn.ensemble").IsolationForest(
        n_estimators=row.trees, random_state=generator(seed, "isolation_forest")
    )
    return Learned(forest.fit(columns(outputs, row.on)))


def score(outputs: Outputs, state: Learned, row: Row) -> NDArray[np.float64]:
    """Return 2^(-depth/expected depth)."""
    return stranger(state, outputs, row.on)


PART = Detector(
    title="isolation forest",
    about=__doc__,
    formula="2^(-E[depth of z] / c(n))",
    citation="Liu, Ting and Zhou, ICDM 2008",
    score=score,
    fit=fit,
    fitted_on="in-distribution outputs, without labels",
    row=Row,
)

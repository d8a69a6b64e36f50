"""LOF: how much sparser the in-distribution outputs are around an image than around its neighbours.

On all logits, or on the largest (`on=max_logit`). Twenty neighbours, by scikit-learn. Fitted on
in-distribution outputs, of which there must be more than neighbours.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._learn import Learned, On, columns, need, stranger
from brittle.detectors.base import Detector, Outputs
from brittle.errors import ScoreError
from brittle.rows import Range


class Row(NamedTuple):
    """Parameters: the number of neighbours, and where they are looked for."""

    neighbours: Annotated[int, Range(1, 100_000)] = 20
    on: On = "logits"


def fit(
    outputs: Outputs,
    labels: NDArray[np.intp] | None,
    row: Row,
    seed: int,
) -> Learned:
    """Keep the outputs and their densities."""
    if len(outputs) <= row.neighbours:
        raise ScoreError(
            f"LOF with {row.neighbours} neighbours is fitted on more images than that; got "
            f"{len(outputs)}. Give more, or ask for lof(neighbours={max(1, len(outputs) // 5)})."
        )
    factor = need("sklearn.neighbors").LocalOutlierFactor(row.neighbours, novelty=True)
    factor.fit(columns(outputs, row.on))
    # Among more equal outputs than neighbours the density has no bound; scikit-learn warns from
    # here on, but not where new images are to be scored.
    if factor.negative_outlier_factor_.min() < -1e7:
        raise ScoreError(
            f"LOF cannot tell how dense the outputs are: some images have more than "
            f"{row.neighbours} others with equal ones. Leave out those that are there twice, or "
            f"ask for more neighbours."
        )
    return Learned(factor)


def score(outputs: Outputs, state: Learned, row: Row) -> NDArray[np.float64]:
    """Return the local outlier factor."""
    return stranger(state, outputs, row.on)


PART = Detector(
    title="LOF",
    about=__doc__,
    formula="mean over neighbours o of density(o) / density(z)",
    citation="Breunig et al., SIGMOD 2000",
    score=score,
    fit=fit,
    fitted_on="in-distribution outputs, without labels",
    row=Row,
)

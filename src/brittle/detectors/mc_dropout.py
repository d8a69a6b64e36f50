"""MC dropout: how much the probabilities vary over stochastic passes.

The variance over the passes, mean over the classes; of the logits with `of=logits`. At least two
passes. Fitted on nothing.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._softmax import log_sigmoid, log_softmax
from brittle.detectors.base import Detector, Outputs
from brittle.errors import ScoreError
from brittle.rows import OneOf


class Row(NamedTuple):
    """Parameters: what varies."""

    of: Annotated[str, OneOf(("probabilities", "logits"))] = "probabilities"


def score(outputs: Outputs, state: None, row: Row) -> NDArray[np.float64]:
    """Take the variance over the passes."""
    samples = outputs.samples
    assert samples is not None
    if len(samples) < 2:
        raise ScoreError(
            f"MC dropout needs at least two stochastic passes; got {len(samples)}. Ten are usual."
        )
    if row.of == "probabilities":
        logs = (log_softmax if outputs.task == "single" else log_sigmoid)(samples)
        varied = np.exp(logs)
    else:
        varied = samples.astype(np.float64)
    found: NDArray[np.float64] = varied.var(axis=0).mean(axis=1)
    return found


PART = Detector(
    title="MC dropout",
    about=__doc__,
    formula="mean_c var_s p_c^(s)",
    citation="Gal and Ghahramani, ICML 2016, arXiv:1506.02142",
    score=score,
    needs=("samples",),
    row=Row,
)

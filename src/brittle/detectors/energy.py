"""Energy: minus the log-sum-exp of the logits, divided by a temperature T and multiplied again.

With a sigmoid for each class it is JointEnergy: the sum of each class's own free energy. Fitted on
nothing.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle._softmax import log_sigmoid, log_sum_exp
from brittle.detectors.base import Detector, Outputs
from brittle.rows import Range


class Row(NamedTuple):
    """Parameters: the temperature."""

    temperature: Annotated[float, Range(1e-6, 1e6)] = 1.0


def score(outputs: Outputs, state: None, row: Row) -> NDArray[np.float64]:
    """Sum the exponentials."""
    logits = outputs.logits.astype(np.float64) / row.temperature
    if outputs.task == "single":
        return -row.temperature * log_sum_exp(logits)
    found: NDArray[np.float64] = row.temperature * log_sigmoid(-logits).sum(axis=1)
    return found


PART = Detector(
    title="energy",
    about=__doc__,
    formula="-T log sum_c exp(z_c/T); sigmoid: -T sum_c log(1 + exp(z_c/T))",
    citation="Liu et al., NeurIPS 2020, arXiv:2010.03759; sigmoid: Wang et al., NeurIPS 2021",
    score=score,
    row=Row,
)

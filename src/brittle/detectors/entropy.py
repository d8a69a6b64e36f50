"""Entropy: how undecided the probabilities are, in nats.

With a sigmoid for each class, the sum of the entropies of all the yes-or-no answers. Fitted on
nothing.
"""

import numpy as np
from numpy.typing import NDArray

from brittle._softmax import log_sigmoid
from brittle.detectors.base import Detector, NoRow, Outputs


def score(outputs: Outputs, state: None, row: NoRow) -> NDArray[np.float64]:
    """Sum -p log p."""
    logs = outputs.log_probabilities()
    found: NDArray[np.float64] = -(np.exp(logs) * logs).sum(axis=1)
    if outputs.task == "multi":
        nays = log_sigmoid(-outputs.logits)
        found -= (np.exp(nays) * nays).sum(axis=1)
    return found


PART = Detector(
    title="entropy",
    about=__doc__,
    formula="-sum_c p_c log p_c; sigmoid: also -sum_c (1-p_c) log(1-p_c)",
    citation="Shannon, 1948; as a detector: Hendrycks et al., ICLR 2019, arXiv:1812.04606",
    score=score,
)

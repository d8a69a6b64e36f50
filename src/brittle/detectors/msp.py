"""MSP: minus the probability of the class that the model answers.

The baseline. With a sigmoid for each class, the largest of them. Fitted on nothing.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.detectors.base import Detector, NoRow, Outputs


def score(outputs: Outputs, state: None, row: NoRow) -> NDArray[np.float64]:
    """Take the largest probability."""
    found: NDArray[np.float64] = -np.exp(outputs.log_probabilities().max(axis=1))
    return found


PART = Detector(
    title="MSP",
    about=__doc__,
    formula="-max_c p_c",
    citation="Hendrycks and Gimpel, ICLR 2017, arXiv:1610.02136",
    score=score,
)

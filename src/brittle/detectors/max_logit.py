"""MaxLogit: minus the largest logit, as the model gave it.

Raw: before any softmax, which would take away how large the logits are. Fitted on nothing.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._papers import SCALING
from brittle.detectors.base import Detector, NoRow, Outputs


def score(outputs: Outputs, state: None, row: NoRow) -> NDArray[np.float64]:
    """Take the largest logit."""
    found: NDArray[np.float64] = -outputs.logits.max(axis=1).astype(np.float64)
    return found


PART = Detector(
    title="MaxLogit",
    about=__doc__,
    formula="-max_c z_c",
    citation=SCALING,
    score=score,
)

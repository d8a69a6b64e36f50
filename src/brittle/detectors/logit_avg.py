"""LogitAvg: minus the mean of all logits, as the model gave them.

For multi-label models, where no class competes with another. Fitted on nothing.
"""

import numpy as np
from numpy.typing import NDArray

from brittle.detectors._papers import SCALING
from brittle.detectors.base import Detector, NoRow, Outputs


def score(outputs: Outputs, state: None, row: NoRow) -> NDArray[np.float64]:
    """Take the mean logit."""
    found: NDArray[np.float64] = -outputs.logits.mean(axis=1, dtype=np.float64)
    return found


PART = Detector(
    title="LogitAvg",
    about=__doc__,
    formula="-mean_c z_c",
    citation=SCALING,
    score=score,
)

"""Detectors: outputs of a model to a score where higher is stranger, one file each.

>>> import numpy as np
>>> known = Outputs(logits=np.eye(3) * 5)
>>> fit("max_logit").score(known).tolist()
[-5.0, -5.0, -5.0]
>>> learned = fit("kl_matching(to=predicted)", known)
>>> strange = Outputs(logits=np.array([[5.0, 0.0, 0.0], [1.0, 1.0, 1.0]]))
>>> learned.score(strange).round(3).tolist()
[0.0, 2.248]
"""

from numpy.typing import ArrayLike

from brittle.detectors._fitted import Fitted, fitted
from brittle.detectors.base import Detector, Outputs
from brittle.families import Family
from brittle.rows import make_row
from brittle.spec import Spec, parse

__all__ = ["DETECTORS", "Detector", "Fitted", "Outputs", "fit"]

DETECTORS: Family[Detector] = Family("detector", "brittle.detectors", Detector)


def fit(
    spec: str | Spec,
    outputs: Outputs | None = None,
    labels: ArrayLike | None = None,
    *,
    seed: int = 0,
) -> Fitted:
    """Make a detector such as `msp` or `knn(neighbours=10)` ready to score.

    `outputs` are those on in-distribution images, `labels` their N true classes; a detector that
    is not fitted needs neither, one that is says which.
    """
    made = parse(spec) if isinstance(spec, str) else spec
    part = DETECTORS.load(made.name)
    row = make_row(part.row, made.params, where=made.name)
    return fitted(made, part, row, outputs, labels, seed)

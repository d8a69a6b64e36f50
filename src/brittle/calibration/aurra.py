"""AURRA: the area under the response-rate-accuracy curve.

The model answers only where it is most confident; the accuracy of those answers, averaged over all
response rates. Answers of equal confidence come in every order alike, so their mean is taken.
Higher is better; 0 to 1.
"""

import numpy as np

from brittle.calibration.base import Measure, NoRow, Rows, Sample


def of(sample: Sample, row: NoRow) -> Rows:
    """Sum the accuracy of the k most confident answers over k, in closed form over ties."""
    count, _, correct = sample.ranked
    total = len(sample.answers)
    harmonic = np.pad(np.cumsum(1 / np.arange(1, total + 1)), (1, 0))
    # From the most confident down: counts before and after each run of equals.
    before, after = total - count[:, 1:], total - count[:, :-1]
    right_before = correct[:, -1:] - correct[:, 1:]
    runs = after - before
    rate = np.divide(
        correct[:, 1:] - correct[:, :-1], runs, out=np.zeros_like(runs), where=runs > 0
    )
    # Within a run: (right_before + (k - before) rate) / k, summed over k.
    steps = harmonic[after.astype(np.intp)] - harmonic[before.astype(np.intp)]
    area: Rows = (rate * runs + (right_before - before * rate) * steps).sum(axis=1) / total
    return area


PART = Measure(
    title="AURRA",
    about=__doc__,
    formula="mean over k = 1..n of the accuracy of the k most confident answers",
    citation="Hendrycks et al., Natural adversarial examples, CVPR 2021, arXiv:1907.07174",
    of=of,
    probability=False,
    better="higher",
)

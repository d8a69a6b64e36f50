"""AURRA: the area under the response-rate-accuracy curve.

The model answers only where it is most confident; the accuracy of those answers, averaged over all
response rates. Answers of equal confidence come in every order alike, so their mean is taken.
Higher is better; 0 to 1.
"""

import numpy as np

from brittle._jit import kernel
from brittle.calibration.base import Measure, NoRow, Rows, Sample


def of(sample: Sample, row: NoRow) -> Rows:
    """Sum the accuracy of the k most confident answers over k, in closed form over ties."""
    ranked = sample.ranked
    harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, len(sample.answers) + 1)))
    return _area(ranked.counts, ranked.correct, harmonic)


@kernel
def _area(counts: Rows, correct: Rows, harmonic: Rows) -> Rows:
    """Walk from the most confident run of equals down.

    After b answers, of which r were right, a run of n that is right in the share p gives
    (r + (k - b) p) / k for k = b + 1 .. b + n.
    """
    found = np.empty(len(counts))
    for row in range(len(counts)):
        last = counts.shape[1] - 1
        total = counts[row, last]
        area = 0.0
        for at in range(last, 0, -1):
            run = counts[row, at] - counts[row, at - 1]
            if run > 0:
                before = total - counts[row, at]
                right = correct[row, last] - correct[row, at]
                share = (correct[row, at] - correct[row, at - 1]) / run
                steps = harmonic[int(before + run)] - harmonic[int(before)]
                area += share * run + (right - before * share) * steps
        found[row] = area / total
    return found


PART = Measure(
    title="AURRA",
    about=__doc__,
    formula="mean over k = 1..n of the accuracy of the k most confident answers",
    citation="Hendrycks et al., Natural adversarial examples, CVPR 2021, arXiv:1907.07174",
    of=of,
    probability=False,
    better="higher",
)

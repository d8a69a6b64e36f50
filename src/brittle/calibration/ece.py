"""ECE: the mean gap between confidence and accuracy over fifteen bins of equal width.

As in Guo et al.: (0, 1/15], (1/15, 2/15] and so on. Confident models leave most bins nearly empty,
so `rms` or `l1`, whose bins hold as many answers each, is the steadier number. Lower is better;
0 to 1.
"""

from brittle.calibration._bins import Widths, fixed, gaps, shares
from brittle.calibration.base import Measure, Rows, Sample


def of(sample: Sample, row: Widths) -> Rows:
    """Sum over the bins; an empty one counts nothing."""
    bins = fixed(sample, row)
    found: Rows = (shares(bins) * gaps(bins)).sum(axis=1)
    return found


PART = Measure(
    title="ECE",
    about=__doc__,
    formula="sum_b n_b/n |confidence_b - accuracy_b|, bins of equal width",
    citation="Guo et al., ICML 2017, arXiv:1706.04599",
    of=of,
    biased=True,
    row=Widths,
)

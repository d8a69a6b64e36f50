"""The Gaussian against SciPy's, on both of its paths and at every border."""

import numpy as np
import pytest
from scipy import ndimage

from brittle.corruptions._smooth import DENSE, smooth

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("border", ["nearest", "reflect", "mirror"])
@pytest.mark.parametrize("sigma", [0.05, 0.7, 2.44, 19.5, 171])
@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 1, 3), (40, 61, 3), (33, 90, 1), (3, 600, 1)])
def test_equal_to_scipy(border, sigma, shape):
    field = RNG.random(shape)
    before = field.copy()
    found = smooth(field, sigma, truncate=3.0, border=border)
    expected = ndimage.gaussian_filter(
        field, (sigma, sigma, 0), truncate=3.0, mode=border, radius=None
    )
    assert np.allclose(found, expected, rtol=0, atol=1e-12)
    assert np.array_equal(field, before)


def test_the_wide_path_equals_the_other_where_they_meet():
    field = RNG.random((DENSE, 3, 1))
    dense = smooth(field, 1.0, border="reflect").copy()
    wider = smooth(np.concatenate([field, field[::-1]]), 1.0, border="reflect")[:DENSE]
    assert np.allclose(dense, wider, rtol=0, atol=1e-12)


def test_single_precision_is_rounded_after_each_axis():
    field = RNG.random((30, 40, 1)).astype(np.float32)
    expected = ndimage.gaussian_filter(field, (1.3, 1.3, 0), mode="nearest")
    found = smooth(field.astype(np.float64), 1.3, border="nearest", single=True)
    assert np.array_equal(found.astype(np.float32), expected)

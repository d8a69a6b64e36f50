"""PSNR against scikit-image, and the laws it must keep."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage.metrics import peak_signal_noise_ratio

from brittle.errors import ImageError
from brittle.likeness.psnr import psnr


def pair(seed, shape, sigma):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 256, shape).astype(np.uint8)
    return a, np.clip(a + rng.normal(0, sigma, shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("shape", [(224, 224, 3), (32, 32), (1, 1, 1), (5, 7, 4)])
@pytest.mark.parametrize("sigma", [2, 20, 200])
def test_equals_scikit_image(shape, sigma):
    a, b = pair(3, shape, sigma)
    assert not np.array_equal(a, b)
    assert psnr(a, b) == pytest.approx(peak_signal_noise_ratio(a, b, data_range=255), rel=1e-12)


def test_black_against_white_does_not_overflow():
    # 300 x 300 is enough for the sum of squares to leave 32 bits.
    assert psnr(np.zeros((300, 300), np.uint8), np.full((300, 300), 255, np.uint8)) == 0


@given(
    seed=st.integers(0, 1000),
    height=st.integers(1, 20),
    width=st.integers(1, 20),
    sigma=st.floats(0, 300),
)
def test_laws(seed, height, width, sigma):
    a, b = pair(seed, (height, width, 3), sigma)
    assert psnr(a, a) == math.inf
    assert psnr(a, b) == psnr(b, a)
    assert psnr(a, b) >= 0
    assert (psnr(a, b) == math.inf) == np.array_equal(a, b)


def test_falls_with_noise():
    values = [psnr(*pair(0, (64, 64, 3), sigma)) for sigma in (0, 1, 2, 5, 10, 40, 160)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8), r"\(4, 4\) and \(4, 5\)"),
        (np.zeros((4, 4), np.uint8), np.zeros((4, 4)), "uint8 and float64"),
        (np.zeros((0, 4), np.uint8), np.zeros((0, 4), np.uint8), "no pixels"),
    ],
)
def test_refuses(a, b, message):
    with pytest.raises(ImageError, match=message):
        psnr(a, b)

"""MS-SSIM against pytorch-msssim, scikit-image and SciPy, and the laws it must keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.ndimage import correlate1d
from skimage.metrics import structural_similarity

from brittle.errors import ImageError
from brittle.likeness.ms_ssim import ms_ssim, scales
from tests.helpers.shared import needs_shared, shared

WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def window():
    w = np.exp(-((np.arange(11) - 5.0) ** 2) / (2 * 1.5**2))
    return w / w.sum()


def picture(shape, seed=0):
    """A smooth random picture: white noise has no structure at the coarse scales."""
    rng = np.random.default_rng(seed)
    field = rng.normal(size=shape).cumsum(axis=0).cumsum(axis=1)
    field -= field.min()
    return (255 * field / field.max()).astype(np.uint8)


def noisy(image, sigma, seed=1):
    noise = np.random.default_rng(seed).normal(size=image.shape)
    return np.clip(image + sigma * noise, 0, 255).astype(np.uint8)


def package(a, b):
    """pytorch-msssim in double precision, its window too."""
    torch = pytest.importorskip("torch")
    oracle = pytest.importorskip("pytorch_msssim")

    def tensor(image):
        planes = image.reshape(*image.shape[:2], -1).transpose(2, 0, 1)
        return torch.tensor(planes[None].astype(np.float64))

    x, y = tensor(a), tensor(b)
    win = torch.tensor(window()).repeat(x.shape[1], 1, 1, 1)
    return float(oracle.ms_ssim(x, y, data_range=255, win=win))


@pytest.mark.parametrize(
    "shape", [(224, 224, 3), (224, 224), (161, 161, 1), (299, 299, 3), (173, 250, 3), (512, 170)]
)
@pytest.mark.parametrize("sigma", [1, 30, 120])
def test_equals_pytorch_msssim(shape, sigma):
    a = picture(shape)
    b = noisy(a, sigma)
    assert ms_ssim(a, b) == pytest.approx(package(a, b), abs=1e-12)


def test_equals_pytorch_msssim_as_it_comes():
    torch = pytest.importorskip("torch")
    oracle = pytest.importorskip("pytorch_msssim")
    a = picture((224, 224, 3))
    b = noisy(a, 40)
    x, y = (torch.tensor(image).permute(2, 0, 1)[None].float() for image in (a, b))
    assert ms_ssim(a, b) == pytest.approx(float(oracle.ms_ssim(x, y)), abs=1e-5)


@needs_shared
def test_equals_pytorch_msssim_on_photographs():
    paths = sorted(shared("images", "imagenet-val").glob("n0144*/*.JPEG"))[:4]
    assert paths
    for path in paths:
        with Image.open(path) as photograph:
            a = np.asarray(photograph.convert("RGB").resize((256, 224)))
        for b in (noisy(a, 25), a[:, ::-1], a // 2, 255 - a):
            assert ms_ssim(a, b) == pytest.approx(package(a, b), abs=1e-12)


@pytest.mark.parametrize("shape", [(11, 11), (20, 40, 3), (300, 15)])
def test_one_scale_is_ssim(shape):
    a = picture(shape)
    b = noisy(a, 20)
    channel_axis = 2 if len(shape) == 3 else None
    expected = structural_similarity(
        a,
        b,
        win_size=11,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=255,
        channel_axis=channel_axis,
    )
    assert scales(*shape[:2]) == 1
    assert ms_ssim(a, b) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("side", [24, 64, 96, 160])
def test_fewer_scales_have_weights_that_sum_to_one(side):
    a = picture((side, side + 8))
    b = noisy(a, 20)
    count = scales(*a.shape)
    assert 1 < count < 5
    weights = np.array(WEIGHTS[:count]) / sum(WEIGHTS[:count])
    assert ms_ssim(a, b) == pytest.approx(plain(a, b, weights), abs=1e-12)


def plain(a, b, weights):
    """The formula, written with SciPy; for sides that stay even."""

    def blur(plane):
        for axis in (0, 1):
            plane = correlate1d(plane, window(), axis=axis)
        return plane[5:-5, 5:-5]

    x, y = a.astype(float), b.astype(float)
    score = 1.0
    for level, weight in enumerate(weights):
        mx, my = blur(x), blur(y)
        contrast = (2 * (blur(x * y) - mx * my) + 7.65**2) / (
            blur(x * x) - mx**2 + blur(y * y) - my**2 + 7.65**2
        )
        if level == len(weights) - 1:
            contrast = contrast * (2 * mx * my + 2.55**2) / (mx**2 + my**2 + 2.55**2)
        score *= max(contrast.mean(), 0) ** weight
        rows, columns = x.shape
        assert rows % 2 == 0 or level == len(weights) - 1
        assert columns % 2 == 0 or level == len(weights) - 1
        x, y = (
            plane[: rows // 2 * 2, : columns // 2 * 2]
            .reshape(rows // 2, 2, columns // 2, 2)
            .mean(axis=(1, 3))
            for plane in (x, y)
        )
    return score


@pytest.mark.parametrize(
    ("side", "count"),
    [(10, 0), (11, 1), (20, 1), (21, 2), (41, 3), (80, 3), (81, 4), (160, 4), (161, 5), (9999, 5)],
)
def test_scales_follow_the_shorter_side(side, count):
    assert scales(side, 10_000) == scales(10_000, side) == count


@settings(max_examples=25, deadline=None)
@given(
    height=st.integers(11, 50),
    width=st.integers(11, 50),
    channels=st.sampled_from([None, 1, 3]),
    seed=st.integers(0, 1000),
)
def test_laws(height, width, channels, seed):
    shape = (height, width) if channels is None else (height, width, channels)
    a, b = np.random.default_rng(seed).integers(0, 256, (2, *shape)).astype(np.uint8)
    before = a.copy()
    assert ms_ssim(a, a) == 1
    assert ms_ssim(a, b) == ms_ssim(b, a)
    assert 0 <= ms_ssim(a, b) < 1
    assert np.array_equal(a, before)


def test_falls_with_noise():
    a = picture((224, 224, 3))
    values = [ms_ssim(a, noisy(a, sigma)) for sigma in (0, 2, 5, 10, 20, 40, 80, 160)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_a_negative_contrast_counts_as_nothing():
    a = np.random.default_rng(0).integers(0, 256, (64, 64)).astype(np.uint8)
    assert ms_ssim(a, 255 - a) == 0


def test_channels_are_averaged():
    a = picture((64, 64, 3))
    b = noisy(a, 30)
    single = [ms_ssim(a[..., c], b[..., c]) for c in range(3)]
    assert ms_ssim(a, b) == pytest.approx(np.mean(single), abs=1e-14)
    assert ms_ssim(a[..., 0], b[..., 0]) == ms_ssim(a[..., :1], b[..., :1])


def test_memory_layout_does_not_matter():
    a = picture((48, 64, 3))
    b = noisy(a, 30)
    read_only = b.copy()
    read_only.setflags(write=False)
    mirrored = ms_ssim(a[:, ::-1].copy(), b[:, ::-1].copy())
    assert ms_ssim(np.asfortranarray(a), read_only) == ms_ssim(a, b)
    assert ms_ssim(a[:, ::-1], b[:, ::-1]) == mirrored


def zeros(*shape, dtype=np.uint8):
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (zeros(32, 32, 3), zeros(32, 31, 3), r"\(32, 32, 3\) and \(32, 31, 3\)"),
        (zeros(32, 32), zeros(32, 32, 1), r"\(32, 32\) and \(32, 32, 1\)"),
        (zeros(32, 32, dtype=float), zeros(32, 32), "float64 and uint8"),
        (zeros(32, 32, 4), zeros(32, 32, 4), r"\(32, 32, 4\); allowed are H x W"),
        (zeros(32), zeros(32), r"\(32,\); allowed are H x W"),
        (zeros(10, 300, 3), zeros(10, 300, 3), "10 x 300 pixels; its window needs at least 11"),
    ],
)
def test_refuses(a, b, message):
    with pytest.raises(ImageError, match=message):
        ms_ssim(a, b)

"""What must hold of frames whatever the numbers, and against independent libraries."""

import math
from itertools import pairwise

import cv2
import numpy as np
import pytest
from PIL import Image
from scipy import stats

from brittle.perturbations import PERTURBATIONS
from brittle.perturbations._affine import _inverse, affine
from brittle.perturbations._perspective import _inverted, _matrix, tilted
from brittle.perturbations.spatter import lower
from brittle.sequences import sequence
from brittle.types import Crop, whole
from tests.helpers.fingerprints import picture
from tests.laws.test_noise_laws import independent_law

NOISES = ("gaussian_noise", "shot_noise", "speckle_noise")
WIDE = picture(256, 341)
CROP = Crop(16, 58, 224, 224)
RNG = np.random.default_rng(0)


def frames(name, image=WIDE, crop=CROP, stream=1):
    part = PERTURBATIONS.load(name.partition("(")[0])
    return list(part(image, sequence(name).row, stream, crop))


@pytest.mark.parametrize(("name", "number"), [("rotate", 15), ("shear", 15), ("scale", 24)])
def test_at_the_identity_geometry_is_the_plain_crop(name, number):
    made = frames(name)
    assert np.array_equal(made[number], CROP.of(WIDE))
    assert not np.array_equal(made[number - 1], made[number])


def test_translate_overlaps_exactly():
    made = frames("translate")
    assert np.array_equal(made[20], CROP.of(WIDE))
    for early, late in pairwise(made):
        assert np.array_equal(late[:, 1:], early[:, :-1])
    # Here the margin of 58 columns holds all that comes in; without one it is black.
    assert np.array_equal(made[40], WIDE[16:240, 38:262])
    alone = frames("translate", CROP.of(WIDE), whole(made[0]))
    assert np.array_equal(alone[40][:, 20:], CROP.of(WIDE)[:, :-20])
    assert not alone[40][:, :20].any()
    assert not frames("translate(offset=1000)")[0].any()


def test_brightness_is_clean_in_the_middle_but_for_the_round_trip():
    made = frames("brightness")
    apart = CROP.of(WIDE).astype(int) - made[15]
    assert apart.min() >= 0
    assert apart.max() <= 1
    means = [frame.mean() for frame in made]
    assert means == sorted(means)
    grey = WIDE[:, :, :1].copy()
    assert np.array_equal(frames("brightness", grey)[15], CROP.of(grey))


def test_zoom_blur_begins_with_the_crop_and_flat_pictures_stay_flat():
    assert np.array_equal(frames("zoom_blur")[0], CROP.of(WIDE))
    for level in (0, 1, 77, 254, 255):
        flat = np.full((256, 300, 3), level, np.uint8)
        for name in ("zoom_blur", "motion_blur", "gaussian_blur"):
            spread = [np.ptp(np.append(frame, level)) for frame in frames(name, flat)]
            assert max(spread) <= 1


def test_gaussian_blur_blurs_more_and_more():
    sharp = [np.abs(np.diff(frame.astype(int), axis=1)).sum() for frame in frames("gaussian_blur")]
    assert sharp == sorted(sharp, reverse=True)


def test_affine_equals_pillow():
    for _ in range(60):
        image = RNG.integers(0, 256, (RNG.integers(1, 50), RNG.integers(1, 50), 3), np.uint8)
        height, width, _ = image.shape
        angle, scale, shear = RNG.uniform(-180, 180), RNG.uniform(0.2, 3), RNG.uniform(-60, 60)
        inverse = _inverse(width, height, angle, scale, shear)
        expected = Image.fromarray(image).transform(
            (width, height),
            Image.Transform.AFFINE,
            inverse.reshape(-1).tolist(),
            Image.Resampling.BILINEAR,
        )
        found = affine(image, whole(image), angle=angle, scale=scale, shear=shear)
        assert np.array_equal(found, expected)


def test_positive_angles_turn_clockwise():
    image = np.zeros((101, 101, 1), np.uint8)
    image[45:56, 90:] = 255
    turned = affine(image, whole(image), angle=90)
    assert turned[90:, 45:56].mean() > 200
    assert turned[:50].max() == 0


@pytest.mark.parametrize("angle", [-15, -3, 0, 7.5, 15])
def test_tilt_is_the_perspective_of_opencv(angle):
    across, down = np.meshgrid(np.arange(341), np.arange(256))
    smooth = np.stack([across // 2 + 30, down // 2 + 40, (across + down) // 4 + 20], axis=2)
    smooth = smooth.astype(np.uint8)
    matrix = np.array(_matrix(341, 256, math.radians(angle)))
    expected = cv2.warpPerspective(smooth, matrix, (341, 256)).astype(int)
    found = tilted(smooth, whole(smooth), angle)
    apart = np.abs(expected - found)
    # At an edge the two blend with the black outside by different rules.
    seen = np.pad(expected.min(axis=2) > 0, 1)
    inside = cv2.erode(seen.astype(np.uint8), np.ones((9, 9)))[1:-1, 1:-1] > 0
    assert inside.mean() > 0.5
    assert apart[inside].max() <= 1
    assert np.allclose(_inverted(matrix.tolist()), np.linalg.inv(matrix), rtol=1e-9, atol=1e-9)


def test_a_plane_seen_edge_on_is_one_pixel():
    assert not _inverted([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 1.0]]).any()


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("strength", [1, 3])
def test_every_frame_of_noise_follows_its_law(name, strength):
    part = PERTURBATIONS.load(name)
    samples = 3000
    image = np.repeat(np.arange(256, dtype=np.uint8), samples).reshape(256, -1, 1)
    row = part.tables["cifar-32"][strength - 1]
    made = list(part(image, row, 0xC0FFEE, whole(image)))
    assert np.array_equal(made[0], image)
    together = np.concatenate(made[1:9], axis=1)
    p_values = []
    for level in range(256):
        law = independent_law(name, row, level)
        seen = np.bincount(together[level, :, 0], minlength=256)
        assert seen[law < 1e-12].sum() == 0
        order = np.argsort(law)
        group = (np.cumsum(law[order] * seen.sum()) // 8).astype(int)
        expected = np.bincount(group, law[order] * seen.sum())
        observed = np.bincount(group, seen[order])
        keep = expected > 4
        if keep.sum() >= 2:
            expected[keep] *= observed[keep].sum() / expected[keep].sum()
            p_values.append(stats.chisquare(observed[keep], expected[keep]).pvalue)
    assert len(p_values) > 150
    assert min(p_values) > 1e-6
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("name", NOISES)
def test_frames_of_noise_are_independent(name):
    part = PERTURBATIONS.load(name)
    image = np.full((300, 300, 3), 128, np.uint8)
    noise = [
        frame.astype(float) - frame.mean()
        for frame in part(image, part.tables["imagenet-224"][2], 5, whole(image))
    ][1:]
    bound = 4.5 / math.sqrt(image.size)
    for early, late in [(0, 1), (1, 2), (0, 29), (10, 20)]:
        for shifted in (noise[late].ravel(), np.roll(noise[late].ravel(), 1)):
            assert abs(np.corrcoef(noise[early].ravel(), shifted)[0, 1]) < bound


def test_snow_is_one_layer_whose_fall_turns():
    part, row = PERTURBATIONS.load("snow"), sequence("snow").row
    black = np.zeros((120, 160, 3), np.uint8)
    draws = part.draw(3, black.shape, row)
    made = list(part.frames(black, row, draws, whole(black)))
    still = part.frames(black, row._replace(step=0.0), draws, whole(black))
    first = next(still)
    assert np.array_equal(first, made[0])
    assert all(np.array_equal(first, frame) for frame in still)
    # The light of the flakes stays; only where it is smeared to changes.
    light = [frame.astype(float).mean() for frame in made]
    assert max(light) - min(light) < 0.05 * np.mean(light)


def test_snow_is_composed_in_double_precision():
    part, row = PERTURBATIONS.load("snow"), sequence("snow").row
    image = RNG.integers(0, 256, (200, 150, 3), np.uint8)
    draws = part.draw(3, image.shape, row)
    black = np.zeros_like(image)
    alone = next(part.frames(black, row._replace(keep=1.0), draws, whole(image)))
    made = next(part.frames(image, row, draws, whole(image)))
    # A flake and the turned one that meet hide each other's level; elsewhere it can be read off.
    flakes, turned = alone[:, :, :1] / 255.0, np.rot90(alone[:, :, :1], 2) / 255.0
    unit = image / 255.0
    luma = np.array([0.299, 0.587, 0.114], np.float32)
    products = unit.astype(np.float32) * luma
    grey = (products[:, :, :1] + products[:, :, 1:2]) + products[:, :, 2:]
    white = np.maximum(unit, grey * np.float32(1.5) + np.float32(0.5))
    dry = (flakes == 0) & (turned == 0)
    expected = (np.clip(0.85 * unit + (1 - 0.85) * white, 0, 1) * 255).astype(np.uint8)
    assert dry.mean() > 0.3
    assert np.array_equal(made[dry[:, :, 0]], expected[dry[:, :, 0]])
    assert (made[~dry[:, :, 0]] >= expected[~dry[:, :, 0]]).all()


def test_spatter_runs_down():
    layer = np.zeros((40, 5))
    layer[10] = 1.0
    centres, rows = [], np.arange(40)
    for _ in range(8):
        centres.append((layer.sum(axis=1) * rows).sum() / layer.sum())
        layer = lower(layer, (0.05, 0.1, 0.15, 0.7))
        assert math.isclose(layer.sum(), 5, rel_tol=1e-9)
    assert np.allclose(np.diff(centres), 0.1 * 1 + 0.15 * 2 + 0.7 * 3 - 1)


@pytest.mark.parametrize("run", [(0.2, 0.8), (0.05, 0.1, 0.15, 0.7), (1.0,), (0.5, 0.2, 0.3)])
def test_the_run_is_numpys_convolution_of_the_same_size(run):
    layer = RNG.random((30, 4))
    expected = np.apply_along_axis(lambda line: np.convolve(line, run, mode="same"), 0, layer)
    assert np.allclose(lower(layer, run), expected, rtol=0, atol=1e-12)
    assert lower(RNG.random((1, 4)), run).shape == (1, 4)


def test_dry_layers_leave_the_picture():
    made = frames("spatter(threshold=10)")
    assert all(np.array_equal(frame, CROP.of(WIDE)) for frame in made)

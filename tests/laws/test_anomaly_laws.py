"""Synthetic anomalies follow their laws: SciPy's distributions, closed forms, scikit-image."""

import math

import numpy as np
import pytest
from scipy import stats
from skimage.filters import gaussian as blurred

from brittle.anomalies import ANOMALIES, blobs, gaussian


def drawn(name, side, stream=1, **params):
    part = ANOMALIES.load(name)
    return part(stream, side, side, part.make(name, params))


def fits(levels, law):
    """The p-value of the levels under a law of 256 probabilities, rare ones pooled."""
    seen = np.bincount(levels.ravel(), minlength=256)
    assert seen[law == 0].sum() == 0
    order = np.argsort(law)
    group = (np.cumsum(law[order] * levels.size) // 20).astype(int)
    expected = np.bincount(group, law[order] * levels.size)
    observed = np.bincount(group, seen[order])
    keep = expected > 8
    expected = expected[keep] * observed[keep].sum() / expected[keep].sum()
    return stats.chisquare(observed[keep], expected).pvalue


@pytest.mark.parametrize("std", [0.5, 0.1, 3])
def test_gaussian_levels_follow_the_clipped_normal(std):
    # Level k stands for values from (k - 1/2) / 127.5 - 1 to (k + 1/2) / 127.5 - 1.
    edges = (np.arange(1, 256) - 0.5) / 127.5 - 1
    law = np.diff(np.concatenate([[0.0], stats.norm.cdf(edges, scale=std), [1.0]]))
    assert fits(drawn("gaussian", 500, std=std), law) > 1e-4
    wrong = np.diff(np.concatenate([[0.0], stats.norm.cdf(edges, scale=std * 1.04), [1.0]]))
    assert fits(drawn("gaussian", 500, std=std), wrong) < 1e-4


def test_gaussian_takes_the_nearest_level():
    draws = np.array([-7.0, -1.0, 0.5 / 127.5 - 1, 1.6 / 127.5 - 1, 0.1 / 127.5, 1.0, 3.0])
    found = gaussian.apply(draws, gaussian.Row())
    assert found.tolist() == [0, 0, 0, 2, 128, 255, 255]


def test_moments_are_those_of_the_closed_forms():
    count = 500 * 500 * 3
    for name, mean, variance in (
        ("uniform", 127.5, (256**2 - 1) / 12),
        ("rademacher", 127.5, 127.5**2),
    ):
        values = drawn(name, 500).astype(float)
        assert abs(values.mean() - mean) < 4.5 * math.sqrt(variance / count)
        assert abs(values.var() / variance - 1) < 0.005


def test_uniform_levels_are_equally_likely():
    assert fits(drawn("uniform", 500), np.full(256, 1 / 256)) > 1e-4


def test_rademacher_is_black_or_white():
    assert set(np.unique(drawn("rademacher", 100))) == {0, 255}


@pytest.mark.parametrize("name", ["gaussian", "rademacher", "uniform"])
def test_channels_and_neighbours_are_uncorrelated(name):
    noise = drawn(name, 500).astype(float) - 127.5
    flat = noise.reshape(-1)
    for one, other in (
        (noise[:, :, 0], noise[:, :, 1]),
        (noise[:, 1:], noise[:, :-1]),
        (noise[1:], noise[:-1]),
        (flat[8:], flat[:-8]),
    ):
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 4.5 / math.sqrt(one.size)


@pytest.mark.parametrize(("side", "params"), [(32, {}), (64, {"cells": 64, "sigma": 2})])
def test_blobs_are_the_authors_own_of_the_same_draws(side, params):
    """Their code: scikit-image's Gaussian over all three axes, then what is below 0.75 is 0."""
    part = ANOMALIES.load("blobs")
    row = part.make("blobs", params)
    for stream in range(20):
        draws = part.draw(stream, (side, side, 3), row)
        theirs = blurred(draws.noise.astype(np.float32), sigma=row.sigma, channel_axis=None)
        theirs[theirs < 0.75] = 0
        assert np.array_equal(part.apply(draws, row), np.rint(theirs * 255).astype(np.uint8))


def test_the_noise_of_blobs_is_white_seven_times_in_ten():
    cells = blobs.draw(5, (500, 500, 3), blobs.Row(cells=500)).noise
    assert set(np.unique(cells)) == {0, 1}
    assert abs(cells.mean() - 0.7) < 4.5 * math.sqrt(0.21 / cells.size)


def test_smoothed_noise_has_the_moments_of_the_closed_form():
    """Mean p; variance p (1 - p) times the summed squares of the weights of the three axes."""
    row = blobs.Row(cells=400)
    found = blobs.field(blobs.draw(5, (400, 400, 3), row), row)
    weights = np.exp(-0.5 * (np.arange(-6, 7) / 1.5) ** 2)
    weights /= weights.sum()
    mixed = np.zeros(3)
    for step, weight in zip(range(-6, 7), weights, strict=True):
        mixed[np.clip(1 + step, 0, 2)] += weight
    variance = 0.21 * (weights**2).sum() ** 2 * (mixed**2).sum()
    inside = found[8:-8, 8:-8, 1]
    assert abs(inside.mean() - 0.7) < 0.005
    assert abs(inside.var() / variance - 1) < 0.05


def test_blobs_of_any_size_are_the_same_blobs():
    """Cells scale with the picture, so its means over cells hardly change, nor what is black."""
    small = np.stack([drawn("blobs", 32, stream) for stream in range(60)]).astype(float)
    for side in (96, 224):
        large = np.stack([drawn("blobs", side, stream) for stream in range(60)]).astype(float)
        fold = side // 32
        cells = large.reshape(60, 32, fold, 32, fold, 3).mean(axis=(2, 4))
        assert np.corrcoef(cells.ravel(), small.ravel())[0, 1] > 0.9
        assert abs((large == 0).mean() - (small == 0).mean()) < 0.06


def test_noise_a_pixel_under_a_wide_sigma_leaves_next_to_nothing():
    """Why cells grow: at 224 pixels the same relative blur over finer noise is all but black."""
    row = blobs.Row(cells=224, sigma=10.5)
    pictures = [blobs.apply(blobs.draw(one, (224, 224, 3), row), row) for one in range(8)]
    assert np.mean([np.mean(picture > 0) for picture in pictures]) < 0.005
    assert np.mean(drawn("blobs", 224) > 0) > 0.1


def test_a_picture_smaller_than_its_cells_has_a_cell_a_pixel():
    few = ANOMALIES.load("blobs").draw(3, (8, 12, 3), blobs.Row())
    assert few.scale == 1
    assert few.noise.shape == (8, 12, 3)
    long = ANOMALIES.load("blobs").draw(3, (64, 100, 3), blobs.Row())
    assert long.scale == 2
    assert np.array_equal(long.noise[::2, ::2], long.noise[1::2, 1::2])

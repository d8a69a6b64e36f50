"""The per-pixel noises follow their exact discrete laws at every input level."""

import math

import numpy as np
import pytest
from scipy import stats

from brittle.corruptions import CORRUPTIONS
from brittle.corruptions._law import alias_table

NOISES = ("gaussian_noise", "shot_noise", "impulse_noise", "speckle_noise")
SAMPLES = 20_000


def independent_law(name, row, level):
    """The law of the output level by SciPy's distributions, without the package's own code."""
    edges = np.arange(1, 256)
    if name == "impulse_noise":
        law = np.zeros(256)
        law[level] = 1 - row.amount
        law[0] += row.amount / 2
        law[255] += row.amount / 2
        return law
    if name == "shot_noise":
        # The output is below `edge` when count / photons * 255 < edge.
        counts = [math.ceil(edge * row.photons / 255 - 1e-9) - 1 for edge in edges]
        below = stats.poisson.cdf(counts, level / 255 * row.photons)
    else:
        sigma = 255 * row.std if name == "gaussian_noise" else level * row.std
        if sigma == 0:
            return np.eye(256)[level]
        below = stats.norm.cdf(edges, level, sigma)
    return np.diff(np.concatenate([[0.0], below, [1.0]]))


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("severity", [1, 3, 5])
@pytest.mark.parametrize("table", ["imagenet-224", "cifar-32"])
def test_every_level_follows_its_law(name, severity, table):
    part = CORRUPTIONS.load(name)
    row = part.tables[table][severity - 1]
    image = np.repeat(np.arange(256, dtype=np.uint8), SAMPLES).reshape(256, -1, 1)
    out = part(image, row, 0xC0FFEE)
    p_values = []
    for level in range(256):
        law = independent_law(name, row, level)
        seen = np.bincount(out[level, :, 0], minlength=256)
        assert seen[law < 1e-12].sum() == 0
        # Cells with few expected counts are pooled, since chi-square needs about five.
        order = np.argsort(law)
        group = np.cumsum(law[order] * SAMPLES) // 8
        expected = np.bincount(group.astype(int), law[order] * SAMPLES)
        observed = np.bincount(group.astype(int), seen[order])
        keep = expected > 4
        if keep.sum() < 2:
            continue
        expected[keep] *= observed[keep].sum() / expected[keep].sum()
        p_values.append(stats.chisquare(observed[keep], expected[keep]).pvalue)
    # 256 tests at once: no level may be impossible, and together they must look uniform.
    assert len(p_values) > 200
    assert min(p_values) > 1e-6
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("name", NOISES)
def test_channels_and_neighbours_are_uncorrelated(name):
    part = CORRUPTIONS.load(name)
    image = np.full((500, 500, 3), 128, np.uint8)
    noise = part(image, part.tables["imagenet-224"][2], 77).astype(float) - 128
    noise -= noise.mean()
    for shifted in (
        (noise[:, :, 0], noise[:, :, 1]),
        (noise[:, :, 1], noise[:, :, 2]),
        (noise[:, 1:], noise[:, :-1]),
        (noise[1:], noise[:-1]),
        (noise[2:, :-1], noise[:-2, 1:]),
    ):
        one, other = (part_.ravel() for part_ in shifted)
        bound = 4.5 / math.sqrt(one.size)
        assert abs(np.corrcoef(one, other)[0, 1]) < bound


def test_the_alias_table_keeps_probabilities_to_two_to_the_minus_32():
    rng = np.random.default_rng(1)
    law = rng.random((256, 256)) ** 8
    law /= law.sum(axis=1, keepdims=True)
    table = alias_table(law).astype(np.int64)
    threshold, alias = table >> 8, table & 255
    found = np.zeros((256, 256))
    for level in range(256):
        found[level] += threshold[level] / 2**32
        np.add.at(found[level], alias[level], (2**24 - threshold[level]) / 2**32)
    assert np.abs(found - law).max() < 256 * 2.0**-32


def test_no_noise_is_no_change():
    image = np.arange(256, dtype=np.uint8).reshape(16, 16, 1)
    for name, row in (
        ("gaussian_noise", {"std": 0}),
        ("speckle_noise", {"std": 0}),
        ("impulse_noise", {"amount": 0}),
    ):
        part = CORRUPTIONS.load(name)
        assert np.array_equal(part(image, part.make(name, row, "any"), 3), image)

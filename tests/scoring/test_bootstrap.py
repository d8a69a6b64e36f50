"""Intervals against closed forms, and draws that depend on nothing but seed and keys."""

import math

import numpy as np
import pytest

from brittle.errors import ScoreError
from brittle.multilabel import average_precision, mean
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import Images, number, rates, weights
from tests.metrics.examples import keys


def images(count, prefix=""):
    named = [prefix + key for key in keys(count)]
    return Images.of(named, range(count))


def drawn(sample, replicates=100, seed=0):
    return np.concatenate(list(weights(sample, replicates, seed)))


def test_first_come_the_images_as_they_are_then_draws_with_replacement():
    found = drawn(images(501))
    assert found.shape == (101, 501)
    assert (found[0] == 1).all()
    assert (found.sum(axis=1) == 501).all()
    # A multinomial count has the mean 1 and the variance 1 - 1/n.
    assert found[1:].mean() == pytest.approx(1)
    assert found[1:].var() == pytest.approx(1 - 1 / 501, abs=0.03)
    # Every image is drawn about equally often: sums of 100 draws with variance 100.
    assert np.abs(found[1:].sum(axis=0) - 100).max() < 5 * 10


def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch):
    whole = drawn(images(97))
    monkeypatch.setattr(bootstrap, "CHUNK", 97 * 7)
    assert len(list(weights(images(97), 100, 0))) == 15
    assert np.array_equal(drawn(images(97)), whole)


def test_draws_depend_on_seed_and_keys_alone():
    first = drawn(images(50))
    assert np.array_equal(first, drawn(images(50)))
    assert not np.array_equal(first, drawn(images(50), seed=1))
    assert not np.array_equal(first, drawn(images(50, "other/")))
    shuffled = list(reversed(keys(50)))
    again = Images.of(shuffled, range(50))
    assert again.digest == images(50).digest
    assert [shuffled[row] for row in again.rows] == sorted(shuffled)


def test_draws_stay_the_same_bytes():
    """A change of them changes every interval that was ever printed."""
    assert drawn(images(8), replicates=3).astype(int).tolist()[1:] == GOLDEN


def test_rates_are_counted_exactly():
    sample = images(1001)
    wrong = np.random.default_rng(0).random((1001, 5)) < 0.3
    made = rates(wrong, sample, replicates=100, seed=0)
    counts = drawn(sample).astype(np.int64)
    assert np.array_equal(made, 100 * (counts @ wrong.astype(np.int64)) / 1001)
    assert np.array_equal(made[0], 100 * wrong.sum(axis=0) / 1001)


def test_an_interval_is_that_of_the_normal_distribution():
    count, error = 4000, 0.3
    wrong = (np.arange(count) < error * count)[:, None]
    found = number(rates(wrong, images(count), replicates=4000, seed=0)[:, 0], 0.95)
    spread = 100 * math.sqrt(error * (1 - error) / count)
    assert found.value == pytest.approx(30)
    assert found.low == pytest.approx(30 - 1.96 * spread, abs=0.15 * spread)
    assert found.high == pytest.approx(30 + 1.96 * spread, abs=0.15 * spread)


def test_a_narrower_level_is_a_narrower_interval():
    wrong = (np.arange(1000) < 200)[:, None]
    made = rates(wrong, images(1000), replicates=2000, seed=0)[:, 0]
    spread = 100 * math.sqrt(0.2 * 0.8 / 1000)
    for level, z in ((0.5, 0.674), (0.8, 1.282), (0.99, 2.576)):
        found = number(made, level)
        assert found.high - found.low == pytest.approx(2 * z * spread, rel=0.1)


def test_intervals_cover_the_truth_as_often_as_they_say():
    """400 samples of 200 images with a true error of 25 %: about 95 % of intervals hold it."""
    rng = np.random.default_rng(0)
    held = 0
    for trial in range(400):
        wrong = (rng.random(200) < 0.25)[:, None]
        made = rates(wrong, images(200, f"{trial}/"), replicates=400, seed=0)[:, 0]
        found = number(made, 0.95)
        held += found.low <= 25 <= found.high
    # Three standard errors of 400 trials are 3.3 %.
    assert 0.91 <= held / 400 <= 0.985


def test_no_spread_where_all_are_wrong_or_right():
    for wrong in (np.zeros((50, 1), bool), np.ones((50, 1), bool)):
        found = number(rates(wrong, images(50), replicates=100, seed=0)[:, 0], 0.95)
        assert found.low == found.value == found.high


def test_without_replicates_there_is_no_interval():
    found = number(np.array([3.0]), 0.95)
    assert found.value == 3
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_a_twin_key_is_refused():
    with pytest.raises(ScoreError, match="The image a is there twice"):
        Images.of(["a", "b", "a"], range(3))


@pytest.mark.parametrize(
    ("replicates", "level", "said"),
    [
        (99, 0.95, "replicates must be at least 100, or 0 for no intervals; got 99"),
        (-1, 0.95, "replicates must be at least 100"),
        (1.5, 0.95, "replicates must be a whole number; got 1.5"),
        (1000, 95, "level must lie between 0 and 1, such as 0.95 for 95 %; got 95"),
        (1000, 0, "level must lie between 0 and 1"),
    ],
)
def test_what_gives_no_interval_is_refused(replicates, level, said):
    with pytest.raises(ScoreError, match=said):
        bootstrap.check(replicates, level)


GOLDEN = [[2, 0, 0, 1, 1, 1, 2, 1], [0, 1, 1, 2, 1, 0, 3, 0], [1, 0, 1, 2, 1, 0, 2, 1]]


def test_centred_intervals_of_average_precision_hold_what_other_images_give():
    """Rare classes: a replicate has their few images twice, so it lies above what was measured."""

    def drawn(seed):
        rng = np.random.default_rng(seed)
        truth = rng.random((150, 20)) < np.linspace(0.02, 0.3, 20)
        return rng.normal(size=truth.shape) + 1.2 * truth, truth

    every = images(150)
    truth = np.mean([mean(average_precision(*drawn(seed)))[0] for seed in range(1000, 1300)])
    plain = moved = 0
    for seed in range(60):
        rows = mean(average_precision(*drawn(seed), weights(every, 200, seed)))
        one = number(rows, 0.95)
        plain += one.low <= truth <= one.high
        one = number(bootstrap.centred(rows, most=1), 0.95)
        moved += one.low <= truth <= one.high
        assert one.low < rows[0] < one.high
    assert moved >= 52
    assert moved > plain


def test_centred_keeps_bounds_and_what_is_no_number():
    rows = np.array([0.5, 3.0, np.nan, 5.0])
    assert np.array_equal(bootstrap.centred(rows, most=1), [0.5, 0, np.nan, 1], equal_nan=True)
    assert rows[1] == 3
    assert bootstrap.centred(np.array([0.5])).tolist() == [0.5]

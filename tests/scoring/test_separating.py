"""Intervals of separation, and two detectors on the same images."""

import math

import numpy as np
import pytest

from brittle.errors import ScoreError
from brittle.scoring.separating import Keys, Pair, contrast, separate

RNG = np.random.default_rng(0)
STRANGE, USUAL = RNG.normal(1, 1, 150), RNG.normal(0, 1, 350)
KEYS = Keys([f"o/{n}" for n in range(150)], [f"i/{n}" for n in range(350)])


def test_an_interval_is_as_wide_as_theory_says():
    """The standard error of AUROC by Hanley and McNeil, 1982."""
    found = separate(STRANGE, USUAL, ["auroc"], keys=KEYS)["AUROC"]
    a, p, n = found.value, 150, 350
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    error = math.sqrt((a * (1 - a) + (p - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (p * n))
    assert found.low < a < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_no_replicates_no_interval():
    found = separate(STRANGE, USUAL, replicates=0)
    assert list(found) == ["AUROC", "AUPR", "FPR95"]
    assert all(math.isnan(value.low) and math.isnan(value.high) for value in found.values())


def test_the_order_of_images_does_not_matter():
    order, other = RNG.permutation(150), RNG.permutation(350)
    keys = Keys([KEYS.strange[n] for n in order], [KEYS.usual[n] for n in other])
    assert separate(STRANGE, USUAL, keys=KEYS, replicates=100) == separate(
        STRANGE[order], USUAL[other], keys=keys, replicates=100
    )


def test_seeds_and_keys_decide_the_draws():
    base = separate(STRANGE, USUAL, ["auroc"], keys=KEYS, replicates=100)
    assert base == separate(STRANGE, USUAL, ["auroc"], keys=KEYS, replicates=100)
    assert base != separate(STRANGE, USUAL, ["auroc"], keys=KEYS, replicates=100, seed=1)
    assert base != separate(STRANGE, USUAL, ["auroc"], replicates=100)


def test_both_groups_are_drawn_apart():
    """The same keys on both sides: were they drawn alike, equal scores would stay at one half."""
    scores = RNG.normal(size=200)
    keys = Keys(KEYS.usual[:200], KEYS.usual[:200])
    found = separate(scores, scores, ["auroc"], keys=keys, replicates=100)["AUROC"]
    assert found.value == 0.5
    assert found.high - found.low > 0.05


def test_a_detector_against_itself_differs_by_nothing():
    pair = Pair(STRANGE, USUAL)
    for found in contrast(pair, pair, keys=KEYS, replicates=100).values():
        assert found.difference == (0, 0, 0)


def test_a_paired_difference_is_narrower_than_its_parts():
    noisy = Pair(STRANGE + RNG.normal(0, 0.2, 150), USUAL + RNG.normal(0, 0.2, 350))
    found = contrast(noisy, Pair(STRANGE, USUAL), ["auroc"], keys=KEYS)["AUROC"]
    alone = separate(STRANGE, USUAL, ["auroc"], keys=KEYS)["AUROC"]
    assert found.second == alone.value
    assert found.difference.value == found.first - found.second
    assert found.difference.high - found.difference.low < (alone.high - alone.low) / 2


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ScoreError, match=r"shapes \(149,\) and \(150,\) for the strange group"):
        contrast(Pair(STRANGE[1:], USUAL), Pair(STRANGE, USUAL))
    with pytest.raises(ScoreError, match="149 keys for the 150 images of the strange group"):
        separate(STRANGE, USUAL, keys=Keys(KEYS.strange[1:], KEYS.usual))
    with pytest.raises(ScoreError, match="The image o/0 is there twice"):
        separate(STRANGE, USUAL, keys=Keys(["o/0", *KEYS.strange[:149]], KEYS.usual))
    with pytest.raises(ScoreError, match="names must be a list"):
        separate(STRANGE, USUAL, "auroc")
    with pytest.raises(ScoreError, match="replicates must be at least 100"):
        separate(STRANGE, USUAL, replicates=5)

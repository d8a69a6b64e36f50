"""Intervals of calibration, and two models on the same images."""

import math

import numpy as np
import pytest

from brittle.calibration import Answers, measure
from brittle.errors import ScoreError
from brittle.scoring.calibrating import calibrate, contrast_calibration


def drawn(seed, count=400):
    """Answers that are too confident by a tenth."""
    rng = np.random.default_rng(seed)
    confidence = rng.uniform(0.3, 1, count)
    return Answers(confidence, rng.random(count) < confidence - 0.1)


def test_an_interval_holds_what_other_images_give():
    """Of eighty samples about 95 % cover the mean; replicates as they are would lie above it."""
    values = [measure(drawn(seed), "l1(size=20)") for seed in range(1000, 1400)]
    found = [calibrate(drawn(seed), ["l1(size=20)"], replicates=200) for seed in range(80)]
    numbers = [one["L1 calibration error (size=20)"] for one in found]
    covered = sum(one.low <= np.mean(values) <= one.high for one in numbers)
    assert covered >= 70
    assert all(one.low < one.value < one.high for one in numbers)


def test_the_keys_and_not_the_order_decide():
    keys = [f"image/{n}" for n in range(400)]
    order = np.random.default_rng(5).permutation(400)
    given = drawn(0)
    turned = Answers(given.confidence[order], given.correct[order])
    here = calibrate(given, keys=keys, replicates=100)
    there = calibrate(turned, keys=[keys[n] for n in order], replicates=100)
    assert list(here) == ["RMS calibration error", "AURRA", "soft F1"]
    for name, value in here.items():
        assert value == pytest.approx(there[name], rel=1e-9)
    assert here != calibrate(given, keys=keys, replicates=100, seed=1)


def test_no_replicates_no_interval():
    found = calibrate(drawn(0), ["ece"], replicates=0)["ECE"]
    assert found.value == measure(drawn(0), "ece")
    assert math.isnan(found.low)


def test_two_models_on_the_same_images():
    given = drawn(0)
    milder = Answers(given.confidence - 0.1, given.correct)
    found = contrast_calibration(given, milder, ["l1", "aurra"], replicates=200)
    assert found["L1 calibration error"].difference.low > 0
    assert found["AURRA"].difference == (0, 0, 0)
    assert found["L1 calibration error"].first == measure(given, "l1")
    with pytest.raises(ScoreError, match="400 and 300 answers"):
        contrast_calibration(given, drawn(0, 300))

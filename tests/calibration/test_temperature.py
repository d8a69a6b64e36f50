"""Temperature scaling: the minimum, the half, and what cannot be fitted."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from brittle.calibration import temperature
from brittle.calibration._temperature import best
from brittle.errors import ScoreError
from brittle.seeds import half

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(0, 1.5, (1200, 8))
LABELS = (LOGITS + RNG.gumbel(size=LOGITS.shape)).argmax(axis=1)
KEYS = [f"image/{n}" for n in range(1200)]


@pytest.mark.parametrize("scale", [0.2, 1, 6, 1e3])
def test_it_is_the_minimum_that_scipy_finds(scale):
    def loss(log):
        return -log_softmax(LOGITS * scale / np.exp(log), axis=1)[np.arange(1200), LABELS].mean()

    told = np.exp(
        minimize_scalar(loss, bounds=(-8, 9), options={"xatol": 1e-10}, method="bounded").x
    )
    assert best(LOGITS * scale, LABELS) == pytest.approx(told, rel=1e-4)


def test_it_undoes_a_scale():
    """Labels drawn from the softmax itself need none; a scaled model needs the scale."""
    plain, scaled = (temperature(LOGITS * k, LABELS, KEYS) for k in (1, 4))
    assert plain.value == pytest.approx(1, abs=0.12)
    assert scaled.value == pytest.approx(4 * plain.value, rel=1e-9)
    assert scaled.nll_after == pytest.approx(plain.nll_after, rel=1e-9)
    assert scaled.nll_before > scaled.nll_after
    assert np.array_equal(scaled.apply(LOGITS), LOGITS / scaled.value)


def test_the_half_goes_by_key_and_not_by_place():
    order = RNG.permutation(1200)
    here = temperature(LOGITS, LABELS, KEYS)
    there = temperature(LOGITS[order], LABELS[order], [KEYS[n] for n in order])
    assert np.array_equal(here.fitted[order], there.fitted)
    assert here.value == pytest.approx(there.value, rel=1e-9)
    assert 500 < here.fitted.sum() < 700
    assert not np.array_equal(half(KEYS), half(KEYS, seed=1))
    # The halves are a promise: a temperature that was printed must come out again.
    assert half(KEYS[:12]).astype(int).tolist() == [0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0]


def test_before_and_after_are_of_the_other_half():
    """What is fitted on does not count: with other labels there, before stays what it was."""
    found = temperature(LOGITS, LABELS, KEYS)
    rest = ~found.fitted
    logs = log_softmax(LOGITS[rest], axis=1)[np.arange(rest.sum()), LABELS[rest]]
    assert found.nll_before == pytest.approx(-logs.mean())
    logs = log_softmax(LOGITS[rest] / found.value, axis=1)[np.arange(rest.sum()), LABELS[rest]]
    assert found.nll_after == pytest.approx(-logs.mean())


@pytest.mark.parametrize(
    ("logits", "labels", "keys", "said"),
    [
        (
            LOGITS,
            LOGITS.argmax(axis=1),
            KEYS,
            "every answer is right, so the best temperature is 0",
        ),
        (LOGITS, LOGITS.argmin(axis=1), KEYS, "say nothing of the true class"),
        (LOGITS, LABELS, KEYS[1:], "1,199 keys for 1,200 images"),
        (LOGITS, LABELS, [*KEYS[1:], KEYS[1]], "Two images have the same key"),
        (LOGITS[:1], LABELS[:1], KEYS[:1], "1 images are too few"),
        (LOGITS[:, 0], LABELS, KEYS, "logits must be images x classes"),
    ],
)
def test_what_cannot_be_fitted_is_said(logits, labels, keys, said):
    with pytest.raises(ScoreError, match=said):
        temperature(logits, labels, keys)

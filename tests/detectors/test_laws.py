"""How detectors must stand to one another, and to changes of the logits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from brittle.detectors import DETECTORS, Outputs, fit

LOGITS = arrays(np.float64, (8, 4), elements=st.floats(-20, 20))


def scores(name, logits, task="single"):
    return fit(name).score(Outputs(logits=logits, task=task))


def in_order(first, second, slack=1e-9):
    """No pair of images is clearly the other way round."""
    return not ((first[:, None] > first + slack) & (second[:, None] < second - slack)).any()


def equal_sums(logits):
    """The same probabilities with a log-sum-exp of 0."""
    return logits + scores("energy", logits)[:, None]


@given(LOGITS)
def test_max_logit_is_msp_where_log_sums_are_equal(logits):
    level = equal_sums(logits)
    assert np.allclose(scores("energy", level), 0, atol=1e-9)
    assert in_order(scores("max_logit", level), scores("msp", level))
    assert np.allclose(np.exp(-scores("max_logit", level)), -scores("msp", level))


def test_max_logit_is_not_msp_otherwise():
    """Two images with the same probabilities, one of them with larger logits."""
    logits = np.array([[2.0, 0], [9, 7]])
    assert np.ptp(scores("msp", logits)) < 1e-15
    assert scores("max_logit", logits)[1] < scores("max_logit", logits)[0]


@given(LOGITS, st.floats(-50, 50))
def test_a_shift_of_all_logits(logits, shift):
    for name in ("msp", "entropy"):
        assert np.allclose(scores(name, logits + shift), scores(name, logits), atol=1e-9)
    for name in ("max_logit", "logit_avg", "energy"):
        assert np.allclose(scores(name, logits + shift), scores(name, logits) - shift, atol=1e-9)


@given(LOGITS)
def test_the_order_of_classes_does_not_matter(logits):
    for name in ("msp", "max_logit", "logit_avg", "energy", "entropy"):
        for task in DETECTORS.load(name).tasks:
            found = scores(name, logits[:, ::-1], task)
            assert np.allclose(found, scores(name, logits, task), atol=1e-9)


@given(LOGITS)
def test_energy_tends_to_max_logit_when_cold(logits):
    cold = scores("energy(temperature=0.001)", logits)
    assert np.allclose(cold, scores("max_logit", logits), atol=0.01)


@given(LOGITS)
def test_with_sigmoids_msp_and_max_logit_agree(logits):
    assert in_order(scores("msp", logits, "multi"), scores("max_logit", logits, "multi"))


def test_undecided_is_strangest():
    """Of all outputs with the same sum of exponentials, the flat ones."""
    rng = np.random.default_rng(0)
    logits = equal_sums(np.vstack([np.zeros(5), rng.normal(0, 1, (40, 5))]))
    for name in ("msp", "max_logit", "entropy"):
        assert scores(name, logits).argmax() == 0, name


@pytest.mark.parametrize("name", ["kl_matching", "kl_matching(to=predicted)"])
def test_kl_is_0_at_the_template_and_positive_elsewhere(name):
    known = Outputs(logits=np.eye(4) * 3)
    rng = np.random.default_rng(0)
    found = fit(name, known)
    assert np.allclose(found.score(known), 0, atol=1e-12)
    assert (found.score(Outputs(logits=rng.normal(size=(50, 4)))) > 0.01).all()


def test_mahalanobis_does_not_depend_on_coordinates():
    """Any invertible map of the features, and any shift, leaves the distances."""
    rng = np.random.default_rng(0)
    known, strange, labels = rng.normal(size=(90, 5)), rng.normal(size=(20, 5)), np.arange(90) % 3
    turn, shift = rng.normal(size=(5, 5)), 1e4 * rng.normal(size=5)

    def found(change):
        made, asked = (
            Outputs(logits=np.zeros((len(x), 3)), features=change(x)) for x in (known, strange)
        )
        return fit("mahalanobis", made, labels).score(asked)

    np.testing.assert_allclose(found(lambda x: x @ turn + shift), found(lambda x: x), rtol=1e-6)


def test_knn_does_not_depend_on_the_length_of_features():
    rng = np.random.default_rng(0)
    known = Outputs(logits=np.zeros((60, 3)), features=rng.normal(size=(60, 5)))
    near, far = (
        Outputs(
            logits=np.zeros((9, 3)), features=scale * np.random.default_rng(1).normal(size=(9, 5))
        )
        for scale in (1, 1000)
    )
    found = fit("knn(neighbours=3)", known)
    np.testing.assert_allclose(found.score(near), found.score(far), rtol=1e-9)

"""Average precision against scikit-learn, the definition written out, and the laws."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from brittle.errors import ScoreError
from brittle.multilabel import AveragePrecision, average_precision, mean, weighted_mean
from brittle.scoring import bootstrap


def example(seed, images=200, classes=7, ties=True):
    rng = np.random.default_rng(seed)
    truth = rng.random((images, classes)) < rng.uniform(0.02, 0.6, classes)
    scores = rng.normal(size=truth.shape) + truth
    return (scores.round(1) if ties else scores), truth


def by_definition(scores, truth, weights):
    """One class: over the distinct scores, the step of recall times the precision there."""
    total, recall, area = (weights * truth).sum(), 0.0, 0.0
    for least in np.unique(scores)[::-1]:
        taken = scores >= least
        hits = (weights * truth)[taken].sum()
        if weights[taken].sum() > 0:
            area += (hits / total - recall) * hits / weights[taken].sum()
        recall = hits / total
    return area


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_it_is_scikit_learns(seed, ties):
    scores, truth = example(seed, ties=ties)
    rng = np.random.default_rng(seed + 100)
    weights = rng.multinomial(len(scores), np.full(len(scores), 1 / len(scores)), 5)
    found = average_precision(scores, truth, [weights.astype(np.float32)])
    for row, one in enumerate(weights):
        for column in range(scores.shape[1]):
            wanted = metrics.average_precision_score(
                truth[:, column], scores[:, column], sample_weight=one
            )
            assert found.values[row, column] == pytest.approx(wanted, abs=1e-12)
        plain, frequent = (
            metrics.average_precision_score(truth, scores, average=how, sample_weight=one)
            for how in ("macro", "weighted")
        )
        assert mean(found)[row] == pytest.approx(plain, abs=1e-12)
        assert weighted_mean(found)[row] == pytest.approx(frequent, abs=1e-12)


@given(seed=st.integers(0, 10**6), images=st.integers(1, 12), weighted=st.booleans())
@settings(max_examples=60, deadline=None)
def test_it_is_the_definition(seed, images, weighted):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, (images, 3)).astype(float)
    truth = rng.random((images, 3)) < 0.5
    truth[0, 0] = True
    weights = rng.integers(0, 3, images).astype(float) if weighted else np.ones(images)
    found = average_precision(scores, truth, [weights[None]])
    for column in range(3):
        positives = (weights * truth[:, column]).sum()
        assert found.positives[0, column] == positives
        if positives == 0:
            assert np.isnan(found.values[0, column])
        else:
            wanted = by_definition(scores[:, column], truth[:, column], weights)
            assert found.values[0, column] == pytest.approx(wanted, abs=1e-12)


def test_a_weight_is_the_image_that_many_times():
    scores, truth = example(3)
    counts = np.random.default_rng(0).integers(0, 4, len(scores))
    weighted = average_precision(scores, truth, [counts[None].astype(np.float32)])
    repeated = average_precision(
        np.repeat(scores, counts, axis=0), np.repeat(truth, counts, axis=0)
    )
    assert np.array_equal(weighted.values, repeated.values)
    assert np.array_equal(weighted.positives, repeated.positives)


def test_whole_weights_and_others_are_summed_alike():
    scores, truth = example(11)
    counts = np.random.default_rng(1).integers(0, 4, (3, len(scores)))
    wanted = average_precision(scores, truth, [counts.astype(np.uint8)])
    for factor in (1.0, 0.5, 512.0):  # powers of two, one of them beyond a byte
        found = average_precision(scores, truth, [counts * factor])
        assert np.array_equal(found.values, wanted.values)
        assert np.array_equal(found.positives, wanted.positives * factor)


def test_the_order_of_the_images_and_of_ties_does_not_matter():
    scores, truth = example(4)
    wanted = average_precision(scores, truth)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(len(scores))
        found = average_precision(scores[order], truth[order])
        assert np.array_equal(found.values, wanted.values)


def test_only_the_order_of_the_scores_counts():
    scores, truth = example(5, ties=False)
    one = average_precision(scores, truth).values
    assert np.array_equal(one, average_precision(1 / (1 + np.exp(-scores)), truth).values)
    whole = np.argsort(np.argsort(scores, axis=0), axis=0)
    assert np.array_equal(one, average_precision(whole, truth).values)


def test_the_ends_of_the_scale():
    truth = np.array([[True], [True], [False], [False]])
    falling = np.array([[4.0], [3], [2], [1]])
    assert average_precision(falling, truth).values[0, 0] == 1
    assert average_precision(-falling, truth).values[0, 0] == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert average_precision(np.zeros((4, 1)), truth).values[0, 0] == 0.5
    infinite = np.array([[np.inf], [1.0], [-np.inf], [-np.inf]])
    assert average_precision(infinite, truth).values[0, 0] == 1


def test_a_class_that_nobody_has_is_left_out_of_both_means():
    scores, truth = example(6)
    truth[:, 2] = False
    found = average_precision(scores, truth)
    assert np.isnan(found.values[0, 2])
    rest = np.delete(np.arange(7), 2)
    assert mean(found)[0] == pytest.approx(found.values[0, rest].mean())
    counts = truth[:, rest].sum(axis=0)
    wanted = (found.values[0, rest] * counts).sum() / counts.sum()
    assert weighted_mean(found)[0] == pytest.approx(wanted)


def test_a_replicate_without_any_positive_is_nan_and_no_other_is():
    scores, truth = np.array([[0.1], [0.2]]), np.array([[True], [False]])
    found = average_precision(scores, truth, [np.array([[1.0, 1], [0, 2], [2, 0]])])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(mean(found)).tolist() == [False, True, False]
        assert np.isnan(weighted_mean(found)).tolist() == [False, True, False]
    assert mean(found)[0] == 0.5


def test_it_takes_the_blocks_of_the_bootstrap(monkeypatch):
    scores, truth = example(7, images=90)
    images = bootstrap.Images.of([f"{n:03}" for n in range(90)], range(90))
    whole = average_precision(scores, truth, bootstrap.weights(images, 120, 0))
    monkeypatch.setattr(bootstrap, "CHUNK", 90 * 7)
    pieces = average_precision(scores, truth, bootstrap.weights(images, 120, 0))
    assert whole.values.shape == (121, 7)
    assert np.array_equal(whole.values, pieces.values, equal_nan=True)
    assert np.array_equal(whole.values[0], average_precision(scores, truth).values[0])
    found = bootstrap.number(mean(whole), 0.95)
    assert found.low < found.value < found.high


def test_what_is_given_is_left_alone():
    scores, truth = example(8)
    before = scores.copy(), truth.copy()
    average_precision(scores, truth)
    assert np.array_equal(scores, before[0])
    assert np.array_equal(truth, before[1])


NAN = np.array([[0.1, np.nan], [0.2, 0.3]])
BOTH = np.array([[True, False], [False, True]])


@pytest.mark.parametrize(
    ("scores", "truth", "said"),
    [
        (np.zeros((3, 2)), BOTH, r"got float64 of shape \(3, 2\) and bool of shape \(2, 2\)"),
        (np.zeros(2), BOTH[0], "Scores and truth are N x C alike"),
        (np.zeros((2, 2)), BOTH.astype(int), "and int64 of shape"),
        (np.zeros((0, 2)), BOTH[:0], "There is nothing to score: 0 images x 2"),
        (np.zeros((2, 0)), BOTH[:, :0], "There is nothing to score: 2 images x 0"),
        (np.array([["a", "b"], ["c", "d"]]), BOTH, "Scores must be numbers; got <U1"),
        (NAN, BOTH, "score of image 0 for class 1 is nan, and 1 are in all"),
        (np.zeros((2, 2)), BOTH & False, "No image has any of the classes"),
    ],
)
def test_bad_input_is_said_in_a_sentence(scores, truth, said):
    with pytest.raises(ScoreError, match=said):
        average_precision(scores, truth)


def test_weights_of_other_images_are_refused():
    with pytest.raises(ScoreError, match=r"so of 2; got an array of shape \(1, 3\)"):
        average_precision(np.zeros((2, 2)), BOTH, [np.ones((1, 3))])


def test_no_weights_at_all_are_refused():
    with pytest.raises(ScoreError, match="There are no rows of weights; give one at least"):
        average_precision(np.zeros((2, 2)), BOTH, iter(()))


def test_a_result_says_what_it_is():
    assert AveragePrecision._fields == ("values", "positives")

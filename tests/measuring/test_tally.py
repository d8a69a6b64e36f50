import numpy as np
import pytest

from brittle.labels import Space, known
from brittle.measuring.tally import tally


def test_it_equals_a_softmax_written_out() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(50, 12)).astype(np.float32) * 3
    labels = rng.integers(0, 12, 50)
    found = tally(logits, labels)
    exponents = np.exp(logits.astype(np.float64))
    probabilities = exponents / exponents.sum(axis=1, keepdims=True)
    for row in range(50):
        order = sorted(range(12), key=lambda c: (-logits[row, c], c))
        assert found.top_classes[row].tolist() == order[:5]
        assert found.rank[row] == order.index(labels[row])
        np.testing.assert_allclose(
            found.top_probabilities[row], probabilities[row, order[:5]], rtol=1e-5
        )
    np.testing.assert_allclose(found.log_sum_exp, np.log(exponents.sum(axis=1)), rtol=1e-5)
    np.testing.assert_array_equal(found.max_logit, logits.max(axis=1))
    np.testing.assert_array_equal(found.label_logit, logits[np.arange(50), labels])


def test_ties_go_to_the_lower_index_wherever_they_are() -> None:
    logits = np.zeros((1, 300), np.float32)
    logits[0, 250] = 1
    found = tally(logits, np.array([4]))
    assert found.top_classes.tolist() == [[250, 0, 1, 2, 3]]
    assert found.rank.tolist() == [5]
    coarse = np.random.default_rng(1).integers(0, 4, (200, 40)).astype(np.float32)
    expected = np.argsort(-coarse, axis=1, kind="stable")[:, :5]
    np.testing.assert_array_equal(tally(coarse, np.zeros(200, np.int64)).top_classes, expected)


def test_few_classes_have_a_short_top() -> None:
    found = tally(np.array([[1.0, 2.0]], np.float32), np.array([0]))
    assert found.top_classes.tolist() == [[1, 0]]
    assert found.rank.tolist() == [1]


def test_an_image_without_a_label_has_no_rank() -> None:
    found = tally(np.array([[1.0, 2.0, 0.0]], np.float32), np.array([-1]))
    assert found.rank.tolist() == [-1]
    assert np.isnan(found.label_logit).all()


def test_classes_that_do_not_count_take_no_part() -> None:
    space = Space(known("imagenet"), "imagenet-a")
    logits = np.zeros((1, 1000), np.float32)
    logits[0, 0] = 50.0
    inside = space.index[known("imagenet-a")[7]]
    logits[0, inside] = 3.0
    found = tally(space.mask(logits), np.array([inside]))
    assert found.rank.tolist() == [0]
    assert found.top_classes[0, 0] == inside
    np.testing.assert_allclose(found.log_sum_exp, np.log(199 + np.exp(3.0)), rtol=1e-6)


def test_logarithms_of_probabilities_may_be_minus_infinity() -> None:
    with np.errstate(divide="ignore"):
        logits = np.log(np.array([[0.0, 1.0, 0.0]], np.float32))
    found = tally(logits, np.array([1]))
    assert found.top_probabilities[0].tolist() == [1, 0, 0]
    assert found.log_sum_exp.tolist() == [0]


@pytest.mark.parametrize("rows", [1, 7, 64])
def test_it_does_not_depend_on_the_batch(rows: int) -> None:
    logits = np.random.default_rng(2).normal(size=(64, 1000)).astype(np.float32)
    labels = np.arange(64)
    whole = tally(logits, labels)
    for start in range(0, 64, rows):
        part = tally(logits[start : start + rows], labels[start : start + rows])
        for one, other in zip(part, whole, strict=True):
            np.testing.assert_array_equal(one, other[start : start + rows])

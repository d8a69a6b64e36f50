import numpy as np
import pytest

from brittle.errors import ModelError
from brittle.measuring.checks import check, examine
from brittle.models import Outputs, Settings, open_model

PICTURES = np.random.default_rng(0).integers(0, 256, (4, 8, 8, 3), dtype=np.uint8)


def plain(batch):
    x = batch.reshape(len(batch), -1).astype(np.float32) / 255
    return x[:, :5]


def model(function):
    return open_model(function, Settings())


def test_a_good_model_passes_with_its_number_of_classes() -> None:
    assert examine(model(plain), PICTURES) == 5
    assert examine(model(plain), PICTURES[:1]) == 5


def test_outputs_that_depend_on_the_batch_are_refused() -> None:
    def normalised(batch):
        x = plain(batch)
        return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-3)

    with pytest.raises(ModelError, match=r"other outputs alone than in a batch.*evaluation mode"):
        examine(model(normalised), PICTURES)


def test_equal_outputs_for_different_pictures_are_refused() -> None:
    def constant(batch):
        return np.tile(np.arange(5, dtype=np.float32), (len(batch), 1))

    with pytest.raises(ModelError, match="4 different pictures the same outputs"):
        examine(model(constant), PICTURES)
    assert examine(model(constant), np.repeat(PICTURES[:1], 3, axis=0)) == 5


def test_a_single_output_is_no_classifier() -> None:
    with pytest.raises(ModelError, match="1 output a picture; a classifier has 2"):
        examine(model(lambda batch: plain(batch)[:, :1]), PICTURES)


def test_another_number_of_names_is_refused() -> None:
    named = open_model(plain, Settings(classes=("a", "b")))
    with pytest.raises(ModelError, match=r"5 outputs(, and|.*) 2 "):
        examine(named, PICTURES)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_by_place(value: float) -> None:
    logits = np.zeros((3, 4), np.float32)
    logits[2, 1] = value
    with pytest.raises(ModelError, match=r"for picture 2 of a batch of x; outputs must be finite"):
        check(model(plain), Outputs(logits), 3, " of a batch of x")


def test_a_probability_of_zero_is_no_fault() -> None:
    known = open_model(plain, Settings())
    known.gives = "probabilities"  # type: ignore[misc]
    logits = np.array([[0.0, -np.inf]], np.float32)
    check(known, Outputs(logits), 1)


def test_another_shape_is_refused() -> None:
    with pytest.raises(
        ModelError, match=r"shape \(3, 4\) for 2 pictures; they must be 2 x classes"
    ):
        check(model(plain), Outputs(np.zeros((3, 4), np.float32)), 2)


def test_probabilities_that_pass_for_logits_are_mentioned() -> None:
    def softmax(batch):
        e = np.exp(plain(batch))
        return e / e.sum(axis=1, keepdims=True)

    with pytest.warns(UserWarning, match=r"sum to 1, as probabilities do.*gives=probabilities"):
        assert examine(model(softmax), PICTURES) == 5

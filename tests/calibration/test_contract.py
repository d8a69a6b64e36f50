"""Every measure of calibration, found by file, meets the contract of its family."""

from dataclasses import replace

import numpy as np
import pytest

from brittle.calibration import CALIBRATION, Answers, Sample, ask, measure
from brittle.errors import ScoreError, SpecError
from brittle.rows import fields
from tests.helpers.parts import module

NAMES = CALIBRATION.names()


def logits(seed=0, count=400, classes=6):
    """A softmax model that is calibrated, and the true classes."""
    rng = np.random.default_rng(seed)
    made = rng.normal(0, 2, (count, classes)).round(1)
    return made, (made + rng.gumbel(size=made.shape)).argmax(axis=1)


def answers(seed=0, count=400):
    made = Answers.of_logits(*logits(seed, count))
    # Confidences that tie.
    return replace(made, confidence=made.confidence.round(2))


def repeated(given, often):
    columns = ("confidence", "correct", "log_loss", "square_loss")
    return Answers(*(np.repeat(getattr(given, name), often) for name in columns))


def test_the_measures_are_there():
    assert set(NAMES) >= {
        "rms", "l1", "max_error", "rms_published", "l1_published", "max_error_published", "ece",
        "brier", "nll", "aurra", "soft_f1",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name):
    part = CALIBRATION.load(name)
    assert part.about == module(CALIBRATION, name).__doc__
    direction = "Lower is better" if part.better == "lower" else "Higher is better"
    assert direction in " ".join(part.about.split())
    assert part.formula
    assert part.citation
    assert ask(name).title == part.title
    assert set(fields(part.row)) == set(part.row._field_defaults)


def test_titles_are_told_apart():
    assert len({ask(name).title for name in NAMES}) == len(NAMES)
    assert ask("rms(size=50)").title == "RMS calibration error (size=50)"


@pytest.mark.parametrize("name", NAMES)
def test_a_replicate_is_the_measure_of_the_answers_drawn(name):
    given = answers()
    often = np.random.default_rng(1).multinomial(400, [1 / 400] * 400, size=4)
    together = ask(name).of(Sample(given, often.astype(np.float32)))
    assert together.shape == (4,)
    for row in range(4):
        alone = measure(repeated(given, often[row]), name)
        assert alone == pytest.approx(together[row], rel=1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_answers_does_not_matter(name):
    """Not even where confidences tie, as they do here."""
    given = answers()
    assert len(np.unique(given.confidence)) < 90
    order = np.random.default_rng(2).permutation(400)
    turned = Answers(
        *(getattr(given, n)[order] for n in ("confidence", "correct", "log_loss", "square_loss"))
    )
    assert measure(turned, name) == pytest.approx(measure(given, name), rel=1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_a_sure_and_right_model_is_better(name):
    """Answers with confidences that go with being right, against ones turned round."""
    right = np.arange(400) % 4 > 0
    good = Answers(np.where(right, 0.99, 0.02), right, 1 - right, 1 - right)
    bad = Answers(np.where(right, 0.02, 0.99), right, 3.0 * right, 2.0 * right)
    best, worst = measure(good, name), measure(bad, name)
    assert best < worst if CALIBRATION.load(name).better == "lower" else best > worst


@pytest.mark.parametrize("name", NAMES)
def test_the_input_is_not_changed(name):
    table, truth = logits()
    kept = table.copy()
    made = Answers.of_logits(table, truth)
    before = made.confidence.copy()
    measure(made, name)
    assert np.array_equal(table, kept)
    assert np.array_equal(made.confidence, before)


@pytest.mark.parametrize("name", [name for name in NAMES if CALIBRATION.load(name).needs])
def test_what_it_needs_it_asks_for(name):
    with pytest.raises(ScoreError, match="needs the probabilities of all classes and the labels"):
        measure(Answers([0.5] * 100, [1] * 100), name)


@pytest.mark.parametrize("name", NAMES)
def test_confidences_that_are_no_probabilities(name):
    given = replace(answers(), confidence=np.linspace(-3, 7, 400))
    if CALIBRATION.load(name).probability:
        with pytest.raises(ScoreError, match="needs confidences from 0 to 1; these lie from -3 to"):
            measure(given, name)
    else:
        assert 0 <= measure(given, name) <= 1


@pytest.mark.parametrize("name", [n for n in NAMES if "size" in fields(CALIBRATION.load(n).row)])
def test_fewer_answers_than_a_bin(name):
    with pytest.raises(ScoreError, match=r"Bins of 100 answers need at least 100.*got 99.*size=9"):
        measure(Answers([0.5] * 99, [1] * 99), name)
    # Ten of the eleven bins where the last is left out and the mean is over all answers.
    gap = {"l1_published": 10 / 11, "rms_published": (10 / 11) ** 0.5}.get(name, 1) / 2
    found = measure(Answers([0.5] * 99, [1] * 99), f"{name}(size=9)")
    assert found == pytest.approx(gap)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Answers([], []), "confidence must be a list of at least one number"),
        (lambda: Answers([0.5], [1, 0]), "There are 1 confidences, but 2 of correct"),
        (lambda: Answers([0.5, np.nan], [1, 0]), "1 of 2 values of confidence are NaN"),
        (lambda: Answers([0.5], [0.7]), "correct must say for each answer whether it was right"),
        (lambda: Answers([[0.5]], [1]), r"confidence must be a list .* shape \(1, 1\)"),
        (lambda: Answers.of_logits([[0, 1]], [2]), "labels must lie from 0 to 1.*from 2 to 2"),
        (lambda: Answers.of_logits([[0, 1]], [0, 1]), "labels must be 1 whole numbers"),
        (lambda: Answers.of_logits([[0, np.inf]], [0]), "1 of 1 rows of logits hold NaN or inf"),
        (lambda: Answers.of_logits([0, 1], [0]), "logits must be images x classes"),
        (lambda: Answers.of_probabilities([[2.0, 1.0]], [0]), "Probabilities are at least 0"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(made, said):
    with pytest.raises(ScoreError, match=said):
        made()


def test_all_right_and_sure_has_no_soft_f1():
    with pytest.raises(ScoreError, match="Soft F1 says nothing"):
        measure(Answers([1.0, 1.0], [1, 1]), "soft_f1")


def test_unknown_names_are_refused():
    with pytest.raises(SpecError, match=r"no measure of calibration 'rsm'. Did you mean rms"):
        ask("rsm")
    with pytest.raises(SpecError, match=r"bins must be a whole number; got 1\.5"):
        ask("ece(bins=1.5)")

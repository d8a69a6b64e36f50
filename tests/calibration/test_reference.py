"""The numbers that the authors' code prints, other libraries, and sums written out."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as oracle

from brittle.calibration import Answers, measure, reliability, response_curve
from tests.helpers.shared import needs_shared, shared


def vector():
    rng = np.random.RandomState(0)
    confidence = rng.rand(1000)
    return Answers(confidence, rng.rand(1000) < confidence**2)


PUBLISHED = {
    "rms_published": 0.17946213986503542,
    "l1_published": 0.16045288700756336,
    "max_error_published": 0.271084668306491,
    "aurra": 0.6054939319577106,
    "soft_f1": 0.7169650400156002,
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_the_authors_code_prints(name):
    assert measure(vector(), name) == pytest.approx(PUBLISHED[name], rel=1e-12)


@pytest.mark.parametrize(
    ("count", "value"), [(100, 0), (150, 0), (199, 0), (200, 0.5312184109919039)]
)
def test_the_dropped_last_bin(count, value):
    every = Answers(np.linspace(0, 1, count), np.ones(count))
    assert measure(every, "rms_published") == pytest.approx(value, rel=1e-12)
    assert measure(every, "rms") > 0.35


@needs_shared
def test_the_recorded_calibration():
    told = json.loads(shared("reference", "metrics.json").read_text())["calibration"]
    found = Answers(told["confidence"], told["correct"])
    assert measure(found, "rms_published") == pytest.approx(told["reference_rms_bin100"], rel=1e-12)
    assert measure(found, "rms") == pytest.approx(told["rms_all_bins"], rel=1e-12)


@needs_shared
def test_the_recorded_aurra_is_one_order_of_the_ties():
    """Three pairs of confidences tie; the authors' number is that of one order, ours the mean."""
    told = json.loads(shared("reference", "metrics.json").read_text())["calibration"]
    confidence, correct = np.array(told["confidence"]), np.array(told["correct"])
    order = np.argsort(-confidence, kind="stable")
    ties = [at for at in range(len(order) - 1) if np.ptp(confidence[order[at : at + 2]]) == 0]
    assert len(ties) == 3
    tried = []
    for turned in itertools.product((False, True), repeat=3):
        way = order.copy()
        for at, turn in zip(ties, turned, strict=True):
            way[at : at + 2] = way[at : at + 2][::-1] if turn else way[at : at + 2]
        tried.append((correct[way].cumsum() / np.arange(1, len(way) + 1)).mean())
    assert min(abs(one - told["aurra"]) for one in tried) < 1e-12
    found = measure(Answers(confidence, correct), "aurra")
    assert found == pytest.approx(np.mean(tried), rel=1e-12)
    assert found == pytest.approx(told["aurra"], abs=1e-5)


def by_hand(confidence, correct, size):
    """Bins of the listed answers, which must not tie."""
    order = np.argsort(confidence)
    starts = [size * number for number in range(len(order) // size)]
    ends = [*starts[1:], len(order)]
    bins = [order[a:b] for a, b in zip(starts, ends, strict=True)]
    return [(len(b), abs(confidence[b].mean() - correct[b].mean())) for b in bins]


@pytest.mark.parametrize("count", [100, 137, 250, 999])
def test_bins_written_out(count):
    rng = np.random.default_rng(count)
    confidence, correct = rng.random(count), rng.random(count) < 0.6
    answers = Answers(confidence, correct)
    bins = by_hand(confidence, correct, 100)
    for last, kept in (("", bins), ("_published", bins[:-1])):
        squared = sum(n * gap**2 for n, gap in kept) / count
        assert measure(answers, f"rms{last}") == pytest.approx(math.sqrt(squared), rel=1e-11)
        assert measure(answers, f"l1{last}") == pytest.approx(
            sum(n * gap for n, gap in kept) / count, rel=1e-11
        )
        assert measure(answers, f"max_error{last}") == pytest.approx(
            max([gap for _, gap in kept], default=0), rel=1e-11
        )


def test_fixed_bins_written_out():
    rng = np.random.default_rng(0)
    confidence = rng.random(2000).round(2)
    confidence[:3] = 0, 1, 0.2
    correct = rng.random(2000) < confidence
    total = 0.0
    edges = np.linspace(0, 1, 11)
    for number, (low, high) in enumerate(itertools.pairwise(edges)):
        chosen = (confidence > low) & (confidence <= high) | ((confidence == 0) & (number == 0))
        total += abs(confidence[chosen].sum() - correct[chosen].sum()) / 2000
    assert measure(Answers(confidence, correct), "ece(bins=10)") == pytest.approx(total, rel=1e-12)


def test_losses_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 3, (500, 7))
    truth = rng.integers(0, 7, 500)
    told = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    for answers in (Answers.of_logits(logits, truth), Answers.of_probabilities(told, truth)):
        assert measure(answers, "nll") == pytest.approx(oracle.log_loss(truth, told), rel=1e-12)
        brier = np.square(told - np.eye(7)[truth]).sum(axis=1).mean()
        assert measure(answers, "brier") == pytest.approx(brier, rel=1e-12)
        assert np.array_equal(answers.correct, logits.argmax(axis=1) == truth)
        assert answers.confidence == pytest.approx(told.max(axis=1))


def test_logits_of_any_size_keep_their_loss():
    """Far apart, where a probability is 0 in double precision, and shifted by a large number."""
    answers = Answers.of_logits(np.array([[0.0, 5000.0], [1e6, 1e6 + 1]]), [0, 1])
    assert answers.log_loss == pytest.approx([5000, math.log1p(math.exp(-1))])
    sure = Answers.of_probabilities([[0.0, 1.0], [0.5, 0.5]], [0, 1])
    assert measure(sure, "nll") == math.inf


def test_large_tables_are_taken_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    logits, truth = rng.normal(size=(50, 7)).astype(np.float32), rng.integers(0, 7, 50)
    whole = Answers.of_logits(logits, truth)
    monkeypatch.setattr("brittle.calibration._answers._BLOCK", 21)
    assert np.array_equal(Answers.of_logits(logits, truth).confidence, whole.confidence)


RIGHT = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=7)


@given(RIGHT)
def test_aurra_is_the_mean_over_all_orders_of_ties(pairs):
    confidence, correct = (np.array(column) for column in zip(*pairs, strict=True))
    tried = [
        (correct[list(way)].cumsum() / np.arange(1, len(way) + 1)).mean()
        for way in itertools.permutations(range(len(pairs)))
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(way))
    ]
    answers = Answers(confidence, correct)
    assert measure(answers, "aurra") == pytest.approx(np.mean(tried), rel=1e-12, abs=1e-12)
    assert response_curve(answers).accuracy.mean() == pytest.approx(np.mean(tried), abs=1e-12)


@given(RIGHT)
def test_a_tie_over_the_edge_of_a_bin_is_shared(pairs):
    """The gap of each bin is that of the mean content over all orders of the ties."""
    confidence, correct = (np.array(column, float) for column in zip(*pairs, strict=True))
    size = (len(pairs) + 1) // 2
    filled = [
        correct[list(way)][:size].mean()
        for way in itertools.permutations(range(len(pairs)))
        if all(confidence[a] <= confidence[b] for a, b in itertools.pairwise(way))
    ]
    found = reliability(Answers(confidence / 5, correct), size=size)
    if len(pairs) // size > 1:
        assert found.accuracy[0, 0] == pytest.approx(np.mean(filled), abs=1e-12)
        assert found.counts[0].tolist() == [size, len(pairs) - size]


def test_reliability_by_width_and_by_number():
    answers = vector()
    wide, even = reliability(answers, bins=10), reliability(answers, size=250)
    assert wide.counts.shape == (1, 10)
    assert wide.counts.sum() == even.counts.sum() == 1000
    assert even.counts.tolist() == [[250] * 4]
    empty = reliability(Answers([0.05, 0.95], [0, 1]), bins=4)
    assert np.isnan(empty.accuracy[0]).tolist() == [False, True, True, False]

"""The numbers that the authors' code prints, another library, and a count of every pair."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as oracle

from brittle.separation import Groups, measure
from tests.helpers.shared import needs_shared, shared


def found(strange, usual, name):
    return measure(Groups(strange, usual).curve, name)[0]


def vector(seed):
    rng = np.random.RandomState(seed)
    return rng.normal(1, 1, 500), rng.normal(0, 1, 2000)


PUBLISHED = [
    (0, 9, "auroc", 0.76101),
    (0, 9, "aupr", 0.47663299193264597),
    (0, 9, "fpr", 0.729),
    (1, 1, "auroc", 0.7696735),
    (1, 1, "aupr", 0.4655431963559141),
    (1, 1, "fpr", 0.7495),
    (1, 1, "aupr_trapezoid", 0.4718045964546752),
]


@pytest.mark.parametrize(("seed", "decimals", "name", "value"), PUBLISHED)
def test_what_the_authors_code_prints(seed, decimals, name, value):
    strange, usual = vector(seed)
    if decimals == 1:
        strange, usual = strange.round(1), usual.round(1)
    assert found(strange, usual, name) == pytest.approx(value, rel=1e-13)


@needs_shared
def test_the_recorded_detection():
    told = json.loads(shared("reference", "metrics.json").read_text())["detection"]
    strange, usual = told["out_scores"], told["in_scores"]
    assert found(strange, usual, "auroc") == pytest.approx(told["auroc"], rel=1e-13)
    assert found(strange, usual, "aupr") == pytest.approx(told["aupr_out"], rel=1e-13)
    assert found(strange, usual, "fpr") == told["fpr95"]


@pytest.mark.parametrize("decimals", [0, 1, 2, 12])
@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_on_ties(seed, decimals):
    rng = np.random.default_rng(seed)
    strange = rng.normal(0.7, 1, rng.integers(1, 300)).round(decimals)
    usual = rng.normal(0, 1, rng.integers(1, 300)).round(decimals)
    truth = np.r_[np.ones(len(strange)), np.zeros(len(usual))]
    scores = np.r_[strange, usual]
    precision, recall, _ = oracle.precision_recall_curve(truth, scores)
    fpr, tpr, _ = oracle.roc_curve(truth, scores, drop_intermediate=False)
    for name, value in {
        "auroc": oracle.roc_auc_score(truth, scores),
        "aupr": oracle.average_precision_score(truth, scores),
        "aupr_in": oracle.average_precision_score(1 - truth, -scores),
        "aupr_trapezoid": oracle.auc(recall, precision),
        "detection_error": ((1 - tpr + fpr) / 2).min(),
        "fpr_conservative": fpr[tpr >= 0.95].min(),
        "fpr_conservative(recall=0.5)": fpr[tpr >= 0.5].min(),
    }.items():
        assert found(strange, usual, name) == pytest.approx(value, abs=1e-12), name


def nearest(strange, usual, recall):
    """The published convention, by trying every threshold."""
    tried = []
    for threshold in sorted({*strange, *usual}):
        hits = sum(score >= threshold for score in strange) / len(strange)
        alarms = sum(score >= threshold for score in usual)
        # At full recall the highest threshold counts, elsewhere the lowest.
        tried.append((abs(hits - recall), alarms if hits == 1 else -alarms, alarms))
    return min(tried)[2] / len(usual)


SCORES = st.lists(st.integers(-4, 4), min_size=1, max_size=25)


@given(SCORES, SCORES, st.sampled_from([0.0, 0.3, 0.5, 0.8, 0.95, 1.0]))
def test_the_nearest_threshold(strange, usual, recall):
    recalls = {sum(s >= at for s in strange) / len(strange) for at in {*strange, *usual}}
    ways = sorted(abs(one - recall) for one in recalls)
    if len(ways) > 1 and ways[1] - ways[0] < 1e-9:
        return  # as near above as below: the next test
    spec = f"fpr(recall={recall})"
    assert found(strange, usual, spec) == nearest(strange, usual, recall)


def test_as_near_above_as_below_goes_to_the_higher_recall():
    """Recalls 0.5 and 1 are both 0.25 from 0.75; the published code walks down from full recall."""
    assert found([2, 1], [1.5, 1, 0], "fpr(recall=0.75)") == pytest.approx(2 / 3)


@given(SCORES, SCORES)
def test_auroc_counts_pairs(strange, usual):
    won = sum(Fraction(2 * (s > u) + (s == u), 2) for s in strange for u in usual)
    assert found(strange, usual, "auroc") == float(won / (len(strange) * len(usual)))


@given(SCORES, SCORES)
def test_swapping_sides(strange, usual):
    """The negated scores of swapped groups: AUPR and AUPR-In trade places, AUROC stays."""
    flipped = [-score for score in usual], [-score for score in strange]
    assert found(strange, usual, "aupr_in") == found(*flipped, "aupr")
    assert found(strange, usual, "auroc") == found(*flipped, "auroc")
    assert found(strange, usual, "detection_error") == pytest.approx(
        found(*flipped, "detection_error"), abs=1e-15
    )


@given(SCORES, SCORES)
def test_a_higher_recall_costs_more_false_alarms(strange, usual):
    rates = [found(strange, usual, f"fpr_conservative(recall={r})") for r in (0, 0.2, 0.5, 0.9, 1)]
    assert rates == sorted(rates)
    assert rates[0] == 0


def test_the_conventions_differ_and_have_names():
    """Of four strange ones no share is 0.8: the nearest is 0.75, the conservative one is 1."""
    strange, usual = [5, 4, 3, 0], [4.5, 1, 0, -2]
    assert found(strange, usual, "fpr(recall=0.8)") == 0.5
    assert found(strange, usual, "fpr_conservative(recall=0.8)") == 0.75
    # At one recall the published code takes the lowest threshold, hence the 1 among the usual.
    assert found(strange, usual, "fpr_conservative(recall=0.75)") == 0.25
    assert found(strange, usual, "fpr(recall=0.75)") == 0.5

"""Every measure of separation, found by file, meets the contract of its family."""

import numpy as np
import pytest

from brittle.errors import ScoreError, SpecError
from brittle.rows import fields
from brittle.separation import SEPARATION, Groups, ask, measure
from tests.helpers.parts import module

NAMES = SEPARATION.names()


def groups(seed=0, strange=60, usual=140, decimals=1):
    """Two groups that overlap, with ties unless decimals are many."""
    rng = np.random.default_rng(seed)
    return (
        rng.normal(1, 1, strange).round(decimals),
        rng.normal(0, 1, usual).round(decimals),
    )


def test_the_measures_are_there():
    assert set(NAMES) >= {
        "auroc", "aupr", "aupr_trapezoid", "aupr_in", "fpr", "fpr_conservative", "detection_error",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name):
    part = SEPARATION.load(name)
    assert part.about == module(SEPARATION, name).__doc__
    assert ("Lower is better" if part.better == "lower" else "Higher is better") in " ".join(
        part.about.split()
    )
    assert part.title == ask(name).title
    assert part.formula
    assert part.citation
    assert set(fields(part.row)) == set(part.row._field_defaults)


def test_titles_are_told_apart():
    titles = [ask(name).title for name in NAMES]
    assert len(set(titles)) == len(titles)
    assert ask("fpr(recall=0.9)").title == "FPR90"
    assert ask("fpr_conservative(recall=0.975)").title == "FPR97.5 (conservative)"


@pytest.mark.parametrize("name", NAMES)
def test_apart_is_best_and_turned_round_is_worst(name):
    part = SEPARATION.load(name)
    apart, turned = (
        measure(Groups(*pair).curve, name)[0] for pair in (([2, 3, 3], [0, 1]), ([0, 1], [2, 3, 3]))
    )
    assert apart == (1 if part.better == "higher" else 0)
    assert turned < apart if part.better == "higher" else turned > apart


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_a_replicate_is_the_measure_of_the_scores_drawn(name, decimals):
    """Counting scores is the same as repeating them."""
    strange, usual = groups(1, decimals=decimals)
    rng = np.random.default_rng(2)
    often = [
        rng.multinomial(len(scores), [1 / len(scores)] * len(scores), size=5)
        for scores in (strange, usual)
    ]
    together = measure(Groups(strange, usual).reweighted(*often), name)
    assert together.shape == (5,)
    assert together.dtype == np.float64
    for row in range(5):
        drawn = Groups(np.repeat(strange, often[0][row]), np.repeat(usual, often[1][row]))
        assert measure(drawn.curve, name)[0] == pytest.approx(together[row], rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_ones_give_the_curve_itself(name):
    strange, usual = groups(3)
    made = Groups(strange, usual)
    ones = made.reweighted(np.ones((1, len(strange))), np.ones((1, len(usual)), np.float32))
    for mine, other in zip(ones, made.curve, strict=True):
        assert np.array_equal(mine, other)
    assert measure(ones, name)[0] == measure(made.curve, name)[0]


@pytest.mark.parametrize("name", NAMES)
def test_order_and_scale_do_not_matter(name):
    """Only the order of scores counts, not their values, nor the order of images."""
    strange, usual = groups(4)
    found = measure(Groups(strange, usual).curve, name)
    assert np.array_equal(measure(Groups(strange[::-1], np.roll(usual, 7)).curve, name), found)
    assert np.array_equal(measure(Groups(3 * strange - 7, 3 * usual - 7).curve, name), found)
    assert np.array_equal(measure(Groups(np.exp(strange), np.exp(usual)).curve, name), found)


@pytest.mark.parametrize("name", NAMES)
def test_bounded_and_the_input_is_not_changed(name):
    for seed in range(20):
        strange, usual = groups(seed, strange=1 + seed, usual=1 + (7 * seed) % 30)
        kept = strange.copy(), usual.copy()
        value = measure(Groups(strange, usual).curve, name)[0]
        assert 0 <= value <= 1
        assert np.array_equal(strange, kept[0])
        assert np.array_equal(usual, kept[1])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int8, np.uint8, np.int64, bool])
def test_any_numbers_are_scores(kind):
    strange, usual = np.array([1, 1, 0], kind), np.array([0, 0, 1, 0], kind)
    assert measure(Groups(strange, usual).curve, "auroc")[0] == (2 * 3.5 + 1.5) / 12


def test_single_and_double_precision_do_not_mix_up():
    """0.1 in single precision is above 0.1 in double, so they do not tie."""
    assert measure(Groups(np.float32([0.1]), np.float64([0.1])).curve, "auroc")[0] == 1


def test_infinite_scores_have_their_place():
    assert measure(Groups([np.inf, 1], [-np.inf, 2]).curve, "auroc")[0] == 0.75


@pytest.mark.parametrize(
    ("strange", "usual", "said"),
    [
        ([], [1.0], r"The strange \(positive\) group has no scores"),
        ([1.0], [], r"The usual \(negative\) group has no scores"),
        ([1.0, np.nan], [1.0], r"1 of the 2 scores of the strange \(positive\) group are NaN"),
        ([1.0], [np.nan, np.nan, 0], r"2 of the 3 scores of the usual \(negative\) group are NaN"),
        ([[1.0]], [1.0], r"strange \(positive\) group have the shape \(1, 1\); give a flat list"),
        (["a"], [1.0], r"strange \(positive\) group are <U1; give numbers"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(strange, usual, said):
    with pytest.raises(ScoreError, match=said):
        _ = Groups(strange, usual).curve


def test_unknown_names_and_parameters_are_refused():
    with pytest.raises(SpecError, match=r"no measure of separation 'auroc2'.*auroc"):
        ask("auroc2")
    with pytest.raises(SpecError, match=r"fpr: recall must be a number from 0 to 1; got 95"):
        ask("fpr(recall=95)")
    with pytest.raises(SpecError, match=r"auroc: There is no parameter 'recall'"):
        ask("auroc(recall=0.9)")

"""Scores of measured suites: what they are called, what is refused, and laws."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brittle.errors import ScoreError, SpecError
from brittle.metrics._grid import TEST, VALIDATION
from brittle.outcomes import MISSING, UNLABELLED, Cell, Outcome, Steps, Suite
from brittle.scoring.scores import cell_errors, score_suite
from tests.metrics.examples import cell, flat, grid, keys, outcome, photographs, stand


def one(made, name, **options):
    return score_suite(*made, [name], replicates=0, **options)[0]


def changed(errors, old, new):
    return {new if name == old else name: row for name, row in errors.items()}


# What a score is called


def test_the_plain_title_is_for_the_published_number():
    made = grid(flat(), clean=0.3)
    scores = {score.name: score for score in score_suite(*made, replicates=0)}
    assert [score.title for score in scores.values()] == [
        "mCE", "relative mCE", "mAUDE", "mean corruption error", "clean error",
    ]  # fmt: skip
    assert all(score.notes == () for score in scores.values())
    assert scores["mce"].baseline == "AlexNet"
    assert scores["clean_error"].baseline is None
    assert scores["mce"].images == 100
    assert list(scores["mce"].columns) == list(TEST)


@pytest.mark.parametrize(
    ("baseline", "title"),
    [("unit", "mCE (baseline 100 %)"), ("alexnet", "mCE")],
)
def test_another_baseline_shows(baseline, title):
    assert one(grid(flat()), "mCE", baseline=baseline).title == title


def test_a_baseline_that_the_suite_has_not_shows():
    made = grid(flat(), name="imagenet-d", baseline=None)
    assert one(made, "mCE", baseline="alexnet").title == "mCE (baseline AlexNet)"


def test_a_run_as_baseline_shows_and_divides():
    half = {name: [error / 2 for error in row] for name, row in flat(0.4).items()}
    other = stand("timm:other", grid(flat(0.4), clean=0.3, count=1000))
    score = one(grid(half, clean=0.3, count=1000), "mCE", baseline=other)
    assert score.title == "mCE (baseline timm:other)"
    assert score.value == pytest.approx(50)


def test_a_run_divided_by_itself_is_exactly_one_hundred_without_spread():
    made = grid(flat(), clean=0.3, seed=5)
    scores = score_suite(*made, ["mCE", "relative mCE"], baseline=stand("x", made), replicates=100)
    for score in scores:
        assert (score.value, score.low, score.high) == (100, 100, 100)


def test_a_changed_corruption_shows_and_takes_the_plain_ones_baseline():
    plain = one(grid(flat()), "mCE")
    score = one(grid(changed(flat(), "frost", "frost(texture=procedural)")), "mCE")
    assert score.value == plain.value
    assert score.title == "mCE [frost(texture=procedural)]"
    assert score.notes == (
        "frost(texture=procedural) is not the published frost: not the published number",
    )


def test_many_changed_corruptions_are_counted():
    rows = {f"{name}(a=1)": row for name, row in flat().items()}
    title = one(grid(rows), "mCE").title
    assert title.startswith("mCE [gaussian_noise(a=1); shot_noise(a=1); impulse_noise(a=1); 12 ")


def test_other_numbers_of_corruptions_show():
    score = one(grid(flat(names=TEST[:3])), "mean_corruption_error")
    assert score.title == "mean corruption error [3 corruptions]"
    assert "over 3 corruptions, where mean corruption error stands for 15" in score.notes[0]
    few = grid(flat(names=TEST[:1]))
    assert one(few, "mean_corruption_error").title == "mean corruption error [1 corruption]"


@pytest.mark.parametrize("name", ["imagenet-c", "mine"])
@pytest.mark.parametrize("baseline", [None, "unit", "alexnet"])
def test_the_name_of_all_corruptions_is_not_given_to_some(name, baseline):
    some = [c for c in TEST if c not in ("fog", "snow")]
    made = grid(flat(names=some), clean=0.3, name=name)
    for metric in ("mCE", "relative mCE", "mAUDE"):
        said = (
            f"{metric} needs all 15 corruptions, and {name} was measured without snow, fog. "
            f"Measure them too, or read mean_corruption_error, which says over how many it is."
        )
        with pytest.raises(ScoreError, match=re.escape(said)):
            one(made, metric, baseline=baseline)
    scores = score_suite(*made, replicates=0)
    assert [s.title for s in scores] == ["mean corruption error [13 corruptions]", "clean error"]
    assert "fog" in scores.withheld["mce"]
    extra = grid(flat(names=(*TEST, *VALIDATION[1:])))
    with pytest.raises(
        ScoreError, match=r"extra mCE needs all 4 .* was measured without speckle_n"
    ):
        one(extra, "extra mCE")
    assert one(extra, "mCE", baseline="unit").title.startswith("mCE (baseline")


def test_fifteen_and_nineteen_never_mix():
    fifteen, nineteen = grid(flat()), grid(flat(names=(*TEST, *VALIDATION)))
    alike = flat(names=(*TEST, *VALIDATION))
    assert {name: alike[name] for name in TEST} == flat()
    for name in ("mce", "mean_corruption_error"):
        assert one(nineteen, name).value == one(fifteen, name).value
        assert one(nineteen, name).title == one(fifteen, name).title
        assert list(one(nineteen, name).columns) == list(TEST)
    extra = one(nineteen, "extra_mce")
    assert extra.title == "extra mCE"
    assert list(extra.columns) == list(VALIDATION)


def test_the_validation_corruptions_alone_have_a_mean_that_says_so():
    score = one(grid(flat(names=VALIDATION)), "mean_corruption_error")
    assert score.title == "mean corruption error [4 corruptions]"


def test_other_severities_show():
    rows = {name: row[:3] for name, row in flat().items()}
    made = grid(rows, severities=(1, 3, 5))
    assert one(made, "mean_corruption_error").title == "mean corruption error [severities 1, 3, 5]"


# What is refused


def test_an_incomplete_grid_is_refused_by_name():
    suite, outcomes = grid(flat(), clean=0.3)
    ranks = outcomes["val"].ranks.copy()
    for column in (3, 7, 9, 11):
        ranks[5, column] = MISSING
    outcomes["val"] = outcomes["val"]._replace(ranks=ranks)
    said = (
        r"mCE needs 75 cells of imagenet-c, and 4 of them are not measured on every image: "
        r"gaussian_noise\(severity=4\), shot_noise\(severity=3\), shot_noise\(severity=5\) and 1 "
        r"more\. Finish the run"
    )
    with pytest.raises(ScoreError, match=said):
        score_suite(suite, outcomes, ["mce"])
    scores = score_suite(suite, outcomes, replicates=0)
    assert [score.name for score in scores] == ["clean_error"]
    assert list(scores.withheld) == ["mce", "relative_mce", "maude", "mean_corruption_error"]


def test_a_set_that_was_never_begun_is_missing():
    suite, outcomes = grid(flat(), clean=0.3)
    del outcomes["val"]
    with pytest.raises(ScoreError, match="75 of them are not measured"):
        score_suite(suite, outcomes, ["mce"])
    with pytest.raises(ScoreError, match="1 of them is not measured on every image: clean images"):
        score_suite(suite, {"val": grid(flat())[1]["val"]}, ["clean_error"])


def test_complete_cells_of_an_incomplete_run_are_given():
    suite, outcomes = grid(flat(), clean=0.3)
    ranks = outcomes["val"].ranks.copy()
    ranks[0, 0] = MISSING
    outcomes["val"] = outcomes["val"]._replace(ranks=ranks)
    found = cell_errors(suite, outcomes, replicates=0)
    assert len(found.errors) == 75
    assert cell("gaussian_noise", 1) not in found.errors
    assert "gaussian_noise" not in found.means
    assert found.means["fog"].value == pytest.approx(100 * sum(flat()["fog"]) / 5)


@pytest.mark.parametrize("name", ["relative mCE", "mAUDE"])
def test_what_needs_clean_images_says_so(name):
    said = f"{name} needs clean images, and imagenet-c was measured without; evaluate the model"
    with pytest.raises(ScoreError, match=said):
        one(grid(flat()), name)


@pytest.mark.parametrize("name", ["mCE", "mAUDE", "extra mCE"])
def test_what_needs_a_grid_says_so(name):
    with pytest.raises(ScoreError, match=f"{name} needs .* and shifts was measured without"):
        one(photographs({"night": 0.5}, iid=0.2), name)


def test_ce_needs_all_five_severities():
    rows = {name: row[:3] for name, row in flat().items()}
    said = (
        "mCE needs gaussian_noise at the severities 1, 2, 3, 4, 5; imagenet-c has it at 1, 3, 5. "
        "mean_corruption_error takes any"
    )
    with pytest.raises(ScoreError, match=said):
        one(grid(rows, severities=(1, 3, 5)), "mce")


def test_a_mean_needs_the_same_severities_everywhere():
    suite, outcomes = grid(flat())
    suite = replace(suite, cells=suite.cells[:-1])
    with pytest.raises(ScoreError, match="needs jpeg_compression at the severities 1, 2, 3, 4, 5"):
        score_suite(suite, outcomes, ["mean_corruption_error"])


def test_a_corruption_twice_is_refused():
    suite, outcomes = grid(flat())
    suite = replace(suite, cells=(*suite.cells, suite.cells[0]))
    with pytest.raises(ScoreError, match="has gaussian_noise twice at a severity"):
        score_suite(suite, outcomes, ["mce"])


def test_without_an_agreed_baseline_the_ways_out_are_named():
    made = grid(flat(), name="cifar10-c", edition="cifar-32", baseline=None)
    said = "No baseline is agreed on for cifar10-c. Name one: 'unit' .* mean_corruption_error and"
    with pytest.raises(ScoreError, match=said):
        one(made, "mce")
    assert one(made, "mce", baseline="unit").title == "mCE (baseline 100 %)"


def test_alexnet_is_of_one_edition_unless_named():
    made = grid(flat(), edition="any")
    with pytest.raises(ScoreError, match="errors are in the edition imagenet-224, these in any"):
        one(made, "mce")
    score = one(made, "mce", baseline="alexnet")
    assert score.title == "mCE (baseline AlexNet)"
    assert score.notes == (
        "AlexNet's errors are in the edition imagenet-224, these in any: not the published number",
    )


OWN = {"class_list": None, "classes": 10}


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (OWN, "these on 10 classes of its own"),
        ({"class_list": "cifar10", "classes": 10}, "these on the 10 classes of cifar10"),
        ({"class_list": "imagenet", "subset": "imagenet-r"}, "these on the subset imagenet-r"),
    ],
)
@pytest.mark.parametrize("name", ["mCE", "relative mCE", "extra mCE"])
def test_alexnet_is_of_the_classes_of_imagenet_unless_named(name, facts, said):
    made = grid(flat(names=(*TEST, *VALIDATION)), clean=0.3, facts=facts)
    why = f"AlexNet's errors are on the 1000 classes of imagenet, {said}"
    with pytest.raises(ScoreError) as caught:
        one(made, name)
    assert str(caught.value) == (
        f"{why}. Say --baseline alexnet to divide by them all the same, --baseline RUN for another "
        f"model's on these pictures, or read mean_corruption_error."
    )
    score = one(made, name, baseline="alexnet")
    assert score.title == f"{name} (baseline AlexNet)"
    assert score.notes == (f"{why}: not the published number",)
    # What is not divided, or by what fits any classes, is not concerned.
    for other in ("mAUDE", "mean corruption error", "clean error"):
        assert one(made, other).notes == ()
    assert one(made, name, baseline="unit").notes == ()
    assert one(made, name, baseline=stand("timm:x", made)).value == 100


@pytest.mark.parametrize("facts", [{}, {"class_list": "imagenet", "classes": 1000, "subset": None}])
def test_the_classes_of_the_baseline_and_unknown_ones_are_plain(facts):
    score = one(grid(flat(), facts={"pixels": "generated", **facts}), "mCE")
    some = ("the images are of 10 of 1,000 classes",) if facts else ()
    assert (score.title, score.notes) == ("mCE", some)


def test_images_of_some_of_the_classes_are_said_to_be():
    suite, outcomes = photographs({"night": 0.5}, facts={"classes": 10})
    made = {"night": outcomes["night"]._replace(labels=("a", "b") * 50)}
    (score,) = score_suite(suite, made, ["top1_error"], replicates=0)
    assert score.notes == ("the images are of 2 of 10 classes",)
    whole = {"night": outcomes["night"]._replace(labels=tuple("abcdefghij") * 10)}
    (score,) = score_suite(suite, whole, ["top1_error"], replicates=0)
    assert score.notes == ()


def test_own_classes_leave_the_mean_error_as_the_headline():
    scores = score_suite(*grid(flat(), clean=0.3, facts=OWN), replicates=0)
    assert [s.name for s in scores] == ["maude", "mean_corruption_error", "clean_error"]
    assert scores.withheld["mce"] == scores.withheld["relative_mce"]


@pytest.mark.parametrize(
    ("facts", "brackets"),
    [
        ({"lossless": True}, "without JPEG"),
        ({"resized": True}, "resized"),
        ({"exif": True}, "EXIF"),
        ({"lossless": True, "resized": True, "exif": True}, "without JPEG; resized; EXIF"),
        ({"lossless": False, "resized": False, "exif": False}, ""),
    ],
)
def test_other_preparation_shows_in_every_title(facts, brackets):
    made = grid(flat(names=(*TEST, *VALIDATION)), clean=0.3, facts=facts)
    after = f" [{brackets}]" if brackets else ""
    for name in ("mCE", "relative mCE", "extra mCE", "mAUDE", "mean corruption error"):
        score = one(made, name)
        assert score.title == name + after
        assert len(score.notes) == sum(facts.values())
        assert all(note.endswith(": not the published number") for note in score.notes)
    # The clean picture makes no round trip in any case.
    less = after.replace("without JPEG; ", "").replace(" [without JPEG]", "")
    assert one(made, "clean error").title == f"clean error{less}"
    shifts = photographs({"night": 0.5}, facts=facts)
    assert one(shifts, "accuracy").title == f"accuracy{less}"


def test_preparation_stands_beside_what_else_is_off():
    rows = changed(flat(), "frost", "frost(texture=procedural)")
    score = one(grid(rows, facts={"exif": True}), "mCE", baseline="unit")
    assert score.title == "mCE [frost(texture=procedural); EXIF] (baseline 100 %)"


def test_an_unknown_baseline_gets_the_nearest():
    with pytest.raises(SpecError, match=r"no baseline 'alexnett'. Did you mean alexnet"):
        one(grid(flat()), "mce", baseline="alexnett")


def test_a_corruption_that_the_baseline_does_not_know_is_named():
    rows = {**flat(), "rain": flat()["fog"]}
    with pytest.raises(ScoreError, match="AlexNet does not know rain; choose 'unit'"):
        one(grid(rows), "mce")
    score = one(grid(rows), "mce", baseline="unit")
    assert score.title == "mCE [16 corruptions] (baseline 100 %)"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (grid(flat(), edition="any"), "cannot be the baseline: edition imagenet-224 in the scored "
                                      "run and any in the baseline"),
        (grid(flat(), facts={"pixels": "read"}), "pixels generated in the scored run and read in"),
        (grid(flat(), count=200), "the images of val differ: the baseline has 100 that are not in "
                                  "the other, such as class_0/000100. A baseline must be measured"),
        (grid(flat(names=TEST[:3])), "has not defocus_blur at the severities 1 to 5"),
        (grid({name: [0] * 5 for name in TEST}), "errs not at all under gaussian_noise"),
    ],
)  # fmt: skip
def test_a_run_that_is_no_baseline_is_refused(other, said):
    with pytest.raises(ScoreError, match=said):
        one(grid(flat()), "mce", baseline=stand("timm:x", other))


@pytest.mark.parametrize(
    ("scored", "other", "said"),
    [
        ({"lossless": True}, {"lossless": False},
         "the JPEG round trip was left out in the scored run and not in the baseline"),
        ({"versions": {"fog": 1}}, {"versions": {"fog": 2}},
         "version of fog 1 in the scored run and 2 in the baseline"),
        ({"sets": {"val": "aa"}}, {"sets": {"val": "bb"}},
         "fingerprint aa in the scored run and bb in the baseline"),
    ],
)  # fmt: skip
def test_a_baseline_on_other_pictures_is_refused(scored, other, said):
    with pytest.raises(ScoreError, match=said):
        one(grid(flat(), facts=scored), "mce", baseline=stand("x", grid(flat(), facts=other)))


def test_a_baseline_of_another_seed_is_refused():
    other = stand("x", grid(flat()), info={"seed": 1, "generation": 1})
    said = "seed 0 in the scored run and 1 in the baseline"
    with pytest.raises(ScoreError, match=said):
        one(grid(flat()), "mce", baseline=other, info={"seed": 0, "generation": 1})
    with pytest.raises(ScoreError, match="generation 2 in the scored run and 1 in"):
        one(grid(flat()), "mce", baseline=other, info={"seed": 1, "generation": 2})
    assert one(grid(flat()), "mce", baseline=other, info={"seed": 1, "generation": 1}).value == 100


def test_a_baseline_may_hold_more_and_be_resized():
    more = grid(flat(names=(*TEST, *VALIDATION)), clean=0.3, facts={"resized": True})
    score = one(grid(flat(), facts={"resized": False}), "mce", baseline=stand("timm:x", more))
    assert score.value == 100
    assert score.notes == (
        "the pictures were resized to the model's input in the baseline and not in the scored run",
    )


def test_relative_mce_refuses_a_baseline_that_loses_nothing():
    other = stand("timm:x", grid({name: [0.2] * 5 for name in TEST}, clean=0.2))
    with pytest.raises(ScoreError, match="errs no more under gaussian_noise than on clean images"):
        one(grid(flat(), clean=0.3), "relative mCE", baseline=other)
    bare = stand("timm:x", grid(flat()))
    with pytest.raises(ScoreError, match="baseline run of timm:x has no clean images"):
        one(grid(flat(), clean=0.3), "relative mCE", baseline=bare)


def test_top5_of_five_classes_is_refused_or_said():
    made = photographs({"night": 0.5}, facts={"classes": 5})
    with pytest.raises(ScoreError, match="top-5 error of 5 classes is 0 whatever the model does"):
        one(made, "top5_error")
    suite, outcomes = photographs({"night": 0.5})
    few = outcomes["night"]._replace(labels=("a",) * 100)
    (score,) = score_suite(suite, {"night": few}, ["top5_error"], replicates=0)
    assert "fewer than six classes" in score.notes[0]
    assert one((suite, outcomes), "top5_error").notes == ()


def test_images_without_a_label_are_left_out_and_counted():
    suite, outcomes = photographs({"night": 0.5})
    made = outcomes["night"]
    labels = (None, *made.labels[1:])
    ranks = made.ranks.copy()
    ranks[[0, 1]] = UNLABELLED
    some = {"night": made._replace(labels=labels, ranks=ranks)}
    (score,) = score_suite(suite, some, ["top1_error"], replicates=0)
    assert score.value == pytest.approx(100 * 48 / 98)
    assert score.images == 98
    assert score.notes == ("2 images without a known label left out",)
    none = {"night": made._replace(labels=(None,) * 100)}
    with pytest.raises(ScoreError, match="None of the 100 images of the set night has a label"):
        score_suite(suite, none, ["top1_error"])


def test_ranks_of_another_shape_are_refused():
    suite, outcomes = photographs({"night": 0.5})
    broken = outcomes["night"]._replace(ranks=np.zeros((3, 1), np.int16))
    with pytest.raises(ScoreError, match=r"have the shape \(3, 1\); it has 100 images and 1 cond"):
        score_suite(suite, {"night": broken})


def test_names_are_a_list():
    with pytest.raises(ScoreError, match=r"names is a list of metrics; write \['mce'\]"):
        score_suite(*grid(flat()), "mce")


# Suites without a grid


def test_shifts_are_averaged_and_compared_with_home():
    made = photographs({"night": 0.5, "france": 0.3}, iid=0.2)
    scores = {score.name: score for score in score_suite(*made, replicates=0)}
    top1 = scores["top1_error"]
    assert {name: n.value for name, n in top1.columns.items()} == {
        "iid": 20, "night": 50, "france": 30,
    }  # fmt: skip
    assert top1.value == 40
    assert (scores["accuracy"].value, scores["accuracy"].better) == (60, "higher")
    assert {name: n.value for name, n in scores["gap"].columns.items()} == pytest.approx(
        {"night": 30, "france": 10}
    )
    assert scores["gap"].value == pytest.approx(20)
    assert scores["clean_error"].value == 20
    assert top1.images == 300


def test_plain_photographs_have_the_error_of_their_one_cell():
    suite, outcomes = grid({}, clean=0.3, name="clean", scores=("top1_error", "accuracy"))
    found = score_suite(suite, outcomes, replicates=0)
    assert [score.value for score in found] == [30, 70]


def test_free_conditions_are_averaged_and_clean_ones_only_shown():
    suite, outcomes = grid({}, clean=0.1, scores=("top1_error",))
    chain = "fog(severity=2)+snow(severity=1)"
    rates = {chain: 0.4, "contrast(factor=0.3)": 0.2}
    outcomes["val"] = outcome(rates, 100)
    free = tuple(Cell("val", name, "free", name) for name in rates)
    (score,) = score_suite(replace(suite, cells=(*suite.cells, *free)), outcomes, replicates=0)
    assert score.value == pytest.approx(30)
    assert list(score.columns) == ["clean", chain, "contrast(factor=0.3)"]


def test_two_shifts_of_one_name_are_told_apart_by_their_sets():
    suite, outcomes = photographs({"night": 0.5})
    twin = Cell("night-2", "clean", "shift", "night")
    outcomes["night-2"] = outcome({"clean": 0.1}, 100)
    (score,) = score_suite(
        replace(suite, cells=(*suite.cells, twin)), outcomes, ["top1_error"], replicates=0
    )
    assert list(score.columns) == ["night (night)", "night (night-2)"]


# Laws


def shuffled(made, order):
    suite, outcomes = made
    return suite, {
        name: Outcome(
            tuple(o.keys[i] for i in order), tuple(o.labels[i] for i in order),
            tuple(o.digests[i] for i in order), o.conditions, o.ranks[list(order)],
        )
        for name, o in outcomes.items()
    }  # fmt: skip


@settings(deadline=None, max_examples=15)
@given(st.permutations(range(40)))
def test_the_order_of_images_is_nothing(order):
    made = grid(flat(0.2, TEST[:2]), clean=0.1, count=100, seed=1)
    made = made[0], {name: _first(one, 40) for name, one in made[1].items()}
    assert score_suite(*shuffled(made, order), replicates=100) == score_suite(*made, replicates=100)


def _first(made, count):
    return Outcome(*(field[:count] for field in made[:3]), made.conditions, made.ranks[:count])


@settings(deadline=None, max_examples=15)
@given(st.permutations(range(11)))
def test_the_order_of_cells_and_conditions_is_nothing_to_the_numbers(order):
    suite, outcomes = grid(flat(0.2, TEST[:2]), clean=0.1, count=100, seed=1)
    val = outcomes["val"]
    columns = [n for n in order if n < 10]
    moved = val._replace(
        conditions=tuple(val.conditions[n] for n in columns), ranks=val.ranks[:, columns]
    )
    other = replace(suite, cells=tuple(suite.cells[n] for n in order))
    first = score_suite(suite, outcomes, replicates=100)
    again = score_suite(other, {**outcomes, "val": moved}, replicates=100)
    for before, after in zip(first, again, strict=True):
        assert after.number == pytest.approx(before.number, rel=1e-12)
        assert after.columns.keys() == before.columns.keys()


def test_images_twice_over_under_other_keys_change_no_value():
    suite, outcomes = grid(flat(), clean=0.3, seed=2)
    doubled = {}
    for name, one_set in outcomes.items():
        doubled[name] = Outcome(
            (*one_set.keys, *(f"copy/{key}" for key in one_set.keys)),
            one_set.labels * 2, one_set.digests * 2, one_set.conditions,
            np.concatenate([one_set.ranks, one_set.ranks]),
        )  # fmt: skip
    before = score_suite(suite, outcomes, replicates=200)
    after = score_suite(suite, doubled, replicates=200)
    for was, now in zip(before, after, strict=True):
        assert now.value == pytest.approx(was.value, rel=1e-12)
        assert now.high - now.low < was.high - was.low


def test_a_key_twice_is_refused():
    suite, outcomes = photographs({"night": 0.5})
    one_set = outcomes["night"]
    twin = one_set._replace(keys=(one_set.keys[1], *one_set.keys[1:]))
    with pytest.raises(ScoreError, match="The image night/class_1/000001 is there twice"):
        score_suite(suite, {"night": twin}, ["top1_error"])


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 74), st.integers(0, 99))
def test_one_more_wrong_image_is_never_better(column, row):
    suite, outcomes = grid(flat(), clean=0.3, seed=4)
    ranks = outcomes["val"].ranks.copy()
    ranks[row, column] = 1
    worse = {**outcomes, "val": outcomes["val"]._replace(ranks=ranks)}
    names = ["mce", "relative_mce", "maude", "mean_corruption_error"]
    before = score_suite(suite, outcomes, names, replicates=100)
    after = score_suite(suite, worse, names, replicates=100)
    for was, now in zip(before, after, strict=True):
        assert now.value >= was.value
        assert now.low >= was.low
        assert now.high >= was.high


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**31), st.floats(0.1, 0.6))
def test_an_interval_holds_its_value(seed, level):
    made = grid(flat(min(round(level, 2), 0.6)), clean=0.3, count=100, seed=seed)
    names = ["mce", "relative_mce", "maude", "mean_corruption_error", "clean_error"]
    for score in score_suite(*made, names, baseline="alexnet", replicates=300):
        assert score.low <= score.value <= score.high
        for number in score.columns.values():
            assert number.low <= number.value <= number.high


def test_the_same_images_under_another_set_share_their_draws():
    """A model that loses nothing has a relative mCE of 0 in every replicate."""
    suite, outcomes = grid({name: [0.3] * 5 for name in TEST}, clean=0.3)
    (score,) = score_suite(suite, outcomes, ["relative_mce"], replicates=100)
    assert (score.value, score.low, score.high) == (0, 0, 0)


def test_numbers_are_the_same_every_time_and_change_with_the_seed():
    made = grid(flat(), clean=0.3, seed=1)
    first = score_suite(*made, replicates=100)
    assert score_suite(*made, replicates=100) == first
    other = score_suite(*made, replicates=100, seed=1)
    assert [score.value for score in other] == [score.value for score in first]
    assert [score.low for score in other] != [score.low for score in first]


def test_inputs_are_not_changed():
    suite, outcomes = grid(flat(), clean=0.3, seed=1)
    before = {name: one_set.ranks.copy() for name, one_set in outcomes.items()}
    score_suite(suite, outcomes, replicates=100)
    assert all(np.array_equal(before[name], outcomes[name].ranks) for name in before)
    assert keys(100) == outcomes["val"].keys


def test_a_baseline_that_loses_nothing_in_some_replicate_is_no_error():
    """Ten images: some samples of them have no error that a loss could be divided by."""
    other = grid({name: [0.2] * 5 for name in TEST}, clean=0.1, count=10)
    made = grid({name: [0.4] * 5 for name in TEST}, clean=0.2, count=10)
    (score,) = score_suite(*made, ["relative_mce"], baseline=stand("x", other), replicates=200)
    assert score.value == pytest.approx(200)


class Asked:
    """Frames that note at which difficulty they are compared."""

    def __init__(self):
        self.asked = {}

    def steps(self, condition, kind, difficulty=1):
        self.asked[condition, kind] = difficulty
        return Steps(np.zeros((2, 1), np.int8), np.ones(2, np.intp), (1,))


def test_what_has_strengths_is_harder_by_them_and_not_by_distance():
    """Whatever its reference: a perturbation of somebody's own may have strengths as noises do."""
    cells = (
        Cell("p", "own(strength=2)", "sequence", "own", 2),
        Cell("p", "tilt", "sequence", "tilt"),
    )
    frames, names = Asked(), tuple(cell.condition for cell in cells)
    ranks = np.full((2, 2), -1, np.int16)
    both = Outcome(("a", "b"), (None, None), ("", ""), names, ranks, frames)
    suite = Suite(name="s", about="", edition="any", cells=cells, scores=())
    score_suite(suite, {"p": both}, ["mean flip probability"], replicates=0, difficulty=2)
    assert frames.asked == {("own(strength=2)", "flips"): 1, ("tilt", "flips"): 2}

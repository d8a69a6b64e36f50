"""Errors by part add up to the whole, and each has an interval."""

import numpy as np
import pytest

from brittle.errors import ScoreError
from brittle.metrics._grid import TEST, VALIDATION
from brittle.outcomes import MISSING
from brittle.scoring.breakdown import break_down, read_groups
from brittle.scoring.scores import score_suite
from tests.metrics.examples import flat, grid, photographs


def broken(by, made=None, **options):
    suite, outcomes = made or grid(flat(), clean=0.3, count=200, seed=3)
    return break_down(suite, outcomes, by=by, replicates=100, **options)


def value_of(by, made=None, **options):
    found = broken(by, made, **options)
    return {p.name: {name: n.value for name, n in p.errors.items()} for p in found.parts}


def test_classes_by_hand():
    made = grid(flat(), clean=0.3, count=200, seed=3)
    found = broken("class", made)
    assert [part.name for part in found.parts] == [f"class_{n}" for n in range(10)]
    for part in found.parts:
        rows = [n for n, label in enumerate(made[1]["val"].labels) if label == part.name]
        clean, val = (made[1][name].ranks[rows] > 0 for name in ("clean-val", "val"))
        assert part.images == 20
        assert part.errors["clean"].value == pytest.approx(100 * clean.mean())
        assert part.errors["corrupted"].value == pytest.approx(100 * val.mean())
        for number in part.errors.values():
            assert number.low <= number.value <= number.high


def test_classes_of_one_size_have_the_mean_of_the_whole():
    made = grid(flat(), clean=0.3, count=200, seed=3)
    (whole,) = score_suite(*made, ["mean_corruption_error"], replicates=0)
    corrupted = [errors["corrupted"] for errors in value_of("class", made).values()]
    assert np.mean(corrupted) == pytest.approx(whole.value)


def test_one_group_of_all_has_the_interval_of_the_whole():
    made = grid(flat(), clean=0.3, count=200, seed=3)
    (part,) = broken("group", made, groups={f"class_{n}": "all" for n in range(10)}).parts
    scores = score_suite(*made, ["clean_error", "mean_corruption_error"], replicates=100)
    assert part.errors["clean"] == pytest.approx(scores[0].number)
    assert part.errors["corrupted"] == pytest.approx(scores[1].number)


def test_severities_and_categories_by_hand():
    rows = flat()
    by_severity = value_of("severity")
    assert list(by_severity) == ["0 (clean)", "1", "2", "3", "4", "5"]
    assert by_severity["0 (clean)"]["error"] == pytest.approx(30)
    for severity in range(1, 6):
        mean = 100 * sum(row[severity - 1] for row in rows.values()) / 15
        assert by_severity[str(severity)]["error"] == pytest.approx(mean)
    by_category = value_of("category")
    assert list(by_category) == ["noise", "blur", "weather", "digital"]
    assert by_category["noise"]["error"] == pytest.approx(
        100 * np.mean([rows[name] for name in TEST[:3]])
    )


def test_validation_corruptions_stay_out():
    nineteen = grid(flat(names=(*TEST, *VALIDATION)), clean=0.3, count=200, seed=3)
    assert value_of("severity", nineteen) == value_of("severity")


def test_shifts_by_class():
    made = photographs({"night": 0.5}, iid=0.2, count=100)
    found = value_of("class", made)
    assert found["class_0"].keys() == {"iid", "night"}
    assert found["class_0"]["night"] == pytest.approx(50)


def test_small_parts_are_flagged():
    suite, outcomes = photographs({"night": 0.5})
    assert broken("class", (suite, outcomes)).notes == ()
    labels = ("rare", *outcomes["night"].labels[1:])
    rare = {"night": outcomes["night"]._replace(labels=labels)}
    said = broken("class", (suite, rare)).notes
    assert said == ("2 of 11 parts have fewer than 10 images: their intervals say little",)


@pytest.mark.parametrize("by", ["severity", "category"])
def test_without_a_grid_nothing_is_broken_down_by_condition(by):
    with pytest.raises(ScoreError, match=f"shifts has no corruptions .* to break down by {by}"):
        broken(by, photographs({"night": 0.5}))


def test_an_incomplete_grid_is_refused():
    suite, outcomes = grid(flat(), clean=0.3)
    ranks = outcomes["val"].ranks.copy()
    ranks[0, 0] = MISSING
    gaps = {**outcomes, "val": outcomes["val"]._replace(ranks=ranks)}
    with pytest.raises(ScoreError, match=r"A breakdown by class needs 76 cells .* 1 of them is"):
        broken("class", (suite, gaps))


def test_options_that_do_not_go_together_are_refused():
    with pytest.raises(ScoreError, match=r"There is no breakdown 'clas'\. Did you mean class"):
        broken("clas")
    for options in ({"by": "group"}, {"by": "class", "groups": {}}):
        with pytest.raises(ScoreError, match="by group needs a mapping"):
            broken(**options)
    with pytest.raises(ScoreError, match="do not say where class_1 belongs, nor 8 more classes"):
        broken("group", groups={"class_0": "x"})


def test_groups_are_read_from_lines(tmp_path):
    path = tmp_path / "groups.tsv"
    path.write_text("# a remark\nclass_0\tanimals\n\n class_1 \t animals and birds \n", "utf-8")
    assert read_groups(path) == {"class_0": "animals", "class_1": "animals and birds"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class_0 animals\n", "line 1: write class, a tab and group; got 'class_0 animals'"),
        ("a\tx\na\ty\n", "line 2: a is already in x"),
    ],
)
def test_broken_groups_are_refused(tmp_path, text, said):
    path = tmp_path / "groups.tsv"
    path.write_text(text)
    with pytest.raises(ScoreError, match=said):
        read_groups(path)
    with pytest.raises(ScoreError, match="cannot be read"):
        read_groups(tmp_path / "none.tsv")

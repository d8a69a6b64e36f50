"""A file that does not add up is refused, with a sentence that says where."""

import pytest

from brittle.errors import SpecError
from brittle.published._read import read

GOOD = """\
about = "Two corruptions."
headline = "mean_corruption_error"
suites = ["imagenet-c"]
images = 100

[[tables]]
short = "here"
source = "a paper"
images = 100
columns = ["fog", "snow"]

[[tables.rows]]
model = "Net-1 + Trick"
values = {mean_corruption_error = 30.0, clean_error = 10}
columns.mean_corruption_error = [20, 40]
"""


def test_a_good_file_is_read():
    found = read("mine", GOOD)
    (one,) = found.results
    assert (one.backbone, one.method, one.standalone) == ("Net-1", "Trick", None)
    assert dict(one.values) == {"mean_corruption_error": 30.0, "clean_error": 10.0}
    assert one.columns["mean_corruption_error"] == {"fog": 20, "snow": 40}
    assert not one.computed
    assert list(found.measures) == ["mean_corruption_error", "clean_error"]


def test_totals_that_were_not_printed_are_computed():
    (one,) = read("mine", GOOD.replace("mean_corruption_error = 30.0, ", "")).results
    assert one.values["mean_corruption_error"] == 30
    assert one.computed == {"mean_corruption_error"}


def test_cells_give_scores():
    cells = "wrong = [[10, 20, 30, 40, 50], [0, 0, 0, 0, 10]]\n"
    text = GOOD.replace("columns.mean_corruption_error = [20, 40]\n", cells)
    (one,) = read("mine", text.replace("mean_corruption_error = 30.0", "top1_error = 1")).results
    assert one.columns["mean_corruption_error"] == {"fog": 30, "snow": 2}
    assert one.values["mean_corruption_error"] == 16
    assert one.wrong["fog"] == (10, 20, 30, 40, 50)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("= 30.0", "= 31.0", "its columns give the mean_corruption_error 30.00, and it says 31.0"),
        ("[20, 40]", "[20, 40]\nmisfit = ['mean_corruption_error']", "its columns give the mean"),
        ("[20, 40]", "[20, 40, 30]", "has 3 numbers in 2 columns"),
        ("[20, 40]", "[-20, 80]", "-20 is no error"),
        ("clean_error = 10", "clean_error = nan", "nan is no error"),
        ("clean_error = 10", "clan_error = 10", "nothing says how clan_error is read"),
        ("short =", "shrt =", "no field 'shrt'. Did you mean short"),
        ('source = "a paper"', "", "does not say its source"),
        ('model = "Net-1 + Trick"', 'model = " "', "model cannot be ' '"),
        ('headline = "mean_corruption_error"', 'headline = "mce"', "no row has the headline mce"),
        ("columns = [", "divided_by = 'AlexNet'\ncolumns = [", "no row 'AlexNet'"),
        ("[[tables.rows]]", "[[tables.rows]]\nmodel = 'Net-1 + Trick'\n[[tables.rows]]", "twice"),
        ('columns = ["fog", "snow"]', 'columns = ["fog"', "are not TOML"),
    ],
)
def test_refusals(was, now, said):
    assert was in GOOD
    with pytest.raises(SpecError) as caught:
        read("mine", GOOD.replace(was, now, 1))
    assert said in str(caught.value)
    assert "The published results of mine" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("[[1, 2, 3, 4, 5]]", "has 1 numbers in 2 columns"),
        ("[[1, 2, 3, 4], [1, 2, 3, 4, 5]]", "needs five counts from 0 to 100"),
        ("[[1, 2, 3, 4, 101], [1, 2, 3, 4, 5]]", "needs five counts from 0 to 100"),
    ],
)
def test_cells_are_checked(row, said):
    text = GOOD.replace("columns.mean_corruption_error = [20, 40]", f"wrong = {row}")
    with pytest.raises(SpecError, match=said):
        read("mine", text)


def test_an_unknown_suite_is_answered_with_the_nearest():
    from brittle import published

    with pytest.raises(SpecError, match="no published suite 'imagenet-cc'"):
        published.results("imagenet-cc")


def test_a_metric_that_brittle_has_not_is_declared_whole():
    text = GOOD + '\n[metrics.mfr]\ntitle = "mFR"\nbetter = "smaller"\n'
    with pytest.raises(SpecError, match="the metric mfr needs title, better"):
        read("mine", text)

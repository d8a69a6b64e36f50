"""Places: by hand, and what takes no place from anybody."""

import math
from dataclasses import replace

import pytest

import brittle
from brittle import published
from brittle.errors import ScoreError, SpecError
from brittle.outcomes import Cell
from brittle.published.board import make, plain
from tests.metrics.examples import Stand, flat, grid, photographs, stand

FACTS = {"pixels": "read", "class_list": "imagenet", "classes": 1000}


def run(level=0.5, *, count=50_000, clean=0.2, name="imagenet-c", facts=FACTS, **rest):
    errors = {corruption: [round(level + s / 50, 2) for s in range(5)] for corruption in flat()}
    return stand("mine", grid(errors, clean=clean, count=count, name=name, facts=facts, **rest))


def own(board):
    (entry,) = [one for one in board.entries if one.own]
    return entry


def test_without_runs_it_is_the_published_order():
    board = make(published.get("imagenet-c"))
    equal = [one for one in board.entries if not one.off]
    values = [one.numbers["mce"].value for one in equal]
    assert values == sorted(values)
    for one in equal:
        assert one.place == 1 + sum(value < one.numbers["mce"].value for value in values)
    assert len(board.entries) == len(published.results("imagenet-c"))
    assert all(one.places is None for one in board.entries)


def test_rows_on_5000_images_take_no_place():
    board = make(published.get("imagenet-c"))
    places = [one.place for one in board.entries if not one.off]
    assert places[:3] == [1, 2, 3]
    off = [one for one in board.entries if one.off]
    assert {one.short for one in off} == {"RobustBench"}
    assert off[0].model == "Tian2022Deeper_DeiT-B"
    assert off[0].place == 1


def test_a_whole_run_takes_a_place():
    one = run(0.5)
    board = make(published.get("imagenet-c"), [one], replicates=0)
    mine = own(board)
    assert mine.off == ()
    value = mine.numbers["mce"].value
    rows = [r for r in published.results("imagenet-c") if not r.off]
    assert mine.place == 1 + sum(r.values["mce"] < value for r in rows)
    after = [e for e in board.entries if not e.own and not e.off]
    for entry in after:
        moved = entry.numbers["mce"].value > value
        alone = 1 + sum(r.values["mce"] < entry.numbers["mce"].value for r in rows)
        assert entry.place == alone + moved
    assert mine.places is None
    assert mine.short == "self-measured"


def test_a_sample_has_a_place_in_brackets_and_takes_none():
    board = make(published.get("imagenet-c"), [run(0.5, count=200)], replicates=200)
    mine = own(board)
    assert mine.off == ("on 200 images where the published set has 50,000",)
    low, high = mine.places
    assert 1 <= low <= mine.place <= high
    alone = make(published.get("imagenet-c"))
    assert [(e.model, e.place) for e in board.entries if not e.own] == [
        (e.model, e.place) for e in alone.entries
    ]


def test_the_interval_gives_a_range_of_places_by_hand():
    board = make(published.get("imagenet-c"), [run(0.5, count=200, seed=3)], replicates=500)
    mine = own(board)
    values = [e.numbers["mce"].value for e in board.entries if not e.off and not e.own]
    number = mine.numbers["mce"]
    assert number.low < number.value < number.high
    assert mine.places == (
        1 + sum(v < number.low for v in values),
        1 + sum(v < number.high for v in values),
    )


def test_a_whole_run_is_no_rival_of_itself():
    board = make(published.get("imagenet-c"), [run(0.5, seed=3)], replicates=100)
    mine = own(board)
    values = [e.numbers["mce"].value for e in board.entries if not e.off and not e.own]
    assert mine.places[1] == 1 + sum(v < mine.numbers["mce"].high for v in values)


@pytest.mark.parametrize(
    ("made", "options", "said"),
    [
        ({}, {"baseline": run(0.6)}, "it is mCE (baseline mine)"),
        ({"facts": {**FACTS, "lossless": True}}, {}, "it is mCE [without JPEG]"),
        (
            {"facts": {"class_list": None, "classes": 10}, "baseline": "unit"},
            {"sort": "mean_corruption_error"},
            "among 10 classes of its own",
        ),
        ({"name": "imagenet-c(edition=inception-299)", "edition": "inception-299"},
         {"sort": "mean_corruption_error"}, "in the edition inception-299"),
    ],
)  # fmt: skip
def test_what_is_not_on_an_equal_footing_says_why(made, options, said):
    board = make(published.get("imagenet-c"), [run(0.5, **made)], replicates=0, **options)
    assert said in own(board).off
    if "baseline" not in made and "edition" not in made:
        assert own(board).off == (said,)


def test_withheld_scores_are_said():
    board = make(published.get("imagenet-c"), [run(clean=None)], replicates=0)
    mine = own(board)
    assert mine.place is not None
    assert "relative_mce" not in mine.numbers
    assert any(note.startswith("relative mCE is not given: ") for note in mine.notes)


def test_a_run_whose_headline_is_withheld_stands_last_without_a_place():
    errors = {name: row for name, row in flat().items() if name != "fog"}
    one = stand("mine", grid(errors, clean=0.2, facts=FACTS))
    board = make(published.get("imagenet-c"), [one], replicates=0)
    assert board.entries[-1].own
    assert board.entries[-1].place is None
    assert any("needs all 15 corruptions" in note for note in board.entries[-1].notes)


def test_generated_pictures_are_said():
    board = make(
        published.get("imagenet-c"), [run(facts={**FACTS, "pixels": "generated"})], replicates=0
    )
    assert own(board).off == ()
    assert any("generated" in note for note in own(board).notes)


def test_higher_is_better_where_it_is():
    board = make(published.get("imagenet-a"))
    values = [one.numbers["accuracy"].value for one in board.entries]
    assert values == sorted(values, reverse=True)
    assert board.entries[0].place == 1


def test_higher_is_better_for_intervals_too():
    suite, outcomes = photographs({"imagenet-a": 0.75}, count=400, seed=1)
    one = stand("mine", (type(suite)(**{**vars(suite), "name": "imagenet-a"}), outcomes))
    board = make(published.get("imagenet-a"), [one], replicates=200)
    mine = own(board)
    values = [e.numbers["accuracy"].value for e in board.entries if not e.own]
    number = mine.numbers["accuracy"]
    assert mine.places == (
        1 + sum(v > number.high for v in values),
        1 + sum(v > number.low for v in values),
    )


def test_a_clean_counterpart_is_beside_the_set_and_not_of_it():
    """The whole of ImageNet-A with clean pictures is the whole of ImageNet-A."""
    suite, outcomes = photographs({"imagenet-a": 0.75}, iid=0.25, count=7500)
    alone = Cell("imagenet-a", "clean", "shift", "imagenet-a")
    clean = Cell("home", "clean", "clean", "clean")
    named = replace(suite, name="imagenet-a", cells=(clean, alone))
    board = make(published.get("imagenet-a"), [stand("mine", (named, outcomes))], replicates=0)
    assert own(board).images == 7500
    assert own(board).off == ()
    assert own(board).numbers["accuracy"].value == 25


def test_a_suite_of_any_name_is_looked_past():
    strange = grid(flat(), name="my suite (v1", clean=0.1, facts=FACTS)
    usual = grid(flat(), clean=0.1, facts=FACTS)
    both = Stand(
        "mine",
        {"my suite (v1": strange[0], "imagenet-c": usual[0]},
        {"my suite (v1": strange[1], "imagenet-c": usual[1]},
    )
    assert own(make(published.get("imagenet-c"), [both], replicates=0)).place


def test_ties_share_a_place():
    board = make(published.get("imagenet-c"))
    tied = [one.place for one in board.entries if one.numbers["mce"].value == 69.3]
    assert tied == [16, 16]


def test_the_filters():
    every = make(published.get("imagenet-c"))
    one = make(published.get("imagenet-c"), [run()], backbone="resnet50", replicates=0)
    assert {e.backbone for e in one.entries if not e.own} == {"ResNet-50"}
    assert own(one)
    single = make(published.get("imagenet-c"), standalone=True)
    assert all(e.standalone is not False for e in single.entries)
    assert {e.model for e in single.entries} >= {"ResNet-50", "ResNet-50 + AugMix", "AlexNet"}
    assert "ResNet-50 + SE" not in {e.model for e in single.entries}
    silent = [r for r in published.results("imagenet-c") if r.standalone is None and r.method]
    assert single.left_out == (
        f"{len(silent)} rows left out: nobody says whether the method is a single one",
    )
    combined = [r for r in published.results("imagenet-c") if r.standalone is False]
    assert len(every.entries) == len(single.entries) + len(silent) + len(combined)


def test_sorted_by_another_metric():
    board = make(published.get("imagenet-c"), sort="relative mCE")
    assert board.metric == "relative_mce"
    given = [e for e in board.entries if "relative_mce" in e.numbers]
    assert list(board.entries[: len(given)]) == given
    assert all(e.place is None for e in board.entries[len(given) :])


def test_shifts_of_the_same_name_only():
    names = published.get("svsf").shifts
    one = stand("mine", photographs(dict.fromkeys(names, 0.3), iid=0.25))
    board = make(published.get("svsf"), [one], replicates=0)
    assert own(board).numbers["top1_error"].value == pytest.approx(30)
    assert own(board).columns["france"].value == pytest.approx(30)
    assert own(board).off == ("nobody says on how many pictures the published ones are",)
    other = stand("mine", photographs({"night": 0.5}))
    with pytest.raises(ScoreError, match="has the shifts night, and svsf has hardware_old"):
        make(published.get("svsf"), [other])


def test_runs_of_one_model_are_told_apart():
    board = make(published.get("imagenet-c"), [run(), run(0.6)], replicates=0)
    assert [e.model for e in board.entries if e.own] == ["mine at runs/x", "mine at runs/x"]


@pytest.mark.parametrize(
    ("suite", "options", "kind", "said"),
    [
        ("imagenet-c", {"sort": "accuracy"}, SpecError, "There is no metric in what is published"),
        ("imagenet-c", {"backbone": "resnt50"}, SpecError, "Did you mean ResNet-50"),
        ("icons-50", {}, ScoreError, "no total of it was published"),
        ("imagenet-a", {"runs": [run()]}, ScoreError, "it holds imagenet-c. Evaluate the model on"),
    ],
)
def test_refusals(suite, options, kind, said):
    with pytest.raises(kind, match=said):
        make(published.get(suite), **options)


def test_spellings_of_a_network():
    assert plain("ResNet-50") == plain("resnet_50") == "resnet50"
    assert plain("ResNet-50") != plain("ResNet-152")


def test_from_python():
    board = brittle.leaderboard("imagenet-c", backbone="resnet50")
    assert board.entries[0].model == "ResNet-50 + DeepAugment + AugMix"
    assert math.isnan(board.entries[0].numbers["mce"].low)
    assert board.table("md").startswith("**imagenet-c: the fifteen")

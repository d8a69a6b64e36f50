"""What stands in the sheets is what was measured."""

import json

import pytest

from brittle import reports
from brittle.errors import ScoreError
from brittle.metrics._grid import TEST, VALIDATION
from brittle.outcomes import MISSING
from brittle.scoring.breakdown import break_down
from brittle.scoring.comparing import compare_runs as compare
from brittle.scoring.scores import score_suite
from tests.metrics.examples import Stand, flat, grid, photographs, stand


def run(model="timm:a", level=0.3, *, procedural=False, **options):
    rows = flat(level, options.pop("names", TEST))
    if procedural:
        rows["frost(texture=procedural)"] = rows.pop("frost")
    made = grid(rows, clean=0.2, count=100, seed=1, **options)
    return stand(model, made, info={"seed": 0})


def rows_of(sheet):
    """Rows for machines, as dictionaries."""
    (found,) = json.loads(reports.render(sheet, "json"))["sheets"]
    return found["rows"]


def test_the_summary_has_every_score_and_every_reason():
    one = run(scores=("mce", "gap", "clean_error"))
    sheet = reports.summary(one, replicates=100)
    assert [row["score"] for row in rows_of(sheet)] == ["mce", "clean_error"]
    assert rows_of(sheet)[1]["value"]["value"] == pytest.approx(20)
    assert rows_of(sheet)[1]["value"]["low"] < 20
    assert sheet.notes == (
        "gap is not given: gap needs shifted images, and imagenet-c was measured without; "
        "evaluate the model on them as well.",
    )
    assert sheet.facts["baseline"] == "AlexNet"
    assert sheet.facts["intervals"] == "95 % (100 bootstrap replicates)"
    assert "intervals" not in reports.summary(one, replicates=0).facts


def test_a_reason_is_said_once():
    one = run(facts={"class_list": None, "classes": 10})
    sheet = reports.summary(one, replicates=0)
    assert [row["score"] for row in rows_of(sheet)] == [
        "maude", "mean_corruption_error", "clean_error",
    ]  # fmt: skip
    why = (
        "AlexNet's errors are on the 1000 classes of imagenet, these on 10 classes of its own. Say "
        "--baseline alexnet to divide by them all the same, --baseline RUN for another model's on "
        "these pictures, or read mean_corruption_error."
    )
    assert sheet.notes == (f"mce and relative_mce are not given: {why}",)
    found = compare(one, one, replicates=0)
    assert f"mce and relative_mce are not given: {why}" in reports.comparison(found)[0].notes
    table = reports.grid(one, replicates=0)
    assert "CE" not in [column.title for column in table.columns]
    assert table.notes == (f"mce is not given: {why}",)
    assert rows_of(table)[-1]["corruption"] == "mean of 15"


def test_the_papers_table_says_why_the_foremost_score_is_not_its_headline():
    runs = [
        run(name, scores=("mce", "relative_mce", "mean_corruption_error"),
            facts={"class_list": None, "classes": 10})
        for name in ("timm:a", "timm:b")
    ]  # fmt: skip
    sheet = reports.paper(runs, replicates=0)
    assert sheet.title == "imagenet-c: mean corruption error in %"
    (note,) = sheet.notes
    assert note.startswith("mce and relative_mce are not given: AlexNet's errors are on the 1000")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"lossless": True}, {"jpeg": "left out"}),
        ({"resized": True}, {"resized": "to the model's input"}),
        ({"exif": True}, {"exif": "obeyed"}),
        ({"subset": "imagenet-r"}, {"subset": "imagenet-r"}),
        ({"class_list": None, "classes": 10}, {"own classes": 10}),
        ({"class_list": "cifar10", "classes": 10}, {"classes": "cifar10"}),
        ({"class_list": "imagenet", "classes": 1000, "subset": None, "lossless": False}, {}),
    ],
)
def test_the_facts_say_what_is_unusual(facts, said):
    one = run(facts=facts)
    suite = one.suite()
    (score,) = score_suite(suite, one.outcomes(suite.name), ["clean_error"], replicates=0)
    parts = break_down(suite, one.outcomes(suite.name), by="class", replicates=0)
    for sheet in (
        reports.summary(one, replicates=0), reports.grid(one, replicates=0),
        reports.paper([one, one], replicates=0), reports.detail("x", suite, score),
        reports.parts("x", suite, parts),
        reports.comparison(compare(one, one, replicates=0))[0],
    ):  # fmt: skip
        usual = {"edition", "pixels", "images", "baseline"}
        assert {name: v for name, v in sheet.facts.items() if name not in usual} == said


def test_the_usual_classes_are_those_of_the_suite():
    options = {"name": "cifar10-c(edition=any)", "baseline": None, "scores": ("clean_error",)}
    for listed, said in (("cifar10", None), ("imagenet", "imagenet")):
        one = run(facts={"class_list": listed, "classes": 10}, **options)
        assert reports.summary(one, replicates=0).facts.get("classes") == said


def test_rows_on_other_pictures_are_named():
    runs = [
        run("timm:a", facts={"lossless": False}), run("timm:b", facts={"lossless": False}),
        run("timm:a", facts={"lossless": True}),
        run("timm:c", facts={"lossless": False})._replace(info={"seed": 4}),
    ]  # fmt: skip
    notes = [n for n in reports.paper(runs, replicates=0).notes if n.startswith("row ")]
    assert notes == [
        "row 3 (timm:a) is not on the same pictures as row 1 (timm:a): the JPEG round trip was "
        "left out in row 3 and not in row 1",
        "row 4 (timm:c) is not on the same pictures as row 1 (timm:a): seed 0 in row 1 and 4 in "
        "row 4",
    ]
    fewer = stand("timm:d", grid(flat(0.3), clean=0.2, count=200), info={"seed": 0})
    notes = reports.paper([run(), fewer], replicates=0).notes
    assert any(note.startswith("row 2 (timm:d) is not on the same pictures") for note in notes)
    assert "numbers of images differ: timm:a 100, timm:d 200" in notes
    assert not any("row" in note for note in reports.paper([run(), run()], replicates=0).notes)


def test_the_summary_of_several_suites_names_them():
    first, second = run(), stand("timm:a", photographs({"night": 0.5}))
    both = Stand(
        "timm:a",
        {**first.suites_by_name, **second.suites_by_name},
        {**first.outcomes_by_suite, **second.outcomes_by_suite},
    )
    sheet = reports.summary(both, replicates=0)
    assert {row["suite"] for row in rows_of(sheet)} == {"imagenet-c", "shifts"}
    assert sheet.title == "timm:a"
    assert "shifts" in reports.render(sheet)
    assert any(note.startswith("shifts: gap is not given: ") for note in sheet.notes)
    assert reports.summary(both, "shifts", replicates=0).title == "timm:a: shifts"


def test_the_grid_holds_every_cell():
    made = grid(flat(0.3, (*TEST, *VALIDATION)), clean=0.2, count=100)
    sheet = reports.grid(stand("timm:a", made), replicates=100)
    rows = {row["corruption"]: row for row in rows_of(sheet)}
    assert next(iter(rows)) == "clean"
    assert list(rows)[1:20] == [*TEST, *VALIDATION]
    for name, errors in flat(0.3, (*TEST, *VALIDATION)).items():
        found = [rows[name][f"severity_{severity}"]["value"] for severity in range(1, 6)]
        assert found == pytest.approx([100 * error for error in errors])
        assert rows[name]["mean"]["value"] == pytest.approx(100 * sum(errors) / 5)
    assert rows["clean"]["mean"]["value"] == pytest.approx(20)
    (mce,) = score_suite(*made, ["mce"], replicates=100)
    assert rows["mean of 15"]["ce"]["value"] == mce.value
    assert rows["fog"]["ce"]["value"] == mce.columns["fog"].value
    fog = reports.render(sheet).split("\nfog ")[1].splitlines()[0].split()
    assert fog[:5] == ["39.0", "44.0", "49.0", "54.0", "59.0"]


def test_the_grid_of_an_incomplete_run_shows_what_is_there():
    suite, outcomes = grid(flat(), clean=0.2)
    ranks = outcomes["val"].ranks.copy()
    ranks[:, 3] = MISSING
    gaps = {**outcomes, "val": outcomes["val"]._replace(ranks=ranks)}
    sheet = reports.grid(stand("timm:a", (suite, gaps)), replicates=0)
    rows = {row["corruption"]: row for row in rows_of(sheet)}
    assert rows["gaussian_noise"]["severity_4"] is None
    assert rows["gaussian_noise"]["severity_5"]["value"] == pytest.approx(70)
    assert "mean of 15" not in rows
    assert "1 of 76 cells are not measured on every image" in sheet.notes
    assert any("mce is not given: mCE needs 75 cells" in note for note in sheet.notes)
    assert "CE" not in [column.title for column in sheet.columns]


def test_the_grid_of_photographs_has_a_row_for_each_set():
    sheet = reports.grid(stand("timm:a", photographs({"night": 0.5}, iid=0.2)), replicates=0)
    assert [(row["name"], row["error"]["value"]) for row in rows_of(sheet)] == [
        ("iid", 20), ("night", 50),
    ]  # fmt: skip


def test_the_papers_table_has_a_row_for_each_run():
    runs = [run("timm:a", 0.3), run("timm:b", 0.35), run("timm:c", procedural=True)]
    sheet = reports.paper(runs, replicates=100)
    rows = rows_of(sheet)
    assert [row["model"] for row in rows] == ["timm:a", "timm:b", "timm:c"]
    assert [row["title"] for row in rows] == ["mCE", "mCE", "mCE [frost(texture=procedural)]"]
    (mce,) = score_suite(runs[0].suite(), runs[0].outcomes("imagenet-c"), ["mce"], replicates=100)
    assert rows[0]["mce"] == mce.number._asdict()
    assert rows[0]["frost"] == mce.columns["frost"]._asdict()
    assert rows[2]["frost"]["value"] == pytest.approx(rows[0]["frost"]["value"])
    text = reports.render(sheet)
    assert "timm:c *" in text
    assert "timm:a *" not in text
    assert "note: * timm:c: mCE [frost(texture=procedural)]: frost(texture=procedural) is" in text
    assert " Gauss  Shot  Impul " in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("note")) <= 120
    latex = reports.render(sheet, "latex")
    assert r"\multicolumn{4}{c}{Weather}" in latex
    assert f"& 20.0 & {mce.value:.1f} & " in latex


def test_a_title_that_all_runs_share_heads_the_column():
    runs = [run("timm:a"), run("timm:b")]
    sheet = reports.paper(runs, baseline="unit", replicates=0)
    assert "mCE (baseline 100 %)" in [column.title for column in sheet.columns]
    assert not any("*" in note for note in sheet.notes)


def test_the_papers_table_of_shifts_has_all_scores():
    runs = [stand(f"timm:{n}", photographs({"night": 0.5, "france": 0.3}, iid=0.2)) for n in "ab"]
    (row, _) = rows_of(reports.paper(runs, replicates=0))
    assert {key: value["value"] for key, value in row.items() if key not in ("model", "title")} == (
        pytest.approx({
            "top1_error": 40, "accuracy": 60, "gap": 20, "clean_error": 20,
            "iid": 20, "night": 50, "france": 30,
        })
    )  # fmt: skip


def test_a_run_that_cannot_give_the_headline_has_a_dash_and_a_reason():
    suite, outcomes = grid(flat(), clean=0.2)
    del outcomes["val"]
    runs = [run("timm:a"), stand("timm:b", (suite, outcomes))]
    sheet = reports.paper(runs, replicates=0)
    assert rows_of(sheet)[1]["mce"] is None
    assert rows_of(sheet)[1]["clean_error"]["value"] == pytest.approx(20)
    assert any(note.startswith("timm:b: mce is not given: mCE needs 75") for note in sheet.notes)


def test_another_headline():
    options = {"name": "cifar10-c", "scores": ("mce", "mean_corruption_error")}
    runs = [run(model, baseline=None, **options) for model in ("timm:a", "timm:b")]
    assert "mean_corruption_error" in rows_of(reports.paper(runs[:1], replicates=0))[0]
    sheet = reports.paper(runs, score="relative mCE", baseline="unit", replicates=0)
    assert "relative_mce" in rows_of(sheet)[0]


def test_runs_that_do_not_belong_together_are_refused():
    with pytest.raises(ScoreError, match="timm:a has the suite imagenet-c and timm:b mine; runs"):
        reports.paper([run(), run("timm:b", name="mine")])
    with pytest.raises(ScoreError, match="has the pixels generated and timm:b read"):
        reports.paper([run(), run("timm:b", facts={"pixels": "read"})])
    with pytest.raises(ScoreError, match="A table needs at least one run"):
        reports.table([])
    with pytest.raises(ScoreError, match="No run gives a score of imagenet-c: gap needs"):
        reports.paper([run(), run()], score="gap", replicates=0)


def test_one_run_is_a_grid_and_several_are_the_papers_table():
    assert reports.table([run()], replicates=0).startswith("timm:a: imagenet-c, top-1 error")
    assert reports.table([run(), run("timm:b")], replicates=0).startswith("imagenet-c: mCE in %")


def test_a_score_with_its_columns():
    one = run()
    suite = one.suite()
    (score,) = score_suite(suite, one.outcomes(suite.name), ["mCE"], replicates=100)
    rows = rows_of(reports.detail(one.model, suite, score))
    assert [row["name"] for row in rows] == ["mCE", *TEST]
    assert rows[0]["value"] == score.number._asdict()


def test_parts():
    one = run()
    suite = one.suite()
    found = break_down(suite, one.outcomes(suite.name), by="class", replicates=100)
    rows = rows_of(reports.parts(one.model, suite, found))
    assert [row["part"] for row in rows] == [part.name for part in found.parts]
    assert rows[0]["clean"] == found.parts[0].errors["clean"]._asdict()


def test_the_comparison_says_all():
    found = compare(run(), run("timm:b", 0.4), gates=["mCE:1"], replicates=100)
    sheets = reports.comparison(found, flips=3)
    scores, columns, gates, flips = map(rows_of, sheets)
    assert [row["score"] for row in scores] == list(run().suite().scores)
    assert scores[0]["verdict"] == "worse"
    assert scores[0]["difference"] == found.changes[0].step.difference._asdict()
    assert scores[-1]["exact_p"] == 1
    assert [row["name"] for row in columns] == list(found.changes[0].columns)
    assert gates == [{"gate": "mCE:1", "verdict": "FAILED", "why": found.verdicts[0].why}]
    assert [row["key"] for row in flips] == [flip.key for flip in found.flips[:3]]
    assert len(reports.comparison(compare(run(), run(), replicates=100))) == 2
    back = reports.comparison(compare(run("timm:b", 0.4), run(), replicates=100))
    assert rows_of(back[0])[0]["verdict"] == "better"
    same = reports.comparison(compare(run(), run(), replicates=100))
    assert rows_of(same[0])[0]["verdict"] is None

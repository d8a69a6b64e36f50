"""Stability from the command line: two small runs of unlabelled pictures, scored in every way."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brittle._run import Run
from brittle.cli import main
from tests.helpers.runs import pictures
from tests.helpers.runs import suite as suite_file

SUITE = """\
about = "Perturbations, one of them in two strengths."
edition = "imagenet-64"
layout = "films"
perturbations = ["gaussian_noise", "gaussian_noise(strength=2)", "tilt", "translate"]
extra = ["shear"]
scores = ["mean_flip_probability", "mean_top5_distance"]
"""
COLUMNS = ["gaussian_noise", "tilt", "translate"]
QUICK = ["--replicates", "100"]


@pytest.fixture(scope="module")
def held(tmp_path_factory: Any) -> Path:
    root: Path = tmp_path_factory.mktemp("sequences")
    pictures(root / "photos", 6, labelled=False)
    chosen = suite_file(root, text=SUITE)
    for seed in (0, 1):
        model = f"linear:random(classes=12, size=64, seed={seed})"
        args = ["--suite", chosen, "--extra", "--data", str(root / "photos"), "--keep", "ranking"]
        run = str(root / f"run{seed}")
        assert main(["evaluate", model, *args, "-o", run, "--name", f"net {seed}", "-q"]) == 0
    return root


def sheet(capsys: Any, *args: str) -> Any:
    capsys.readouterr()
    assert main([*args, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)["sheets"][0]
    made["rows"] = [
        {key: one["value"] if isinstance(one, dict) else one for key, one in row.items()}
        for row in made["rows"]
    ]
    return made


def foremost(run: Path, condition: str) -> dict[str, list[int]]:
    table = Run.open(run).predictions(columns=["key", "condition", "frame", "top_classes"])
    rows = [row for row in table.to_pylist() if row["condition"] == condition]
    found: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: row["frame"]):
        found.setdefault(row["key"], []).append(row["top_classes"][0])
    return found


def test_the_table_has_a_row_a_perturbation(held: Path, capsys: Any) -> None:
    made = sheet(capsys, "table", str(held / "run0"), *QUICK)
    rows = {row["perturbation"]: row for row in made["rows"]}
    assert list(rows) == [*COLUMNS, "shear", "mean of 3"]
    assert {"mean_flip_probability", "mean_top5_distance", "mean_zipf_distance"} <= set(
        rows["tilt"]
    )
    flips = [np.mean(np.diff(one) != 0) for one in foremost(held / "run0", "tilt").values()]
    assert rows["tilt"]["mean_flip_probability"] == pytest.approx(100 * np.mean(flips))
    # The validation perturbations have a row and no part in the mean.
    mean = np.mean([rows[name]["mean_flip_probability"] for name in COLUMNS])
    assert rows["mean of 3"]["mean_flip_probability"] == pytest.approx(mean)


def test_a_table_shows_what_there_is_of_another_difficulty(held: Path, capsys: Any) -> None:
    made = sheet(capsys, "table", str(held / "run0"), "--difficulty", "2", *QUICK)
    rows = [row["perturbation"] for row in made["rows"]]
    assert rows == ["gaussian_noise(strength=2)", "tilt", "translate", "shear", "mean of 3"]
    made = sheet(capsys, "table", str(held / "run0"), "--difficulty", "3", *QUICK)
    assert [row["perturbation"] for row in made["rows"]] == ["tilt", "translate", "shear", "mean"]
    assert made["rows"][0]["mean_flip_probability"] > 0
    assert made["rows"][-1]["mean_flip_probability"] is None
    assert any("needs gaussian_noise at strength 3" in note for note in made["notes"])


def test_the_sequences_that_flip_most(held: Path, capsys: Any) -> None:
    made = sheet(capsys, "score", str(held / "run0"), "--by", "sequence", "--most", "4")
    assert len(made["rows"]) == 4
    shares = [row["flips"] / row["of"] for row in made["rows"]]
    assert shares == sorted(shares, reverse=True)
    for row in made["rows"]:
        classes = foremost(held / "run0", row["perturbation"])[row["key"]]
        noisy = "noise" in row["perturbation"]
        flipped = [
            number
            for number in range(1, len(classes))
            if classes[number] != classes[0 if noisy else number - 1]
        ]
        said = [
            number
            for text in row["frames"].split(", ")
            for number in range(int(text.split("-")[0]), int(text.split("-")[-1]) + 1)
        ]
        assert said == flipped
        assert row["flips"] == len(flipped)
    every = sheet(capsys, "score", str(held / "run0"), "--by", "sequence", "--most", "0")
    assert every["rows"][:4] == made["rows"]
    assert every["notes"][0].startswith(f"{len(every['rows'])} sequences flip")


def test_flips_by_frame(held: Path, capsys: Any) -> None:
    made = sheet(capsys, "score", str(held / "run0"), "--by", "frame", *QUICK)
    assert [row["frame"] for row in made["rows"]] == list(range(1, 31))
    for name in COLUMNS:
        classes = np.array(list(foremost(held / "run0", name).values()))
        before = classes[:, :1] if "noise" in name else classes[:, :-1]
        wanted = 100 * (classes[:, 1:] != before).mean(axis=0)
        assert [row[name] for row in made["rows"]] == pytest.approx(wanted.tolist())
    apart = sheet(capsys, "score", str(held / "run0"), "--by", "frame", "--difficulty", "3")
    assert [row["frame"] for row in apart["rows"]] == list(range(3, 31))
    assert apart["notes"] == ["without gaussian_noise, not measured at strength 3"]
    classes = np.array(list(foremost(held / "run0", "tilt").values()))
    wanted = 100 * (classes[:, 3:] != classes[:, :-3]).mean(axis=0)
    assert [row["tilt"] for row in apart["rows"]] == pytest.approx(wanted.tolist())


@pytest.mark.parametrize("by", ["class", "category", "severity"])
def test_frames_have_no_errors_to_break_down(held: Path, capsys: Any, by: str) -> None:
    assert main(["score", str(held / "run0"), "--by", by]) == 2
    assert "is of frames, which have none; break it down by sequence" in capsys.readouterr().err


def test_a_gate_on_stability_fails_where_the_new_model_is_surely_worse(
    held: Path, capsys: Any
) -> None:
    found = {
        n: sheet(capsys, "score", str(held / f"run{n}"), "--score", "mean_top5_distance", *QUICK)
        for n in (0, 1)
    }
    values = {number: made["rows"][0]["value"] for number, made in found.items()}
    steady, shaky = sorted(values, key=lambda number: values[number])
    runs = [str(held / f"run{number}") for number in (steady, shaky)]
    gate = ["--gate", "mean_top5_distance:0", *QUICK]
    assert main(["compare", *runs, *gate]) == 1
    out, err = capsys.readouterr()
    assert "gate mean_top5_distance:0 failed" in err
    assert "surely more than 0 worse" in err
    assert "what got worst first" in out
    assert main(["compare", *reversed(runs), *gate]) == 0
    capsys.readouterr()
    loose = ["--gate", "mean_top5_distance:15", *QUICK]
    assert main(["compare", *runs, *loose, "--difficulty", "2"]) == 0
    assert "difficulty 2" in capsys.readouterr().out


def test_names_that_stand_for_all_ten_are_refused(held: Path, capsys: Any) -> None:
    args = ["score", str(held / "run0"), "--score", "mT5D", "--baseline", "alexnet"]
    assert main(args) == 2
    assert "mT5D needs all 10 perturbations" in capsys.readouterr().err
    for difficulty, said in (("0", "at least 1; got 0"), ("9", "noises have 3 strengths")):
        assert main(["score", str(held / "run0"), "--difficulty", difficulty]) == 2
        assert said in capsys.readouterr().err
    assert main(["table", str(held / "run0"), "--difficulty", "31"]) == 2
    assert "31 frames has nothing to compare at difficulty 31" in capsys.readouterr().err


def test_classes_of_ones_own_are_told_what_is_lacking(held: Path, capsys: Any) -> None:
    run, model = str(held / "full"), "linear:random(classes=12, size=64)"
    args = ["-p", "tilt", "--edition", "imagenet-64", "--data", str(held / "photos")]
    assert main(["evaluate", model, *args, "-o", run, "-q"]) == 0
    capsys.readouterr()
    assert main(["score", run, "--score", "mFR"]) == 2
    assert "mFR needs all 10 perturbations" in capsys.readouterr().err


TEN = """\
about = "The ten, small."
edition = "imagenet-64"
perturbations = ["gaussian_noise", "shot_noise", "motion_blur", "zoom_blur", "snow", "brightness",
                 "translate", "rotate", "tilt", "scale"]
baseline = "alexnet"
scores = ["mfr", "mean_flip_probability"]
"""


def test_where_alexnet_is_not_fair_a_plain_mean_of_flips_is_named(
    held: Path, tmp_path: Path, capsys: Any
) -> None:
    model, where = "linear:random(classes=12, size=64)", str(tmp_path / "run")
    given = ["--suite", suite_file(tmp_path, "ten", TEN), "--data", str(held / "photos"), "-q"]
    assert main(["evaluate", model, *given, "--limit", "2", "-o", where]) == 0
    capsys.readouterr()
    assert main(["score", where, "--score", "mFR"]) == 2
    said = capsys.readouterr().err
    assert "Say --baseline alexnet" in said
    assert "or read mean_flip_probability" in said


def test_films_are_pointed_to_their_suite(held: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "a.mp4").write_text("whatever")
    model, where = "linear:random(classes=12, size=64)", str(tmp_path / "run")
    asked = ["-p", "tilt", "--data", str(tmp_path / "clips"), "-o", where, "-q"]
    assert main(["evaluate", model, *asked, "--edition", "imagenet-64"]) == 2
    assert "your own are measured with the suite footage" in capsys.readouterr().err

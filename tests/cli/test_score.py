import json
from typing import Any

import pytest

from brittle.cli import main
from tests.cli import runs


@pytest.fixture(autouse=True)
def _stored(monkeypatch: Any, tmp_path: Any) -> None:
    runs.use(monkeypatch, tmp_path)


def sheets(capsys: Any) -> Any:
    return json.loads(capsys.readouterr().out)["sheets"]


QUICK = ["--replicates", "100"]


def test_all_scores(capsys: Any) -> None:
    assert main(["score", "old", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(
        "timm:old: imagenet-c\nedition imagenet-224, pixels generated, 100 images"
    )
    assert "\nmCE " in out
    assert "lower is better" in out
    assert err == ""


def test_all_suites_unless_one_is_named(capsys: Any) -> None:
    assert main(["score", "both", "--format", "json", *QUICK]) == 0
    assert {row["suite"] for row in sheets(capsys)[0]["rows"]} == {"imagenet-c", "shifts"}
    assert main(["score", "both", "--suite", "shifts", "--format", "json", *QUICK]) == 0
    assert {row["suite"] for row in sheets(capsys)[0]["rows"]} == {"shifts"}


def test_one_score_has_its_columns(capsys: Any) -> None:
    args = ["--score", "mCE", "--score", "relative mCE", "--baseline", "unit", "--format", "json"]
    assert main(["score", "old", *args, *QUICK]) == 0
    first, second = sheets(capsys)
    assert first["rows"][0]["name"] == "mCE (baseline 100 %)"
    assert second["rows"][0]["name"] == "relative mCE (baseline 100 %)"
    assert len(first["rows"]) == 16


def test_own_classes_have_the_mean_error_and_the_reason_once(capsys: Any) -> None:
    assert main(["score", "own", *QUICK]) == 0
    out = capsys.readouterr().out
    assert "generated, 10 own classes, 100 images" in out
    assert "\nmean corruption error " in out
    assert out.count("AlexNet") == 1
    assert main(["score", "own", "--score", "mCE", "--baseline", "alexnet", *QUICK]) == 0
    assert "mCE (baseline AlexNet)" in capsys.readouterr().out


def test_a_run_is_a_baseline(capsys: Any) -> None:
    args = ["--score", "mCE", "--baseline", "new", "--format", "json"]
    assert main(["score", "new", *args, *QUICK]) == 0
    assert sheets(capsys)[0]["rows"][0]["value"] == {"value": 100, "low": 100, "high": 100}


@pytest.mark.parametrize(
    ("by", "count"), [("class", 10), ("category", 4), ("severity", 6), ("group", 2)]
)
def test_by_part(capsys: Any, tmp_path: Any, by: str, count: int) -> None:
    lines = [f"class_{n}\t{'even' if n % 2 == 0 else 'odd'}\n" for n in range(10)]
    (tmp_path / "groups.tsv").write_text("".join(lines))
    groups = ["--groups", "groups.tsv"] if by == "group" else []
    assert main(["score", "old", "--by", by, *groups, "--format", "json", *QUICK]) == 0
    assert len(sheets(capsys)[0]["rows"]) == count


def test_level_and_replicates(capsys: Any) -> None:
    widths = []
    for level in ("0.5", "0.99"):
        args = ["--level", level, "--format", "json", "--score", "clean_error"]
        assert main(["score", "old", *args]) == 0
        value = sheets(capsys)[0]["rows"][0]["value"]
        widths.append(value["high"] - value["low"])
    assert widths[0] < widths[1]
    assert main(["score", "old", "--replicates", "0"]) == 0
    assert "[" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none"], "none is not a run"),
        (["old", "--score", "mcee"], "There is no metric 'mcee'. Did you mean mce?"),
        (["old", "--score", "gap"], "gap needs shifted images"),
        (["old", "--score", "mCE", "--baseline", "alexnett"], "Did you mean alexnet"),
        (["own", "--score", "mCE"], "AlexNet's errors are on the 1000 classes of imagenet, these"),
        (["old", "--score", "mCE", "--baseline", "seeded"], "seed 0 in the scored run and 3 in"),
        (["old", "--by", "group"], "--by group needs --groups FILE"),
        (["old", "--by", "class", "--groups", "x"], "--groups goes with --by group"),
        (["old", "--replicates", "5"], "replicates must be at least 100"),
    ],
)
def test_refusals(capsys: Any, args: list[str], said: str) -> None:
    assert main(["score", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("brittle score: ")

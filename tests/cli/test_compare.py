import json
from typing import Any

import pytest

from brittle.cli import main
from tests.cli import runs


@pytest.fixture(autouse=True)
def _stored(monkeypatch: Any, tmp_path: Any) -> None:
    runs.use(monkeypatch, tmp_path)


QUICK = ["--replicates", "200"]


def test_without_a_gate_the_answer_is_only_shown(capsys: Any) -> None:
    assert main(["compare", "old", "new", *QUICK]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("imagenet-c: timm:old (old) and timm:new (new)\n")
    assert " worse" in out
    assert err == ""


def test_a_failed_gate_is_exit_code_one(capsys: Any) -> None:
    args = ["--gate", "mCE:1.0", "--gate", "clean_error:0.5", *QUICK]
    assert main(["compare", "old", "new", *args]) == 1
    out, err = capsys.readouterr()
    assert "mCE:1.0          FAILED" in out
    assert "clean_error:0.5  passed" in out
    assert err.startswith("brittle compare: gate mCE:1.0 failed: mCE moved by +")
    assert main(["compare", "new", "old", *args]) == 0
    assert main(["compare", "old", "old", *args]) == 0


def test_own_classes_have_a_gate_on_the_mean_error(capsys: Any) -> None:
    gate = ["--gate", "mean_corruption_error:1.0", "--gate", "clean_error:0.5", *QUICK]
    assert main(["compare", "own", "own", *gate]) == 0
    capsys.readouterr()
    assert main(["compare", "own", "own", "--gate", "mCE:1.0", *QUICK]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "The gate mCE:1.0: AlexNet's errors are on the 1000 classes of imagenet" in err


def test_flips_and_scores(capsys: Any) -> None:
    args = ["--flips", "2", "--score", "clean_error", "--score", "mCE", "--format", "json", *QUICK]
    assert main(["compare", "old", "new", *args]) == 0
    found = json.loads(capsys.readouterr().out)["sheets"]
    assert [row["score"] for row in found[0]["rows"]] == ["clean_error", "mce"]
    assert len(found[-1]["rows"]) == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["old", "other"],
            "The runs cannot be compared: suite imagenet-c in OLD and shifts in NEW",
        ),
        (["old", "seeded"], "The runs cannot be compared: seed 0 in OLD and 3 in NEW"),
        (["old", "none"], "none is not a run"),
        (["old", "new", "--gate", "mCE"], "'mCE' is not a gate"),
    ],
)
def test_refusals(capsys: Any, args: list[str], said: str) -> None:
    assert main(["compare", *args]) == 2
    assert said in capsys.readouterr().err

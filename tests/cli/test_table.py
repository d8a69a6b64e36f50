import csv
import io
from typing import Any

import pytest

from brittle.cli import main
from tests.cli import runs


@pytest.fixture(autouse=True)
def _stored(monkeypatch: Any, tmp_path: Any) -> None:
    runs.use(monkeypatch, tmp_path)


def test_one_run_is_its_grid(capsys: Any) -> None:
    assert main(["table", "old", "--replicates", "0"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("timm:old: imagenet-c, top-1 error in %\n")
    assert "\ngaussian_noise " in out


def test_without_a_baseline_the_grid_has_no_ce(capsys: Any) -> None:
    assert main(["table", "own", "--replicates", "0"]) == 0
    out = capsys.readouterr().out
    assert " CE" not in out.splitlines()[3]
    assert out.count("mce is not given: AlexNet's errors are on the 1000 classes") == 1
    assert main(["table", "own", "--replicates", "0", "--baseline", "alexnet"]) == 0
    assert " CE" in capsys.readouterr().out.splitlines()[3]


def test_several_runs_are_rows(capsys: Any) -> None:
    assert main(["table", "old", "new", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["model"] for row in rows] == ["timm:old", "timm:new"]
    assert float(rows[0]["mce_low"]) < float(rows[0]["mce"]) < float(rows[1]["mce"])


def test_it_is_written_to_a_file(capsys: Any, tmp_path: Any) -> None:
    assert (
        main(["table", "old", "new", "--format", "latex", "-o", "t.tex", "--replicates", "0"]) == 0
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "brittle table: wrote t.tex\n"
    assert r"\toprule" in (tmp_path / "t.tex").read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["old", "other"], "has the suite imagenet-c and timm:other shifts"),
        (["old", "none"], "none is not a run"),
        (["old", "new", "--score", "gap"], "No run gives a score of imagenet-c: gap needs"),
    ],
)
def test_refusals(capsys: Any, args: list[str], said: str) -> None:
    assert main(["table", *args]) == 2
    assert said in capsys.readouterr().err

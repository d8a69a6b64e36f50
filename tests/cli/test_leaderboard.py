import csv
import io
import json
from typing import Any

import pytest

from brittle import published
from brittle.cli import main
from tests.cli import runs


@pytest.fixture(autouse=True)
def _stored(monkeypatch: Any, tmp_path: Any) -> None:
    runs.use(monkeypatch, tmp_path)


def test_the_suites_without_one(capsys: Any) -> None:
    assert main(["leaderboard"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(published.names())


def test_a_run_stands_between_rules(capsys: Any) -> None:
    assert main(["leaderboard", "imagenet-c", "--run", "old", "--backbone", "resnet50"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (at,) = [n for n, line in enumerate(lines) if "self-measured" in line]
    assert "timm:old" in lines[at]
    assert lines[at].lstrip().startswith("(")
    assert "[" in lines[at]
    assert set(lines[at - 1]) == set(lines[at + 1]) == {"-"}
    assert any("timm:old: on 100 images where the published set" in line for line in lines)
    assert max(map(len, lines[: at + 2])) <= 120


@pytest.mark.parametrize("name", [n for n in published.names() if n != "icons-50"])
@pytest.mark.parametrize("format", ["text", "md", "latex", "csv", "json"])
def test_every_suite_in_every_format(capsys: Any, name: str, format: str) -> None:  # noqa: A002
    assert main(["leaderboard", name, "--format", format]) == 0
    out = capsys.readouterr().out
    for one in published.results(name):
        said = one.model.replace("_", r"\_") if format in ("md", "latex") else one.model
        assert said.partition("(")[0].strip() in out


def test_csv_has_places_footing_and_intervals(capsys: Any) -> None:
    args = ["leaderboard", "imagenet-c", "--run", "old", "--run", "new", "--format", "csv"]
    assert main(args) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    own = [row for row in rows if row["source"] == "self-measured"]
    assert [row["model"] for row in own] == ["timm:old", "timm:new"]
    assert {row["equal_footing"] for row in own} == {"no"}
    assert int(own[0]["place_best"]) <= int(own[0]["place"]) <= int(own[0]["place_worst"])
    assert float(own[0]["mce_low"]) < float(own[0]["mce"]) < float(own[0]["mce_high"])
    assert own[0]["mce:fog"]
    assert "standalone" in rows[0]
    augmix = next(row for row in rows if row["model"] == "ResNet-50 + AugMix")
    assert augmix["reference"] == "arXiv:1912.02781"
    assert "thesis" in augmix["source_in_full"]


def test_json_has_the_columns_of_every_row(capsys: Any) -> None:
    assert main(["leaderboard", "imagenet-c", "--format", "json"]) == 0
    (sheet,) = json.loads(capsys.readouterr().out)["sheets"]
    row = next(one for one in sheet["rows"] if one["model"] == "ResNet-18")
    assert row["mce:jpeg_compression"] == 85
    assert row["place"] == 31


def test_what_is_computed_says_so(capsys: Any) -> None:
    assert main(["leaderboard", "cifar10-c"]) == 0
    out = capsys.readouterr().out
    assert "note: 23 rows of RobustBench: mean corruption error computed here from the" in out
    assert main(["leaderboard", "imagenet-d"]) == 0
    assert "computed" not in capsys.readouterr().out


def test_columns_are_shown_when_asked(capsys: Any) -> None:
    assert main(["leaderboard", "imagenet-c", "--format", "md"]) == 0
    assert "Elastic" not in capsys.readouterr().out
    assert main(["leaderboard", "imagenet-c", "--format", "md", "--columns"]) == 0
    assert "Elastic" in capsys.readouterr().out


def test_it_is_written_to_a_file(capsys: Any, tmp_path: Any) -> None:
    assert main(["leaderboard", "imagenet-r", "--format", "md", "-o", "r.md"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "brittle leaderboard: wrote r.md\n"
    assert "| 1 | ResNeXt-101 32x8d + WSL | 24.2 |" in (tmp_path / "r.md").read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["imagenet-q"], "There is no published suite 'imagenet-q'"),
        (["imagenet-c", "--run", "none"], "none is not a run"),
        (["imagenet-a", "--run", "old"], "cannot stand among the results of imagenet-a"),
        (["imagenet-c", "--sort", "mfr"], "There is no metric in what is published"),
    ],
)
def test_refusals(capsys: Any, args: list[str], said: str) -> None:
    assert main(["leaderboard", *args]) == 2
    assert said in capsys.readouterr().err

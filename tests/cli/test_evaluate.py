import json
from pathlib import Path

import pytest

from brittle._run import Run
from brittle.cli import main
from tests.helpers.runs import CLASSES, MODEL, parts, pictures, suite


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    source, small = pictures(tmp_path / "src"), suite(tmp_path)
    names = tmp_path / "classes.txt"
    names.write_text("\n".join(CLASSES))
    what = ["evaluate", MODEL, "--suite", small, "--data", str(source)]
    return [*what, "--classes", str(names), "--batch-size", "4", "--shard-size", "4"]


def test_it_measures_and_prints_scores_with_intervals(words, tmp_path, capsys) -> None:
    assert main([*words, "-o", str(tmp_path / "run"), "--name", "toy"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("toy: small")
    assert "mean corruption error" in out
    assert "clean error" in out
    assert "[" in out
    assert f"{tmp_path / 'run'} holds the predictions" in out
    assert "evaluating: 55 of 55 predictions" in err
    assert Run.open(tmp_path / "run").model == "toy"


def test_the_second_time_nothing_is_left_to_do(words, tmp_path, capsys) -> None:
    assert main([*words, "-o", str(tmp_path / "run"), "-q"]) == 0
    first = capsys.readouterr().out
    assert main([*words, "-o", str(tmp_path / "run")]) == 0
    out, err = capsys.readouterr()
    assert out == first
    assert "evaluating" not in err
    assert len(Run.open(tmp_path / "run").info["sessions"]) == 1


def test_shares_and_merge(words, tmp_path, capsys) -> None:
    assert main([*words, "-o", str(tmp_path / "whole"), "-q"]) == 0
    for number in (1, 2):
        share = ["--shard", f"{number}/2", "-o", str(tmp_path / f"s{number}"), "-q"]
        assert main([*words, *share]) == 0
        assert f"share {number}/2 is measured" in capsys.readouterr().out
    assert main(["merge", str(tmp_path / "s1"), "-o", str(tmp_path / "out")]) == 0
    assert "small still lacks clean (4 images)" in capsys.readouterr().err
    shares = [str(tmp_path / "s1"), str(tmp_path / "s2")]
    assert main(["merge", *shares, "-o", str(tmp_path / "out")]) == 0
    assert "lacks" not in capsys.readouterr().err
    assert parts(tmp_path / "out") == parts(tmp_path / "whole")


def test_free_conditions_are_a_suite_of_their_own(words, tmp_path, capsys) -> None:
    at = words.index("--suite")
    free = [*words[:at], *words[at + 2 :], "-c", "fog(severity=3)+contrast(severity=2)"]
    assert main([*free, "--edition", "imagenet-64", "-o", str(tmp_path / "r"), "-q"]) == 0
    assert "fog(severity=3)+contrast(severity=2)" in json.dumps(Run.open(tmp_path / "r").info)
    assert "conditions" in capsys.readouterr().out


def test_named_data_are_shifts(tmp_path, capsys) -> None:
    for name in ("day", "night"):
        pictures(tmp_path / name)
    names = tmp_path / "classes.txt"
    names.write_text("\n".join(CLASSES))
    data = [f"--data={name}={tmp_path / name}" for name in ("day", "night")]
    what = ["evaluate", MODEL, "--suite", "shifts", *data, "--classes", str(names), "-q"]
    assert main([*what, "-o", str(tmp_path / "run")]) == 0
    assert "gap" in capsys.readouterr().out
    assert [cell.group for cell in Run.open(tmp_path / "run").suite().cells] == ["day", "night"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--shard", "3"], "--shard takes I/N such as 3/16; got '3'"),
        (["--shard", "5/4"], "1 <= i <= n; got 5 of 4"),
        (["--data", "elsewhere"], "two paths without a name are given twice"),
        (["--replicates", "3"], "replicates must be at least 100"),
        (["--batch-size", "0"], "batch must be a whole number"),
        (["--suite", "imagnet-c"], "Did you mean imagenet-c"),
        (["--seed", "7", "--extra"], "None of the suites has extra parts"),
    ],
)
def test_nonsense_is_refused_before_the_work(more, said, words, tmp_path, capsys) -> None:
    assert main([*words, "-o", str(tmp_path / "run"), "-q", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("brittle evaluate: ")
    assert not (tmp_path / "run").exists()


def test_a_model_of_no_known_kind_is_refused(words, tmp_path, capsys) -> None:
    words[1] = "resnet50"
    assert main([*words, "-o", str(tmp_path / "run")]) == 2
    assert "does not name a model; write one of" in capsys.readouterr().err

"""What every form has in common, and what each refuses."""

import json

import pytest

from brittle.cli import main
from brittle.errors import RunError, ScoreError, SpecError
from brittle.exports import EXPORTS, export, find
from brittle.exports.base import measure
from tests.cli import runs
from tests.metrics.examples import flat, grid, photographs, stand

NAMES = {"mlflow", "model_index", "robustbench", "timm_csv"}


@pytest.fixture
def stored(monkeypatch, tmp_path):
    runs.use(monkeypatch, tmp_path)


def test_the_forms():
    assert set(EXPORTS.names()) == NAMES
    for name in NAMES:
        assert find(name) is find(name.replace("_", "-"))
        assert find(name).about
    with pytest.raises(SpecError, match="no export format 'mlfow'"):
        find("mlfow")


def test_a_text_is_returned_and_written(stored, tmp_path):
    text = export("old", "robustbench", tmp_path / "old.json", replicates=0)
    assert (tmp_path / "old.json").read_text() == text
    assert json.loads(text)["name"] == "timm:old"
    assert export("old", "robustbench", replicates=0) == text


def test_on_the_command_line(stored, capsys, tmp_path):
    assert main(["export", "old", "--format", "model-index", "--replicates", "0"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("---\nmodel-index:\n")
    args = ["export", "old", "--format", "model_index", "--replicates", "0", "-o", "card.md"]
    assert main(args) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "brittle export: wrote card.md\n")
    assert (tmp_path / "card.md").read_text() == printed


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["both", "--format", "robustbench"],
            "is of one suite, and the run has imagenet-c",
        ),
        (["both", "--format", "robustbench", "--suite", "shifts"], "and this is shifts"),
        (["old", "--format", "timm-csv"], "imagenet-c is a grid of them"),
        (["old", "--format", "mlflow"], "needs a place"),
        (["old", "--format", "wandb"], "There is no export format 'wandb'"),
        (["none", "--format", "robustbench"], "none is not a run"),
    ],
)
def test_refusals(stored, capsys, args, said):
    assert main(["export", *args]) == 2
    assert said in capsys.readouterr().err


def test_a_run_without_any_score_is_refused():
    suite, outcomes = grid(flat(), scores=("mce",), baseline=None)
    with pytest.raises(ScoreError, match="No score of bare can be given: No baseline is agreed on"):
        measure(stand("bare", (suite, outcomes)), replicates=0)


def test_a_place_is_needed_from_python(stored):
    with pytest.raises(RunError, match="a folder, or a server's address"):
        export("old", "mlflow")


def test_a_set_of_several_shifts_is_no_row_of_timm():
    scored = measure(stand("two", photographs({"a": 0.3, "b": 0.4})), replicates=0)
    with pytest.raises(ScoreError, match="is of one set, and shifts has several"):
        find("timm_csv").render(scored)

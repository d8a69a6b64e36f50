"""What was logged is read back by MLflow's own client."""

import json
import sys

import pytest

from brittle.cli import main
from brittle.errors import MissingExtraError, RunError
from brittle.exports import find
from brittle.exports.base import measure
from brittle.exports.mlflow import key
from tests.cli import runs
from tests.metrics.examples import flat, grid, stand

# Its own libraries warn of one another.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    place = tmp_path_factory.mktemp("mlruns")
    errors = {("frost(texture=procedural)" if n == "frost" else n): r for n, r in flat().items()}
    info = {"seed": 4, "spec": "timm:old(x=1)", "model": {"digest": "abc"}}
    scored = [
        measure(runs.made()["both"], replicates=100),
        measure(stand("second", grid(errors, clean=0.1), info=info), replicates=0),
    ]
    said = [find("mlflow").log(one, str(place)) for one in scored]
    client = mlflow.MlflowClient(tracking_uri=f"sqlite:///{place / 'mlflow.db'}")
    return client, scored, said, place


def run_of(logged, number):
    client, _, said, _ = logged
    return client.get_run(said[number].split()[-1])


def test_both_are_runs_of_one_experiment(logged):
    client, _, said, place = logged
    experiment = client.get_experiment_by_name("brittle")
    found = client.search_runs([experiment.experiment_id])
    assert {run.info.run_name for run in found} == {"timm:both", "second"}
    assert {run.info.status for run in found} == {"FINISHED"}
    assert said[0].startswith(f"sqlite:///{place}/mlflow.db experiment brittle, run ")


def test_every_number_comes_back(logged):
    _, scored, _, _ = logged
    metrics = run_of(logged, 0).data.metrics
    count = 0
    for one in scored[0]:
        for score in one.scores:
            name = f"{one.suite.name}/{score.name}"
            assert metrics[name] == score.value
            assert (metrics[f"{name}/low"], metrics[f"{name}/high"]) == (score.low, score.high)
            for column, number in score.columns.items():
                assert metrics[key(f"{name}/{column}")] == number.value
            count += 3 + len(score.columns)
    assert len(metrics) == count


def test_without_intervals_none_are_logged(logged):
    metrics = run_of(logged, 1).data.metrics
    assert "imagenet-c/mce" in metrics
    assert "imagenet-c/mce/frost_texture_procedural" in metrics
    assert not any(name.endswith(("/low", "/high")) for name in metrics)


def test_parameters_say_what_was_measured(logged):
    data = run_of(logged, 1).data
    assert data.params["model"] == "timm:old(x=1)"
    assert data.params["seed"] == "4"
    assert data.params["imagenet-c/edition"] == "imagenet-224"
    assert data.params["imagenet-c/images"] == "100"
    assert data.params["imagenet-c/baseline"] == "AlexNet"
    assert data.tags["brittle.model_digest"] == "abc"


def test_titles_and_notes_are_an_artifact(logged):
    client, _, said, place = logged
    path = client.download_artifacts(said[1].split()[-1], "brittle.json", str(place))
    with open(path) as stream:
        record = json.load(stream)["imagenet-c"]
    assert record["scores"]["mce"]["title"] == "mCE [frost(texture=procedural)]"
    assert any("not the published frost" in note for note in record["scores"]["mce"]["notes"])


def test_without_mlflow_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    scored = measure(runs.made()["old"], replicates=0)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[mlflow\]'"):
        find("mlflow").log(scored, "mlruns")


def test_a_server_that_is_none_is_answered(monkeypatch):
    mlflow = pytest.importorskip("mlflow")

    class Client:
        def __init__(self, tracking_uri):
            raise mlflow.exceptions.MlflowException(f"no server at {tracking_uri}")

    monkeypatch.setattr(mlflow, "MlflowClient", Client)
    scored = measure(runs.made()["old"], replicates=0)
    with pytest.raises(RunError, match="MLflow at http://nowhere refused: no server"):
        find("mlflow").log(scored, "http://nowhere")


def test_a_run_that_fails_midway_is_marked(monkeypatch, tmp_path):
    mlflow = pytest.importorskip("mlflow")
    ended = []

    class Client:
        def __init__(self, **_):
            self.log_batch = self.create_experiment = self.get_experiment_by_name

        def get_experiment_by_name(self, *_, metrics=None, **__):
            if metrics:
                raise mlflow.exceptions.MlflowException("disk full")

        def create_run(self, *_, **__):
            info = type("Info", (), {"run_id": "7", "start_time": 0})
            return type("Run", (), {"info": info})

        def set_terminated(self, *given):
            ended.append(given)

    monkeypatch.setattr(mlflow, "MlflowClient", Client)
    with pytest.raises(RunError, match="disk full"):
        find("mlflow").log(measure(runs.made()["old"], replicates=0), str(tmp_path))
    assert ended == [("7", "FAILED")]


def test_on_the_command_line(monkeypatch, tmp_path, capsys):
    runs.use(monkeypatch, tmp_path)
    monkeypatch.setitem(sys.modules, "mlflow", None)
    assert main(["export", "old", "--format", "mlflow", "-o", "mlruns"]) == 2
    assert "Install it: pip install 'brittle[mlflow]'" in capsys.readouterr().err

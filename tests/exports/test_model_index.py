"""The block is read back by Hugging Face's own library."""

import json
import math

import pytest

from brittle.exports import find
from brittle.exports.base import measure
from brittle.exports.model_index import _scalar
from tests.cli import runs
from tests.metrics.examples import flat, grid, stand


def made(run, **options):
    scored = measure(run, **options)
    return find("model_index").render(scored), scored


@pytest.fixture(scope="module")
def read():
    hub = pytest.importorskip("huggingface_hub")

    def read(text):
        return hub.ModelCard(text + "\n# A model\n").data

    return read


def test_every_score_comes_back(read):
    text, scored = made(runs.made()["both"], replicates=100)
    data = read(text)
    assert data.model_name == "timm:both"
    found = {(one.dataset_type, one.metric_type): one for one in data.eval_results}
    expected = {(one.suite.name, score.name): score for one in scored for score in one.scores}
    assert set(found) == set(expected)
    for place, score in expected.items():
        one = found[place]
        assert one.metric_value == score.value
        assert one.metric_name == score.title
        assert one.task_type == "image-classification"
        assert one.metric_args["low"] == score.low
        assert one.metric_args["high"] == score.high
        assert one.metric_args["images"] == score.images
        assert one.metric_args.get("baseline") == score.baseline
    assert {one.dataset_name for one in data.eval_results} == {s.suite.about for s in scored}


def test_titles_and_notes_with_signs_of_yaml(read):
    errors = {("frost(texture=procedural)" if n == "frost" else n): r for n, r in flat().items()}
    model = 'mine: "the #1" \\ {best} — naïve'
    text, scored = made(stand(model, grid(errors, clean=0.1)), replicates=0)
    data = read(text)
    assert data.model_name == model
    one = next(one for one in data.eval_results if one.metric_type == "mce")
    assert one.metric_name == "mCE [frost(texture=procedural)]"
    (score,) = (s for s in scored[0].scores if s.name == "mce")
    assert one.metric_args["notes"] == list(score.notes)
    assert "low" not in one.metric_args


def test_what_the_library_writes_itself_is_the_same(read):
    import yaml

    text, _ = made(runs.made()["old"], replicates=0)
    own = yaml.safe_load(text.strip().strip("-"))
    again = yaml.safe_load(read(text).to_yaml())
    (was,), (now,) = own["model-index"], again["model-index"]
    assert was["name"] == now["name"]
    assert json.dumps(was["results"], sort_keys=True) == json.dumps(now["results"], sort_keys=True)


@pytest.mark.parametrize("value", [0.0, 1e-07, 77.6342460739, 1e22, 100.0, -0.25, 3])
def test_numbers_stay_numbers(value):
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(_scalar(value))
    assert isinstance(found, type(value))
    assert found == pytest.approx(value, rel=1e-12)


def test_nan_is_none():
    assert _scalar(math.nan) == "null"

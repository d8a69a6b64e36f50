"""RobustBench's JSON: its fields, its own reader, its own arithmetic."""

import dataclasses
import importlib.util
import json
import sys
import types

import pytest

from brittle import published
from brittle.errors import ScoreError
from brittle.exports import find
from brittle.exports.base import measure
from brittle.exports.robustbench import FIELDS
from tests.metrics.examples import flat, grid, stand


def made(name="imagenet-c", **options):
    options = {"clean": 0.2, "count": 1000, **options}
    errors = options.pop("errors", flat())
    scored = measure(stand("Mine", grid(errors, name=name, **options)), replicates=0)
    return json.loads(find("robustbench").render(scored))


def test_the_fields_and_texts():
    found = made(facts={"pixels": "read"})
    assert tuple(found) == FIELDS
    mean = sum(sum(row) for row in flat().values()) / 75
    assert found["clean_acc"] == "80.00"
    assert found["corruptions_acc"] == f"{100 * (1 - mean):.2f}"
    assert (found["dataset"], found["name"]) == ("imagenet", "Mine")
    assert "on 1,000 images; corrupted pictures read from files" in found["footnote"]
    assert found["venue"] is None


@pytest.mark.parametrize("name", ["cifar10-c", "cifar100-c"])
def test_cifar_has_no_mce(name):
    found = made(name, edition="cifar-32", baseline=None)
    assert found["dataset"] == name.removesuffix("-c")
    assert found["corruptions_mce"] is None


@pytest.mark.parametrize("model", ["Erichson2022NoisyMix_new", "Standard_R50", "AlexNet"])
def test_a_model_of_theirs_gets_their_numbers(model):
    """From the published cells come the numbers that RobustBench prints of them."""
    rows = published.results("imagenet-c")
    row = next(one for one in rows if one.model == model and one.short == "RobustBench")
    errors = {name: [n / row.images for n in wrong] for name, wrong in row.wrong.items()}
    found = made(errors=errors, count=row.images)
    assert found["corruptions_mce"] == f"{row.values['mce']:.2f}"
    printed = {"Erichson2022NoisyMix_new": ("53.28", "59.43"), "AlexNet": ("21.12", "100.00")}
    if model in printed:
        assert (found["corruptions_acc"], found["corruptions_mce"]) == printed[model]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"errors": {name: flat()[name] for name in ("fog", "snow")}}, r"\[2 corruptions\]"),
        ({"name": "imagenet-c(edition=inception-299)"}, "in their own editions"),
        ({"facts": {"lossless": True}}, "without JPEG"),
        ({"clean": None}, "clean error needs"),
    ],
)
def test_what_is_not_theirs_is_refused(options, said):
    with pytest.raises(ScoreError, match=said):
        made(**options)


@pytest.mark.skipif(
    importlib.util.find_spec("robustbench") is None, reason="robustbench is not installed"
)
@pytest.mark.filterwarnings("ignore")
def test_robustbench_reads_it(tmp_path, monkeypatch, capsys):
    # It imports its attacks, which are not needed to read.
    for name, held in (
        ("pkg_resources", {"resource_filename": None}),
        ("autoattack", {"AutoAttack": object}),
        ("autoattack.state", {"EvaluationState": object}),
    ):
        stub = types.ModuleType(name)
        vars(stub).update(held)
        monkeypatch.setitem(sys.modules, name, stub)
    from tests.helpers.models import register_torchvision_ops

    register_torchvision_ops()
    from robustbench.utils import ModelInfo, list_available_models

    found = made()
    info = ModelInfo(**found)
    assert tuple(dataclasses.asdict(info)) == FIELDS
    folder = tmp_path / "model_info" / "imagenet" / "corruptions"
    folder.mkdir(parents=True)
    (folder / "Standard_R50.json").write_text(json.dumps(found))
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    list_available_models("imagenet", "corruptions")
    shown = capsys.readouterr().out
    assert "Standard_R50" in shown
    assert f"{float(found['corruptions_acc']):.2f}%" in shown
    assert f"{float(found['clean_acc']):.2f}%" in shown

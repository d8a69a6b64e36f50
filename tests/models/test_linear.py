"""The NumPy toy."""

import subprocess
import sys

import numpy as np
import pytest

from brittle.errors import ModelError, SpecError
from brittle.models import Settings, open_model
from tests.models.examples import pictures


def save(path, **arrays):
    np.savez(path, **arrays)
    return path


def test_logits_are_the_product(tmp_path):
    rng = np.random.default_rng(0)
    w, b = rng.standard_normal((2 * 3 * 3, 4)), rng.standard_normal(4)
    path = save(tmp_path / "toy.npz", w=w, b=b, classes=np.array(["a", "b", "c", "d"]))
    model = open_model(f"linear:{path}(size=[2, 3])", Settings(features=True))
    batch = rng.integers(0, 256, (5, 2, 3, 3), dtype=np.uint8)
    found = model.predict(batch)
    features = batch.reshape(5, -1) / 255
    assert np.allclose(found.features, features, atol=1e-6)
    assert np.allclose(found.logits, features @ w + b, atol=1e-5)
    assert model.classes == ("a", "b", "c", "d")
    assert model.facts["classes"] == "the file's own"


def test_random_weights_are_those_of_the_seed():
    first, again, other = (
        open_model(f"linear:random(classes=3, size=8, seed={seed})") for seed in (1, 1, 2)
    )
    batch = pictures(4, 8)
    assert first.digest == again.digest != other.digest
    assert np.array_equal(first.predict(batch).logits, again.predict(batch).logits)
    assert open_model("linear:random").size == (32, 32)
    assert open_model("linear:random").predict(pictures(2, 32)).logits.shape == (2, 10)
    assert open_model("linear:random(size=[4, 6])").size == (4, 6)


def test_it_needs_no_torch():
    code = (
        "import sys; from brittle.models import open_model; open_model('linear:random');"
        "print(*{m.split('.')[0] for m in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "timm", "torchvision", "onnxruntime"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"precision": "float16"}, "cannot follow precision=float16: a NumPy model runs on the"),
        ({"device": "cuda"}, "cannot follow device=cuda: .* Leave device out"),
        ({"channels_last": True}, "cannot follow channels_last=True"),
        ({"threads": 2}, "cannot follow threads=2"),
    ],
)
def test_settings_that_it_cannot_follow_are_refused(settings, said):
    with pytest.raises(ModelError, match=said):
        open_model("linear:random", Settings(**settings))
    open_model("linear:random", Settings(device="cpu", precision="float32"))


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("linear:gone.npz", ModelError, "there is no file gone.npz"),
        ("linear:odd.npz", ModelError, "w has 10 rows, which is no square picture"),
        ("linear:odd.npz(size=2)", ModelError, "w has 10 rows, which are not the pixels of 2"),
        ("linear:bare.npz", ModelError, r"must hold w \(D x classes\) and b \(classes\)"),
        ("linear:words.npz", ModelError, "w and b in words.npz must be numbers"),
        ("linear:objects.npz", ModelError, "is not an .npz of plain arrays"),
        ("linear:text.npz", ModelError, "is not an .npz of plain arrays"),
        ("linear:good.npz(seed=3)", SpecError, "seed is for linear:random"),
        ("linear:random(classes=1)", SpecError, "classes must be from 2 to 65536; got 1"),
        ("linear:random(seed=-1)", SpecError, "seed must be at least 0; got -1"),
        ("linear:random(size=9000, classes=65536)", SpecError, "out of what is sensible"),
    ],
)
def test_what_cannot_be_opened_says_why(tmp_path, monkeypatch, spec, error, said):
    monkeypatch.chdir(tmp_path)
    save("odd.npz", w=np.zeros((10, 2)), b=np.zeros(2))
    save("bare.npz", w=np.zeros((12, 2)))
    save("words.npz", w=np.full((12, 2), "a"), b=np.zeros(2))
    save("objects.npz", w=np.array([[{}]], object), b=np.zeros(1))
    save("good.npz", w=np.zeros((12, 2)), b=np.zeros(2))
    (tmp_path / "text.npz").write_text("no")
    with pytest.raises(error, match=said):
        open_model(spec)

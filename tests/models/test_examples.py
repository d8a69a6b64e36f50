"""The examples that users copy do what they say, on real weights and real pictures."""

import importlib.util

import numpy as np
import pytest
from PIL import Image

import brittle
from brittle import labels
from brittle.labels import many
from brittle.models import Settings, open_model
from brittle.multilabel import average_precision, mean
from tests.helpers import models as helpers
from tests.helpers.shared import needs_shared, shared
from tests.models.examples import MEAN, NUMBERS, STD

has_weights = pytest.mark.skipif(
    importlib.util.find_spec("efficientnet_lite_pytorch") is None,
    reason="efficientnet_lite_pytorch is not installed: make models",
)


def read(path):
    return np.asarray(Image.open(path).convert("RGB"))


@has_weights
@needs_shared
def test_efficientnet_knows_photographs():
    model = open_model("python:examples.efficientnet_lite0:load")
    assert model.classes == labels.known("imagenet")
    files = sorted(shared("images", "imagenet-val").glob("n*/*"))[::40]
    pictures = np.stack([model.prepare(read(path)) for path in files])
    found = model.predict(pictures).logits
    assert np.allclose(found, helpers.efficientnet_lite0()(pictures), atol=1e-4)
    said = [model.classes[top] for top in found.argmax(1)]
    right = [path.parent.name == name for path, name in zip(files, said, strict=True)]
    assert len(files) >= 20
    assert np.mean(right) > 0.6


def small_cifar(root):
    """Plain colours with noise for CIFAR's classes, so that a network learns them at once."""
    rng = np.random.default_rng(0)
    for number, name in enumerate(labels.known("cifar10")):
        for split in ("train", "test"):
            folder = root / split / name
            folder.mkdir(parents=True)
            colour = np.array([number % 3, number // 3 % 3, number // 9]) * 120
            for at in range(5):
                noise = rng.integers(0, 16, (32, 32, 3))
                Image.fromarray((colour + noise).astype(np.uint8)).save(folder / f"{at}.png")
    return root


def test_scenes_are_written_learnt_and_read_again(tmp_path, capsys):
    from examples import cifar_scenes

    weights = tmp_path / "out" / "scenes.safetensors"
    counts = ["--scenes", "3840", "--val", "40", "--ood", "30"]
    place = [str(small_cifar(tmp_path / "cifar")), str(tmp_path / "out")]
    cifar_scenes.main([*place, "--weights", str(weights), *counts])
    said = float(capsys.readouterr().out.rpartition("mAP ")[2].split()[0])
    assert said > 80

    val, ood = (brittle.open_source(tmp_path / "out" / name) for name in ("val", "ood"))
    assert (val.kind, len(val.items), len(ood.items)) == ("csv", 40, 30)
    assert set(val.classes) == set(cifar_scenes.KNOWN)
    assert ood.classes == cifar_scenes.HELD_OUT
    counts = {len(many.split(item.label)) for item in val.items}
    assert counts == {1, 2, 3, 4}

    pools = cifar_scenes.read(tmp_path / "cifar", "test")
    pixels, label = cifar_scenes.scene(pools, cifar_scenes.KNOWN, "val-00007")
    assert np.array_equal(val.load(val.items[7]), pixels)
    assert val.items[7].label == label
    # Every tile is a picture of a class of the label, and every class has a tile.
    tiles = [pixels[y : y + 32, x : x + 32] for y in (0, 32) for x in (0, 32)]
    shown = {
        name
        for name, pool in pools.items()
        for tile in tiles
        if (pool == tile).all((1, 2, 3)).any()
    }
    assert shown == set(many.split(label))

    model = open_model(f"python:examples.cifar_scenes:load(weights={weights})")
    assert model.classes == cifar_scenes.KNOWN
    scenes = np.stack([model.prepare(val.load(item)) for item in val.items])
    truth = many.matrix([item.label for item in val.items], model.classes)
    found = 100 * mean(average_precision(model.predict(scenes).logits, truth))[0]
    assert found == pytest.approx(said, abs=0.01)


@needs_shared
@pytest.mark.parametrize("depth", [20, 56])
def test_residual_networks_of_cifar_take_their_weights(depth):
    path = shared("weights", f"cifar10_resnet{depth}.safetensors")
    model = open_model(
        f'torch:{path}(architecture="examples.cifar_resnet:resnet{depth}", size=32, {NUMBERS})',
        Settings(classes=labels.known("cifar10"), features=True),
    )
    batch = np.random.default_rng(0).integers(0, 256, (6, 32, 32, 3), dtype=np.uint8)
    found = model.predict(batch)
    assert np.allclose(found.logits, helpers.cifar_resnet(depth)(batch), atol=1e-4)
    assert found.features.shape == (6, 64)
    assert helpers.IMAGENET_MEAN == MEAN
    assert helpers.IMAGENET_STD == STD

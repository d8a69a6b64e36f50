"""The examples that users copy do what they say, on real weights and real pictures."""

import importlib.util

import numpy as np
import pytest
from PIL import Image

from brittle import labels
from brittle.models import Settings, open_model
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

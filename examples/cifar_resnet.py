"""He et al.'s residual networks for CIFAR-10, as an architecture for weights in a file.

    brittle evaluate 'torch:resnet20.safetensors(architecture="examples.cifar_resnet:resnet20",
      size=32, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])' --classes cifar10
      --suite cifar10-c --data cifar-10-batches-py -o runs/resnet20

Reference: He, Zhang, Ren, Sun, "Deep residual learning for image recognition", CVPR 2016,
section 4.2; shortcuts without parameters (option A).
"""

import torch
from torch import nn


def resnet20(classes: int = 10) -> nn.Module:
    """Return the network of 20 layers, with random weights."""
    return ResNet(blocks=3, classes=classes)


def resnet56(classes: int = 10) -> nn.Module:
    """Return the network of 56 layers, with random weights."""
    return ResNet(blocks=9, classes=classes)


class ResNet(nn.Module):
    """Three stages of `blocks` residual blocks at 32, 16 and 8 pixels, then the mean."""

    def __init__(self, blocks: int, classes: int) -> None:
        """Build 6 * blocks + 2 layers."""
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.layer1 = _stage(16, 16, 1, blocks)
        self.layer2 = _stage(16, 32, 2, blocks)
        self.layer3 = _stage(32, 64, 2, blocks)
        self.linear = nn.Linear(64, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return logits of N x 3 x 32 x 32."""
        x = torch.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.linear(x.mean(dim=(2, 3)))


class Block(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        """Take `inputs` channels, give `outputs`."""
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.stride = stride
        self.added = outputs - inputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add what the convolutions found to what came in."""
        found = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        # The shortcut drops pixels and adds channels of nought on both sides.
        kept = x[:, :, :: self.stride, :: self.stride]
        before = self.added // 2
        kept = nn.functional.pad(kept, (0, 0, 0, 0, before, self.added - before))
        return torch.relu(found + kept)


def _stage(inputs: int, outputs: int, stride: int, blocks: int) -> nn.Sequential:
    rest = (Block(outputs, outputs, 1) for _ in range(blocks - 1))
    return nn.Sequential(Block(inputs, outputs, stride), *rest)

"""Scenes of CIFAR-10 pictures, two by two, and a small network that names all classes in them.

    python -m examples.cifar_scenes CIFAR OUT --weights OUT/scenes.safetensors

CIFAR is the folder of the pictures (`train/<class>/`, `test/<class>/`, or `cifar-10-batches-py`).
Eight classes are known; the network has a sigmoid for each. Two are held out, and scenes of
nothing but these are the anomalies. `OUT/val` and `OUT/ood` are written with a `labels.csv` each,
as brittle reads them. The weights serve as

    python:examples.cifar_scenes:load(weights=OUT/scenes.safetensors)
"""

import argparse
import csv
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from torch import nn

import brittle
from brittle import labels, seeds
from brittle.labels import many
from brittle.models import Model, Settings, torch_model
from brittle.multilabel import average_precision, mean
from brittle.types import UInt8

HELD_OUT = ("frog", "ship")
KNOWN = tuple(name for name in labels.known("cifar10") if name not in HELD_OUT)
MEAN, STD = [0.49, 0.48, 0.45], [0.25, 0.24, 0.26]

Pools = Mapping[str, UInt8]
"""Class name -> its pictures, N x 32 x 32 x 3, in the order of their keys."""


def scene(pools: Pools, classes: Sequence[str], key: str, seed: int = 0) -> tuple[UInt8, str]:
    """Compose the scene of a key, 64 x 64 x 3, of one to four of the classes; return its label too.

    It depends on (seed, key, pictures, classes) and on nothing else.
    """
    words = iter(np.random.PCG64(seeds.stream(seed, "cifar-scenes", key)).random_raw(24).tolist())

    def draw(count: int) -> int:
        return next(words) % count

    rest = list(classes)
    names = [rest.pop(draw(len(rest))) for _ in range(1 + draw(min(4, len(rest))))]
    tiles = names + [names[draw(len(names))] for _ in range(4 - len(names))]
    tiles = [tiles.pop(draw(len(tiles))) for _ in range(4)]
    shown = [pools[name][draw(len(pools[name]))] for name in tiles]
    return np.block([[[shown[0]], [shown[1]]], [[shown[2]], [shown[3]]]]), many.join(names)


class Network(nn.Module):
    """Convolutions at a half, a quarter and an eighth of the size; the maximum over places."""

    def __init__(self, classes: int = len(KNOWN)) -> None:
        """Build it with random weights."""
        super().__init__()
        self.layers = nn.Sequential(
            _layer(3, 32, 2), _layer(32, 64, 2), _layer(64, 64, 1),
            _layer(64, 128, 2), _layer(128, 128, 1),
        )  # fmt: skip
        self.linear = nn.Linear(128, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return N x classes logits, each of a sigmoid of its own."""
        return self.linear(self.layers(x).amax(dim=(2, 3)))


def _layer(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def load(weights: str, settings: Settings | None = None) -> Model:
    """Return the network with weights from a file, its preprocessing and its eight classes."""
    network = Network()
    network.load_state_dict(load_file(weights))
    return torch_model(network, size=64, mean=MEAN, std=STD, classes=KNOWN, settings=settings)


def read(cifar: Path, split: str) -> dict[str, UInt8]:
    """Read CIFAR's pictures of a split by class."""
    folder = cifar / split
    source = (
        brittle.open_source(folder) if folder.is_dir() else brittle.open_source(cifar, split=split)
    )
    found: dict[str, list[UInt8]] = {name: [] for name in source.classes}
    for item in source.items:
        found[item.label or ""].append(source.load(item))
    return {name: np.stack(listed) for name, listed in found.items()}


def composed(
    pools: Pools, classes: Sequence[str], name: str, count: int
) -> tuple[UInt8, list[str]]:
    """Compose `count` scenes under the keys `name-00000` and so on."""
    made = [scene(pools, classes, f"{name}-{number:05d}") for number in range(count)]
    return np.stack([pixels for pixels, _ in made]), [label for _, label in made]


def train(pools: Pools, *, scenes: int, batch: int = 128, rate: float = 0.004) -> Network:
    """Fit the network to scenes that are each seen once, mirrored or not."""
    torch.manual_seed(0)
    network = Network().to(memory_format=torch.channels_last)
    steps = scenes // batch
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    begun = time.monotonic()
    for step in range(steps):
        pixels, names = composed(pools, KNOWN, f"train-{step}", batch)
        truth = torch.from_numpy(many.matrix(names, KNOWN)).float()
        logits = network(normalised(pixels[:, :, :: 1 - 2 * (step % 2)]))
        loss = nn.functional.binary_cross_entropy_with_logits(logits, truth)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 50 == 0:
            print(f"step {step}/{steps} loss {loss.item():.3f} {time.monotonic() - begun:.0f} s")
    return network.eval()


def normalised(pixels: UInt8) -> torch.Tensor:
    """Return what the network takes of uint8 pictures, as brittle gives it too."""
    x = torch.from_numpy(np.ascontiguousarray(pixels)).permute(0, 3, 1, 2).float() / 255
    x = (x - torch.tensor(MEAN).view(3, 1, 1)) / torch.tensor(STD).view(3, 1, 1)
    return x.contiguous(memory_format=torch.channels_last)


def write(out: Path, pixels: UInt8, names: Sequence[str], name: str) -> None:
    """Write scenes as PNG files with their table of labels."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "labels.csv", "w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["image", "labels"])
        for number, (picture, label) in enumerate(zip(pixels, names, strict=True)):
            Image.fromarray(picture).save(out / f"{name}-{number:05d}.png")
            rows.writerow([f"{name}-{number:05d}.png", label])


def main(argv: Sequence[str] | None = None) -> None:
    """Train, save the weights, write both sets, and say how good the network is."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("cifar", type=Path, metavar="CIFAR", help="folder of CIFAR-10's pictures")
    reader.add_argument("out", type=Path, metavar="OUT", help="folder for val and ood")
    reader.add_argument("--weights", type=Path, required=True, help="file for the weights")
    reader.add_argument("--scenes", type=int, default=160_000, help="to train on")
    reader.add_argument("--val", type=int, default=2000, help="scenes of known classes")
    reader.add_argument("--ood", type=int, default=1000, help="scenes of held-out classes")
    reader.add_argument("--threads", type=int, help="of the processor (default: as torch will)")
    args = reader.parse_args(argv)
    if args.threads is not None:
        torch.set_num_threads(args.threads)
    network = train(read(args.cifar, "train"), scenes=args.scenes)
    args.weights.parent.mkdir(parents=True, exist_ok=True)
    state = {name: value.contiguous() for name, value in network.state_dict().items()}
    save_file(state, args.weights)
    tests = read(args.cifar, "test")
    pixels, names = composed(tests, KNOWN, "val", args.val)
    write(args.out / "val", pixels, names, "val")
    write(args.out / "ood", *composed(tests, HELD_OUT, "ood", args.ood), "ood")
    model = load(str(args.weights))
    logits = np.concatenate([model.predict(part).logits for part in np.array_split(pixels, 8)])
    found = average_precision(logits, many.matrix(names, KNOWN))
    for name, value in zip(KNOWN, found.values[0], strict=True):
        print(f"{name:12} AP {100 * value:.1f}")
    print(f"mAP {100 * mean(found)[0]:.2f} on {len(names)} scenes of known classes")


if __name__ == "__main__":
    main()

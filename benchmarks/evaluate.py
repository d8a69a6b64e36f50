"""How much of a model's own speed `brittle evaluate` keeps, and how much memory it takes.

The peer is the bare model on ready batches: the same pictures, batch size and threads, nothing
decoded, corrupted or stored. Both take turns in one process; the best of all rounds counts.

    python -m benchmarks.evaluate PICTURES --assets FROST [--images 8] [--rounds 3]
    python -m benchmarks.evaluate PICTURES --suite imagenet-p
    python -m benchmarks.evaluate --cifar PICTURES --weights cifar10_resnet20.safetensors
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.build import high_water, linked
from brittle import assets, editions, suites
from brittle._evaluate import evaluate
from brittle.executors import usable_cores
from brittle.models import Model, Settings, open_model
from brittle.sources import open_source

LITE0 = "python:examples.efficientnet_lite0:load"
RESNET = (
    'torch:{}(architecture="examples.cifar_resnet:resnet20", size=32, '
    "mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])"
)
SMALL, LARGE = 500, 5000
FEW = ["gaussian_noise(severity=3)", "fog(severity=3)", "jpeg_compression(severity=3)"]


def bare(model: Model, ready: Sequence[Any], batch: int, count: int) -> float:
    """Return the pictures a second of the model alone."""
    blocks = [np.stack([ready[(i + j) % len(ready)] for j in range(batch)]) for i in range(8)]
    begun, done = time.perf_counter(), 0
    while done < count:
        model.predict(blocks[done // batch % len(blocks)])
        done += batch
    return done / (time.perf_counter() - begun)


def measured(model: Model, source: Any, suite: str, batch: int, limit: int, out: Path) -> float:
    """Return the predictions a second of an evaluation, from the first picture to the last part."""
    run = evaluate(model, data=source, suite=suite, batch=batch, limit=limit, out=out, classes=None)
    session = run.info["sessions"][-1]
    return float(session["predictions"] / session["seconds"])


def some_of(suite: str, images: Sequence[tuple[str, Any]]) -> tuple[list[Any], int]:
    """Return some of a suite's pictures of these images, and how many it makes of each."""
    asked = suites.get(suite)
    if moved := asked.sequences():
        frames = [
            frame
            for number, (key, pixels) in enumerate(images)
            for frame in moved[number % len(moved)].frames(pixels, seed=0, key=key)
        ]
        return frames[::5], sum(one.count for one in moved)
    edition, conditions = editions.get(asked.edition), asked.conditions()
    clean = [(key, edition.prepare(pixels)) for key, pixels in images]
    ready = [
        made.apply(pixels, seed=0, key=key) for key, pixels in clean for made in conditions[::5]
    ]
    return ready, len(conditions) + 1


def speed(args: argparse.Namespace, scratch: Path) -> None:
    cifar = args.cifar is not None
    pictures, usual = (args.cifar, "cifar10-c") if cifar else (args.pictures, "imagenet-c")
    suite = args.suite or usual
    spec = RESNET.format(args.weights) if cifar else LITE0
    source = open_source(pictures)
    items = source.items[:: max(1, len(source.items) // 16)][:16]
    ready, each = some_of(suite, [(item.key, source.load(item)) for item in items])
    count = args.images * each
    print(f"{suite}, {args.images} images x {each} pictures, batch {args.batch}")
    print("\n| model's threads | bare, images/s | evaluate, images/s | share |\n|--:|--:|--:|--:|")
    for threads in range(1, min(2, usable_cores()) + 1):
        model = open_model(spec, Settings(threads=threads))
        bare(model, ready, args.batch, 2 * args.batch)
        best = [0.0, 0.0]
        for number in range(args.rounds):
            out = scratch / f"run-{threads}-{number}"
            best[0] = max(best[0], bare(model, ready, args.batch, count))
            rate = measured(model, source, suite, args.batch, args.images, out)
            best[1] = max(best[1], rate)
        print(
            f"| {threads} | {best[0]:.1f} | {best[1]:.1f} | {best[1] / best[0]:.2f} |", flush=True
        )


def memory(pictures: Path, scratch: Path) -> None:
    print("\n| images | peak memory, MiB |\n|--:|--:|")
    for count in (SMALL, LARGE):
        place = linked(pictures, scratch / f"source{count}", count)
        command = [sys.executable, "-m", "benchmarks.evaluate", "--one", str(place)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(f"| {count} | {json.loads(said.splitlines()[-1])['mib']:.0f} |", flush=True)


def one(source: Path) -> None:
    """Evaluate a light model in this process and print its peak memory."""
    names = [f"class_{number:04d}" for number in range(LARGE // 50)]
    run = evaluate(
        "linear:random(classes=100, size=224)",
        data=source,
        suite=None,
        conditions=FEW,
        edition="imagenet-224",
        classes=names,
        batch=32,
    )
    scores = run.scores()
    print(json.dumps({"mib": high_water(), "scores": [score.name for score in scores]}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", type=Path, nargs="?", help="ImageNet pictures by wnid")
    parser.add_argument("--cifar", type=Path, help="CIFAR-10 pictures by class, instead")
    parser.add_argument("--weights", type=Path, help="ResNet-20's weights for --cifar")
    parser.add_argument("--suite", help="another than imagenet-c or cifar10-c")
    parser.add_argument("--assets", help="folder with the frost photographs")
    parser.add_argument("--images", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--memory", action="store_true", help="measure memory as well")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.one is not None:
        one(args.one)
        return
    assets.use(args.assets)
    print(f"{platform.machine()}, {usable_cores()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        speed(args, Path(folder))
        if args.memory:
            memory(args.pictures or args.cifar, Path(folder))
    print(f"\nload {os.getloadavg()[0]:.1f} at the end, best of {args.rounds} rounds")


if __name__ == "__main__":
    main()

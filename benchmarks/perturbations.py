"""Milliseconds a frame for every perturbation at 224x224, beside a network that looks at it.

    python -m benchmarks.perturbations [PICTURES]

PICTURES is a folder of photographs (default: the reference data's, where they are). A figure is the
mean over pictures of the best of the repeats for a whole sequence: draws and crops, but neither
decoding nor preparing the picture. `share` is that of EfficientNet-Lite0's forward pass for one
picture of a batch, on one thread in the same run, in turns with the perturbations. `two threads` is
the throughput of two sequences at once over one, and needs a machine with nothing else to do.
"""

import argparse
import json
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

for variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{variable}_NUM_THREADS"] = "1"

import cv2  # noqa: E402
import numpy as np  # noqa: E402

import brittle  # noqa: E402
from brittle import editions  # noqa: E402
from brittle.models import Settings, open_model  # noqa: E402
from brittle.perturbations import PERTURBATIONS  # noqa: E402
from brittle.sequences import sequence  # noqa: E402

LITE0 = "python:examples.efficientnet_lite0:load"
BATCH = 16
LIMIT = 0.1
"""The share of a forward pass that a frame may cost."""


def pictures(folder, count):
    source = brittle.open_source(folder)
    step = max(len(source.items) // count, 1)
    wide = editions.get("imagenet-224").wide
    return [wide(source.load(item)) for item in source.items[::step][:count]]


def once(job):
    """Make all frames of one sequence and let go of them."""
    made, wide, stream = job
    count = 0
    for _ in made.part(wide.pixels, made.row, stream, wide.crop):
        count += 1
    return count


def best(function, repeat):
    found = math.inf
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        found = min(found, time.perf_counter() - start)
    return found


def forward(images, repeat):
    """Return what makes a forward pass on one thread take its turn: it returns ms a picture."""
    model = open_model(LITE0, Settings(threads=1))
    batch = np.stack([wide.crop.of(wide.pixels) for wide in images])
    batch = np.resize(batch, (BATCH, *batch.shape[1:]))
    model.predict(batch)
    return lambda: 1000 * best(lambda: model.predict(batch), repeat) / BATCH


def measure(name, images, repeat):
    """Return ms a frame on one thread and the gain of two."""
    made = sequence(name, edition="imagenet-224")
    jobs = [(made, wide, number) for number, wide in enumerate(images)]
    once(jobs[0])
    alone = sum(best(lambda job=job: once(job), repeat) for job in jobs)
    one = two = math.inf
    with ThreadPoolExecutor(2) as pool:
        for _ in range(repeat):
            one = min(one, best(lambda: [once(job) for job in jobs], 1))
            two = min(two, best(lambda: list(pool.map(once, jobs)), 1))
    return 1000 * alone / (len(jobs) * made.count), one / two


def main():
    here = Path(__file__).resolve().parents[1]
    shared = Path(os.environ.get("BRITTLE_SHARED", here.parent / "shared"))
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("pictures", nargs="?", default=shared / "images" / "imagenet-val")
    reader.add_argument("--images", type=int, default=4)
    reader.add_argument("--repeat", type=int, default=9)
    reader.add_argument("--json", help="also write the figures here")
    options = reader.parse_args()
    cv2.setNumThreads(1)
    images = pictures(options.pictures, options.images)
    turn = forward(images, 3)
    found, passes = {}, []
    for name in PERTURBATIONS.names():
        found[name] = measure(name, images, options.repeat)
        passes.append(turn())
    whole = min(passes)
    print(f"EfficientNet-Lite0: {whole:.1f} ms a picture, one thread, batch {BATCH}\n")
    print("| perturbation | ms a frame | share | frames | two threads |\n|---|--:|--:|--:|--:|")
    for name, (each, gain) in found.items():
        count = sequence(name, edition="imagenet-224").count
        print(f"| {name} | {each:.3f} | {each / whole:.4f} | {count} | {gain:.2f} |")
    slow = [name for name, (each, _) in found.items() if each > LIMIT * whole]
    print(f"\nOver {LIMIT:g} of a forward pass: {', '.join(slow) or 'none'}.")
    if options.json:
        Path(options.json).write_text(json.dumps({"forward": whole, "frames": found}))


if __name__ == "__main__":
    sys.exit(main())

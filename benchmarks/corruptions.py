"""Milliseconds an image for every corruption, beside the peers, as a Markdown table.

    python benchmarks/corruptions.py PICTURES [--peer .venv-peer/bin/python]

PICTURES is a folder of photographs (default: the reference data's, where they are). They are
prepared to 224x224 first. Peers: the reference code's figures as recorded (`REFERENCE`, one core),
and the PyPI package imagecorruptions, timed in the same run by the Python of its own environment
(`benchmarks/peer_env.sh` makes it). A figure is the mean over images and the five severities of the
best of the repeats; `two threads` is the throughput of a batch on two threads against one.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{variable}_NUM_THREADS"] = "1"

import cv2  # noqa: E402
import numpy as np  # noqa: E402

import brittle.assets  # noqa: E402
from brittle import editions  # noqa: E402
from brittle.corruptions import CORRUPTIONS  # noqa: E402

# Recorded of the reference code on one core, 224x224, in ms an image and severity.
REFERENCE = {
    "gaussian_noise": 4.4,
    "shot_noise": 10.6,
    "impulse_noise": 4.3,
    "defocus_blur": 3.4,
    "glass_blur": 739,
    "motion_blur": 64,
    "zoom_blur": 64,
    "snow": 30,
    "frost": 4.7,
    "fog": 2.8,
    "brightness": 15.7,
    "contrast": 1.3,
    "elastic_transform": 21,
    "pixelate": 0.34,
    "jpeg_compression": 0.5,
    "speckle_noise": 2.4,
    "gaussian_blur": 2.3,
    "spatter": 3.6,
    "saturate": 15.9,
}
SEVERITIES = (1, 2, 3, 4, 5)


def pictures(folder, count):
    source = brittle.open_source(folder)
    step = max(len(source.items) // count, 1)
    prepare = editions.get("imagenet-224").prepare
    return [prepare(source.load(item)) for item in source.items[::step][:count]]


def measure(images, name, repeat):
    """Mean ms an image and severity on one thread, through the public function."""
    total = 0.0
    for severity in SEVERITIES:
        brittle.corrupt(images[0], name, severity=severity, edition="imagenet-224", key="warm")
        for number, image in enumerate(images):
            best = math.inf
            for _ in range(repeat):
                start = time.perf_counter()
                brittle.corrupt(
                    image, name, severity=severity, edition="imagenet-224", key=str(number)
                )
                best = min(best, time.perf_counter() - start)
            total += best
    return 1000 * total / (len(images) * len(SEVERITIES))


def speed_up(images, name, repeat, each):
    """Throughput of a batch on two threads over that on one; a batch lasts a fifth of a second."""
    batch = np.stack(images * math.ceil(max(48, 200 / each) / len(images)))
    keys = [str(number) for number in range(len(batch))]

    def once(workers):
        start = time.perf_counter()
        brittle.corrupt_batch(
            batch, name, keys=keys, severity=3, edition="imagenet-224", workers=workers
        )
        return time.perf_counter() - start

    once(2)
    return min(once(1) for _ in range(repeat)) / min(once(2) for _ in range(repeat))


def peer_times(python, images, repeat):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "images.npy"
        np.save(file, np.stack(images))
        script = Path(__file__).with_name("peer_imagecorruptions.py")
        done = subprocess.run(
            [python, script, file, "--repeat", str(repeat), "--threads", "1"],
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stdout)


def ratio(theirs, mine):
    return f"{theirs / mine:.1f}" if theirs else "-"


def summary(title, theirs, mine, names):
    shared = [name for name in names if theirs.get(name)]
    ratios = [theirs[name] / mine[name] for name in shared]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    whole = sum(theirs[name] for name in shared) / sum(mine[name] for name in shared)
    least = min(zip(ratios, shared, strict=True))
    return (
        f"{title}: geometric mean {mean:.1f}x, sum {whole:.1f}x over {len(shared)} corruptions; "
        f"least {least[0]:.1f}x ({least[1]})."
    )


def main():
    here = Path(__file__).resolve().parents[1]
    shared = Path(os.environ.get("BRITTLE_SHARED", here.parent / "shared"))
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("pictures", nargs="?", default=shared / "images" / "imagenet-val")
    reader.add_argument("--images", type=int, default=4)
    reader.add_argument("--repeat", type=int, default=7)
    reader.add_argument("--peer", help="the Python of the peer's environment")
    reader.add_argument("--assets", default=shared / "reference" / "frost")
    reader.add_argument("--json", help="also write the figures here")
    options = reader.parse_args()
    cv2.setNumThreads(1)
    brittle.assets.use(options.assets)
    images = pictures(options.pictures, options.images)
    mine = {name: measure(images, name, options.repeat) for name in CORRUPTIONS.names()}
    peer = peer_times(options.peer, images, 3) if options.peer else {"ms": {}}
    two = {name: speed_up(images, name, 5, mine[name]) for name in mine}
    fifteen = [name for name in REFERENCE if not CORRUPTIONS.load(name).extra]
    heads = ("corruption", "brittle, ms", "reference, ms", "ratio", "imagecorruptions, ms", "ratio")
    print(f"| {' | '.join(heads)} | two threads |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, recorded in REFERENCE.items():
        theirs = peer["ms"].get(name)
        print(
            f"| {name} | {mine[name]:.2f} | {recorded} | {ratio(recorded, mine[name])} | "
            f"{'-' if theirs is None else f'{theirs:.2f}'} | {ratio(theirs, mine[name])} | "
            f"{two[name]:.2f} |"
        )
    print(f"\nSum of the fifteen: {sum(mine[name] for name in fifteen):.1f} ms an image.")
    print(summary("Against the recorded reference", REFERENCE, mine, fifteen))
    if options.peer:
        print(summary("Against imagecorruptions in this run", peer["ms"], mine, fifteen))
        print(f"Peer: {json.dumps(peer['versions'])}")
        for name, reason in peer["failed"].items():
            print(f"Peer's {name} no longer runs: {reason}")
    if options.json:
        Path(options.json).write_text(json.dumps({"brittle": mine, "peer": peer, "two": two}))


if __name__ == "__main__":
    sys.exit(main())

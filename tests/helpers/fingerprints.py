"""Digests of what every corruption makes of one picture; run as a program, prints them as JSON.

`python -m tests.helpers.fingerprints --threads 3 --shuffle` must print the same on every machine.
"""

import argparse
import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from brittle.conditions import condition
from brittle.corruptions import CORRUPTIONS

SIDES = {"imagenet-224": 224, "inception-299": 299, "imagenet-64": 64, "cifar-32": 32}


def picture(height, width):
    """A picture of gradients, edges and texture, made of whole numbers only."""
    y, x = np.mgrid[:height, :width].astype(np.int64)
    waves = (x * 7 + y * 3) % 256, (x * y // 5 + 40) % 256, (x * x // 37 + y * 2) % 256
    image = np.stack(waves, axis=2)
    image[height // 3 : height // 2, width // 4 : width // 2] //= 3
    image[: height // 5] = 200 + (x[: height // 5, :, None] % 40)
    return np.clip(image, 0, 255).astype(np.uint8)


def flat():
    """All 256 levels as flat squares: where truncation shows the last bit of a weight."""
    level = np.arange(256, dtype=np.uint8).reshape(16, 16)
    return np.repeat(np.repeat(level, 16, 0), 16, 1)[:, :, None].repeat(3, 2)


def jobs():
    """Yield (name, picture, condition): each corruption, edition and every other severity."""
    for name in CORRUPTIONS.names():
        frozen = ", texture=procedural" if name == "frost" else ""
        for edition, side in SIDES.items():
            for severity in (1, 3, 5):
                made = condition(f"{name}(severity={severity}{frozen})", edition=edition)
                yield f"{edition}/{made}", picture(side, side), made
            made = condition(f"{name}(severity=4{frozen})", edition=edition)
            yield f"{edition}/{made}/flat", flat(), made
        made = condition(f"{name}(severity=2{frozen})+jpeg_compression(severity=1)")
        yield f"any/{made}", picture(61, 97), made


def digest(job):
    """Return the name of a job and the digest of its pixels."""
    name, pixels, made = job
    out = made.apply(pixels, seed=7, key="fingerprint")
    return name, hashlib.blake2b(out.data, digest_size=12).hexdigest()


def digests(threads=1, shuffle=False):
    """Return all digests by name, made by that many threads, in a random order if asked."""
    work = list(jobs())
    if shuffle:
        random.shuffle(work)
    with ThreadPoolExecutor(threads) as pool:
        return dict(sorted(pool.map(digest, work)))


if __name__ == "__main__":
    reader = argparse.ArgumentParser()
    reader.add_argument("--threads", type=int, default=1)
    reader.add_argument("--shuffle", action="store_true")
    chosen = reader.parse_args()
    print(json.dumps(digests(chosen.threads, chosen.shuffle), indent=1))

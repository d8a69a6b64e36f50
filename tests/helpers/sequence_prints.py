"""Digests of the frames that every perturbation makes; run as a program, prints them as JSON.

`python -m tests.helpers.sequence_prints --threads 3 --shuffle` must print the same on every
machine.
"""

import argparse
import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor

from brittle.perturbations import PERTURBATIONS
from brittle.sequences import sequence
from tests.helpers.fingerprints import flat, picture

SIZES = {
    "imagenet-224": (240, 310),
    "inception-299": (200, 170),
    "imagenet-64": (90, 80),
    "tiny-imagenet-64": (80, 100),
    "cifar-32": (32, 32),
    "any": (61, 97),
}


def jobs():
    """Yield (name, picture, sequence): each perturbation, edition and strength, few frames."""
    for name in PERTURBATIONS.names():
        for edition, size in SIZES.items():
            for strength in range(1, len(PERTURBATIONS.load(name).tables["imagenet-224"]) + 1):
                chosen = f"strength={strength}, " if strength > 1 else ""
                made = sequence(f"{name}({chosen}frames=7)", edition=edition)
                yield f"{edition}/{made}", picture(*size), made
        whole = sequence(name)
        yield f"any/{whole}/flat", flat(), whole


def digest(job):
    """Return the name of a job and the digest of its frames."""
    name, pixels, made = job
    found = hashlib.blake2b(digest_size=12)
    for frame in made.frames(pixels, seed=7, key="fingerprint"):
        found.update(frame.data)
    return name, found.hexdigest()


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

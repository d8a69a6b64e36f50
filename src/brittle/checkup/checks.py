"""A second's work that shows whether this machine makes the bytes of the release.

A handful of corruptions that between them use what can differ from machine to machine: compiled
kernels, the generator, OpenCV, Pillow and its JPEG. Their digests are in `golden.json`, made by
`python -m tests.helpers.selftest_prints`. The project's tests hold every corruption, this a few.
"""

import hashlib
import json
import time
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from brittle.types import Pixels

EDITION = "imagenet-64"
SPECS = (
    "contrast(severity=3)",
    "elastic_transform(severity=3)",
    "fog(severity=3)",
    "gaussian_noise(severity=3)",
    "glass_blur(severity=3)",
    "jpeg_compression(severity=3)",
    "pixelate(severity=3)",
    "spatter(severity=4)",
)


class Check(NamedTuple):
    """One corruption of the self-test."""

    name: str
    passed: bool
    found: str
    """The digest, or what went wrong."""
    expected: str
    seconds: float


def picture() -> "Pixels":
    """Return a picture of gradients, edges and texture, made of whole numbers only."""
    import numpy as np

    y, x = np.mgrid[:96, :96].astype(np.int64)
    made = np.stack([(x * 5 + y) % 256, (x * y // 7 + 30) % 256, (y * y // 23 + x) % 256], axis=2)
    made[30:52, 20:70] //= 3
    made[:16] = 190 + (x[:16, :, None] % 48)
    return np.asarray(made.astype(np.uint8))


def golden() -> dict[str, str]:
    """Return corruption -> the digest of the release."""
    found: dict[str, str] = json.loads(
        resources.files("brittle.checkup").joinpath("golden.json").read_text("utf-8")
    )
    return found


def selftest() -> tuple[Check, ...]:
    """Make every corruption of the self-test and compare its bytes."""
    known = golden()
    return tuple(_check(name, known.get(name, "no digest is known")) for name in SPECS)


def digest(name: str) -> str:
    """Return the digest of the picture under a corruption."""
    # Here, so that a library that is missing or broken is found out and not in the way.
    from brittle.conditions import condition

    made = condition(name, edition=EDITION).apply(picture(), seed=0, key="selftest")
    return hashlib.blake2b(made.data, digest_size=12).hexdigest()


def _check(name: str, expected: str) -> Check:
    begun = time.perf_counter()
    try:
        found = digest(name)
    except Exception as error:  # A broken library may raise anything; the doctor goes on.
        found = f"{type(error).__name__}: {error}"
    return Check(name, found == expected, found, expected, time.perf_counter() - begun)

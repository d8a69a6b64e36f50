"""Randomness, made in one place.

Everything that is drawn for an image by a part comes from one 64-bit key by counting: value i is a
function of (key, i). So the bytes depend on the seed, the part's spec and the image's key, and on
nothing else: not on order, threads, batches, processes or machines.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brittle.errors import SpecError
from brittle.types import UInt8

GENERATION = "brittle-1"
"""Names the derivation below; a change of it changes every drawn byte."""


def stream(seed: int, spec: str, key: str) -> int:
    """Hash (seed, spec, image key) to the 64-bit key of a counter-based stream.

    >>> hex(stream(0, "fog(severity=3)", "n01440764/x"))
    '0x58a008f1554a6966'
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise SpecError(f"The seed must be a whole number; got {seed!r}.")
    hashed = hashlib.blake2b(digest_size=8)
    for field in (GENERATION, str(seed), spec, key):
        data = field.encode("utf-8", "surrogatepass")
        hashed.update(len(data).to_bytes(8, "little"))
        hashed.update(data)
    return int.from_bytes(hashed.digest(), "little")


def half(keys: Sequence[str], seed: int = 0) -> NDArray[np.bool_]:
    """Return which images are in the half to fit on: by their keys, whatever their order."""
    return np.array([stream(seed, "temperature", key) & 1 == 0 for key in keys], np.bool_)


def content_key(image: UInt8) -> str:
    """Return a key made of the pixels, for a caller who has no name for the image.

    Equal pixels get equal draws; different pictures get different ones.
    """
    data = np.ascontiguousarray(image)
    digest = hashlib.blake2b(data.data, digest_size=16)
    digest.update(repr(data.shape).encode())
    return f"content:{digest.hexdigest()}"

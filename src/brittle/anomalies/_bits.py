"""Plain random bits of a stream, for pictures whose values are all equally likely."""

import math

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle._random import bits
from brittle.types import Shape, UInt8


def random_bytes(stream: int, count: int) -> UInt8:
    """Return the first bytes of a stream, eight to a count, the lowest first on every machine."""
    words = np.empty(-(-count // 8), np.uint64)
    _words(np.uint64(stream), words)
    return words.astype("<u8", copy=False).view(np.uint8)[:count]


def levels(stream: int, shape: Shape, row: object) -> UInt8:  # noqa: ARG001
    """Draw a byte for each value of a picture."""
    return random_bytes(stream, math.prod(shape)).reshape(shape)


def coins(stream: int, shape: Shape, row: object) -> UInt8:  # noqa: ARG001
    """Draw 0 or 1 for each value of a picture."""
    count = math.prod(shape)
    drawn = np.unpackbits(random_bytes(stream, -(-count // 8)), bitorder="little")
    return drawn[:count].reshape(shape)


@kernel
def _words(key: np.uint64, out: NDArray[np.uint64]) -> None:
    for i in range(out.size):
        out[i] = bits(key, np.uint64(i))

"""The counter-based generator inside the kernels: value i of a stream is a function of (key, i).

SplitMix64's finaliser (Steele, Lea and Flood 2014) over key + i * odd constant; the streams of two
images are windows of one sequence of period 2^64 at places chosen by a 64-bit hash.
"""

import numpy as np

from brittle._jit import inlined, kernel
from brittle.types import Plane

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@inlined
def bits(key: np.uint64, count: np.uint64) -> np.uint64:
    """Return 64 random bits, the `count`-th of the stream."""
    z = key + (count + np.uint64(1)) * _GAMMA
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@inlined
def unit(key: np.uint64, count: np.uint64) -> float:
    """Return a number in [0, 1) with 53 random bits, the `count`-th of the stream."""
    return float(bits(key, count) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def uniforms(key: np.uint64, start: int, low: float, high: float, out: Plane) -> None:
    """Fill a flat array with uniform numbers in [low, high), counting from `start`."""
    for i in range(out.size):
        out[i] = low + (high - low) * unit(key, np.uint64(start + i))

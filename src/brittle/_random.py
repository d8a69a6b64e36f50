"""The counter-based generator inside the kernels: value i of a stream is a function of (key, i).

SplitMix64's finaliser (Steele, Lea and Flood 2014) over key + i * odd constant; the streams of two
images are windows of one sequence of period 2^64 at places chosen by a 64-bit hash.
"""

import math

import numpy as np
from numpy.typing import NDArray

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
def fork(key: np.uint64, count: np.uint64) -> np.uint64:
    """Return the key of a stream of its own, the `count`-th of those that `key` can give."""
    return bits(key, count)


@kernel
def uniforms(key: np.uint64, start: int, low: float, high: float, out: Plane) -> None:
    """Fill a flat array with uniform numbers in [low, high), counting from `start`."""
    for i in range(out.size):
        out[i] = low + (high - low) * unit(key, np.uint64(start + i))


def _ziggurat() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the layers of Marsaglia and Tsang's ziggurat (2000): 256 areas of equal size."""
    right, area = 3.6541528853610088, 0.004928673233974655
    edges = np.zeros(257)
    edges[0] = area / math.exp(-0.5 * right * right)
    edges[1] = right
    for layer in range(2, 256):
        height = area / edges[layer - 1] + math.exp(-0.5 * edges[layer - 1] ** 2)
        edges[layer] = math.sqrt(-2 * math.log(height))
    heights = np.array([math.exp(-0.5 * edge * edge) for edge in edges.tolist()])
    return edges, heights


_EDGES, _HEIGHTS = _ziggurat()
_RETRY = np.uint64(0xD1342543DE82EF95)


@inlined
def _signed(word: np.uint64, size: float) -> float:
    return -size if word & np.uint64(256) else size


@kernel
def _rejected(key: np.uint64, count: np.uint64, word: np.uint64) -> float:
    """Finish a normal number whose first try fell outside its layer's core."""
    again = key ^ _RETRY
    at = count * np.uint64(64)
    while True:
        layer = np.int64(word & np.uint64(255))
        size = float(word >> np.uint64(11)) * (1.0 / 9007199254740992.0) * _EDGES[layer]
        if size < _EDGES[layer + 1]:
            return _signed(word, size)
        if layer == 0:
            while True:
                step = -math.log(1.0 - unit(again, at)) / _EDGES[1]
                height = -math.log(1.0 - unit(again, at + np.uint64(1)))
                at += np.uint64(2)
                if height + height > step * step:
                    return _signed(word, _EDGES[1] + step)
        low, high = _HEIGHTS[layer], _HEIGHTS[layer + 1]
        if low + unit(again, at) * (high - low) < math.exp(-0.5 * size * size):
            return _signed(word, size)
        word = bits(again, at + np.uint64(1))
        at += np.uint64(2)


@kernel
def normals(key: np.uint64, mean: float, std: float, out: Plane) -> None:
    """Fill a flat array with N(mean, std) by the ziggurat method, number i from count i."""
    for i in range(out.size):
        word = bits(key, np.uint64(i))
        layer = np.int64(word & np.uint64(255))
        size = float(word >> np.uint64(11)) * (1.0 / 9007199254740992.0) * _EDGES[layer]
        if size < _EDGES[layer + 1]:
            out[i] = mean + std * _signed(word, size)
        else:
            out[i] = mean + std * _rejected(key, np.uint64(i), word)

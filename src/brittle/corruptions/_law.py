"""Per-pixel noise as a discrete law: for each of the 256 input levels, 256 probabilities.

A noise that acts on every channel value on its own is known exactly once the law of the output
level is known for every input level. Sampling is Walker's alias method (1977): 32 random bits a
value, eight for a column and 24 for its threshold, so a probability is kept to 2^-32.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from brittle._jit import inlined, kernel
from brittle._random import bits
from brittle.corruptions.base import PAPER, Corruption
from brittle.rows import R, Tables
from brittle.types import Pixels, Shape

Law = NDArray[np.float64]
"""256 x 256: row = input level, column = output level, rows sum to one."""
AliasTable = NDArray[np.uint32]
"""256 x 256: threshold in the upper 24 bits, alias in the lower eight."""


def alias_table(law: Law) -> AliasTable:
    """Turn a law into the table that the sampler reads."""
    table = np.empty((256, 256), np.uint32)
    _alias(np.ascontiguousarray(law, np.float64), table)
    return table


def normal_law(spread: Callable[[int], float]) -> Law:
    """Return the law of trunc(clip(level + N(0, spread(level)))), `spread` in 8-bit levels."""
    law = np.zeros((256, 256))
    for level in range(256):
        sigma = spread(level)
        if sigma == 0:
            law[level, level] = 1.0
            continue
        scale = 1 / (sigma * math.sqrt(2))
        below = [0.5 * math.erfc((level - edge) * scale) for edge in range(1, 256)]
        law[level] = np.diff([0.0, *below, 1.0])
    return law


def poisson_law(photons: float) -> Law:
    """Return the law of trunc(255 clip(Poisson(x photons) / photons)), x = level / 255."""
    found = np.zeros((256, 256))
    found[0, 0] = 1.0
    for level in range(1, 256):
        rate = level / 255 * photons
        # Twelve standard deviations and 40 counts hold all but 1e-30 of the mass.
        reach = 12 * math.sqrt(rate) + 40
        counts = np.arange(max(0, math.floor(rate - reach)), math.ceil(rate + reach))
        logs = [k * math.log(rate) - rate - math.lgamma(k + 1) for k in counts.tolist()]
        mass = np.array([math.exp(value) for value in logs])
        outputs = (np.clip(counts / photons, 0, 1) * 255).astype(np.uint8)
        np.add.at(found[level], outputs, mass / mass.sum())
    return found


@kernel
def _alias(law: Law, table: AliasTable) -> None:
    share = np.empty(256)
    small = np.empty(256, np.int64)
    large = np.empty(256, np.int64)
    for level in range(256):
        smalls, larges = 0, 0
        for column in range(256):
            share[column] = law[level, column] * 256.0
            if share[column] < 1.0:
                small[smalls] = column
                smalls += 1
            else:
                large[larges] = column
                larges += 1
        while smalls > 0 and larges > 0:
            smalls -= 1
            poor, rich = small[smalls], large[larges - 1]
            threshold = min(np.int64(share[poor] * 16777216.0 + 0.5), np.int64(16777215))
            table[level, poor] = np.uint32((threshold << 8) | rich)
            share[rich] -= 1.0 - share[poor]
            if share[rich] < 1.0:
                larges -= 1
                small[smalls] = rich
                smalls += 1
        for left in range(smalls):
            table[level, small[left]] = np.uint32((np.int64(16777215) << 8) | small[left])
        for left in range(larges):
            table[level, large[left]] = np.uint32((np.int64(16777215) << 8) | large[left])


@inlined
def _pick(level: np.uint8, word: np.uint32, table: AliasTable) -> np.uint8:
    column = word >> np.uint32(24)
    entry = table[level, column]
    return np.uint8(column if (word & np.uint32(0xFFFFFF)) < (entry >> np.uint32(8)) else entry)


@kernel
def sample(flat: NDArray[np.uint8], table: AliasTable, key: np.uint64, out: Pixels) -> None:
    """Draw every value of a flat array from the law of its level, two values to 64 bits."""
    for pair in range(flat.size // 2):
        word = bits(key, np.uint64(pair))
        out[2 * pair] = _pick(flat[2 * pair], np.uint32(word), table)
        out[2 * pair + 1] = _pick(flat[2 * pair + 1], np.uint32(word >> np.uint64(32)), table)
    if flat.size % 2:
        word = bits(key, np.uint64(flat.size // 2))
        out[flat.size - 1] = _pick(flat[flat.size - 1], np.uint32(word), table)


def _stream_itself(stream: int, shape: Shape, row: object) -> int:  # noqa: ARG001
    return stream


def noise(row: type[R], tables: Tables[R], law: Callable[[R], Law], *, extra: bool) -> Corruption:
    """Make the corruption that draws every value from the law of its level.

    It draws nothing in advance: the fused kernel counts through the stream, two values to 64 bits.
    """

    @lru_cache(maxsize=32)
    def tabulated(row: R) -> AliasTable:
        return alias_table(law(row))

    def apply(pixels: Pixels, row: R, draws: int) -> Pixels:
        out = np.empty_like(pixels)
        sample(pixels.reshape(-1), tabulated(row), np.uint64(draws), out.reshape(-1))
        return out

    return Corruption(
        citation=PAPER,
        row=row,
        tables=tables,
        draw=_stream_itself,
        apply=apply,
        group="noise",
        extra=extra,
    )

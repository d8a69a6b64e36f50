"""Separable Gaussian smoothing in double precision, in SciPy's order of operations.

The reference smooths with SciPy and truncates to 8 bit afterwards, so the order of the sums shows
in the bytes wherever a smoothed value lies on a whole level.
"""

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from brittle._exact import exp
from brittle._jit import kernel
from brittle._scratch import scratch
from brittle.types import Pixels

Border = Literal["nearest", "reflect", "mirror"]
"""`nearest` repeats the edge value; `reflect` mirrors with the edge repeated, `mirror` without."""
Field = NDArray[np.float64]
"""H x W x C numbers."""

DENSE = 512
"""The side up to which a wide Gaussian is a matrix an axis, its truncation and border folded in."""

UNIT = np.arange(256) / 255.0
"""The 256 levels on the scale 0..1."""


def smooth(
    field: Field, sigma: float, *, truncate: float = 4.0, border: Border, single: bool = False
) -> Field:
    """Return the field convolved with a Gaussian of that sigma, cut at `truncate` sigmas.

    The result is the thread's scratch memory, overwritten by the next call. `single` rounds to
    single precision after each axis, as SciPy does with such an array.
    """
    out: Field = scratch("smoothed", field.shape)
    if sigma < 1e-15:
        out[:] = field
        return out
    height, width, _ = field.shape
    radius = int(truncate * sigma + 0.5)
    if radius < min(height, width) or max(height, width) > DENSE:
        weights, rows = gauss_weights(sigma, radius), indices(height, radius, border)
        columns = indices(width, radius, border)
        _separable(field, weights, rows, columns, single, out)
    else:
        down = _matrix(height, sigma, radius, border)
        across = _matrix(width, sigma, radius, border)
        _dense(field, down, np.ascontiguousarray(across.T), single, out)
    return out


def blur(pixels: Pixels, sigma: float, *, truncate: float = 4.0) -> Pixels:
    """Return the pixels smoothed on the scale 0..1 with repeated edges, truncated to 8 bit."""
    field: Field = scratch("unit", pixels.shape)
    _to_unit(pixels.reshape(-1), UNIT, field.reshape(-1))
    return to_levels(smooth(field, sigma, truncate=truncate, border="nearest"))


def to_levels(field: Field) -> Pixels:
    """Clip to 0..1 and truncate to 8 bit."""
    out = np.empty(field.shape, np.uint8)
    _to_levels(field.reshape(-1), out.reshape(-1))
    return out


@kernel
def _to_unit(flat: Pixels, unit: NDArray[np.float64], into: NDArray[np.float64]) -> None:
    for i in range(flat.size):
        into[i] = unit[flat[i]]


@kernel
def _to_levels(flat: NDArray[np.float64], into: Pixels) -> None:
    for i in range(flat.size):
        into[i] = np.uint8(np.int32(min(max(flat[i], 0.0), 1.0) * 255.0))


@lru_cache(maxsize=256)
def gauss_weights(sigma: float, radius: int) -> NDArray[np.float64]:
    """Return the normalised weights at distances 0 to `radius`."""
    factor = -0.5 / (sigma * sigma)
    half = [exp(factor * (x * x)) for x in range(radius + 1)]
    # NumPy's sum, pairwise in one order on every processor, since the reference used it.
    whole = float(np.array(half[:0:-1] + half).sum())
    return np.array([value / whole for value in half])


@lru_cache(maxsize=256)
def indices(size: int, radius: int, border: Border) -> NDArray[np.int64]:
    """Return where each position from -radius to size - 1 + radius reads."""
    at = np.arange(-radius, size + radius)
    if border == "nearest":
        return np.clip(at, 0, size - 1)
    if border == "mirror":
        period = max(2 * size - 2, 1)
        folded = at % period
        return np.minimum(folded, period - folded) if size > 1 else np.zeros_like(at)
    folded = at % (2 * size)
    return np.minimum(folded, 2 * size - 1 - folded)


@lru_cache(maxsize=32)
def _matrix(size: int, sigma: float, radius: int, border: Border) -> NDArray[np.float64]:
    """Return the smoothing of one axis as a matrix, truncation and border folded in."""
    weights, at = gauss_weights(sigma, radius), indices(size, radius, border)
    matrix = np.zeros((size, size))
    for row in range(size):
        for step in range(-radius, radius + 1):
            matrix[row, at[row + radius + step]] += weights[abs(step)]
    return matrix


@kernel
def _separable(
    field: Field,
    weights: NDArray[np.float64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    single: bool,
    out: Field,
) -> None:
    height, width, channels = field.shape
    radius = weights.size - 1
    flat = field.reshape((height, width * channels))
    into = out.reshape((height, width * channels))
    line = np.empty(width * channels)
    wide = np.empty((width + 2 * radius) * channels)
    for y in range(height):
        here = flat[y]
        for x in range(line.size):
            line[x] = here[x] * weights[0]
        for step in range(radius, 0, -1):
            above, below = flat[rows[y + radius - step]], flat[rows[y + radius + step]]
            weight = weights[step]
            for x in range(line.size):
                line[x] += (above[x] + below[x]) * weight
        if single:
            for x in range(line.size):
                line[x] = np.float32(line[x])
        for x in range(radius):
            for c in range(channels):
                wide[x * channels + c] = line[columns[x] * channels + c]
                last = width + radius + x
                wide[last * channels + c] = line[columns[last] * channels + c]
        target = into[y]
        centre = wide[radius * channels :]
        for x in range(line.size):
            centre[x] = line[x]
            target[x] = line[x] * weights[0]
        for step in range(radius, 0, -1):
            before, after = wide[(radius - step) * channels :], wide[(radius + step) * channels :]
            weight = weights[step]
            for x in range(line.size):
                target[x] += (before[x] + after[x]) * weight
        if single:
            for x in range(line.size):
                target[x] = np.float32(target[x])


@kernel
def _dense(
    field: Field,
    down: NDArray[np.float64],
    turned: NDArray[np.float64],
    single: bool,
    out: Field,
) -> None:
    height, width, channels = field.shape
    flat = field.reshape((height, width * channels))
    into = out.reshape((height, width * channels))
    line = np.empty(width * channels)
    for y in range(height):
        line[:] = 0.0
        for row in range(height):
            weight, source = down[y, row], flat[row]
            for x in range(line.size):
                line[x] += source[x] * weight
        if single:
            for x in range(line.size):
                line[x] = np.float32(line[x])
        target = into[y]
        target[:] = 0.0
        for column in range(width):
            weights = turned[column]
            if channels == 1:
                value = line[column]
                for x in range(width):
                    target[x] += value * weights[x]
                continue
            for c in range(channels):
                value = line[column * channels + c]
                spread = target[c:]
                for x in range(width):
                    spread[x * channels] += value * weights[x]
        if single:
            for x in range(line.size):
                target[x] = np.float32(target[x])

"""Multi-scale structural similarity: how alike two pictures look."""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.errors import ImageError
from brittle.types import UInt8

_WEIGHTS = np.array([0.0448, 0.2856, 0.3001, 0.2363, 0.1333])
"""How much each scale counts, finest first (Wang, Simoncelli and Bovik 2003, section 3.2).

They sum to 1.0001 there, and are used as printed.
"""

_SIDE = 11
_SIGMA = 1.5
_C1 = (0.01 * 255) ** 2
_C2 = (0.03 * 255) ** 2


def _window() -> NDArray[np.float64]:
    offsets = np.arange(_SIDE) - _SIDE // 2
    weights = np.exp(-(offsets**2) / (2 * _SIGMA**2))
    return np.asarray(weights / weights.sum())


_WINDOW = _window()


def scales(height: int, width: int) -> int:
    """Count the scales that fit into a picture: 0 to 5.

    The shorter side must keep 11 pixels after each halving (rounded up), so five scales need 161
    pixels, one needs 11.

    >>> scales(224, 224), scales(64, 80), scales(10, 300)
    (5, 3, 0)
    """
    side = min(height, width)
    count = 0
    while side >= _SIDE and count < len(_WEIGHTS):
        count += 1
        side = (side + 1) // 2
    return count


def ms_ssim(a: UInt8, b: UInt8) -> float:
    """Multi-scale structural similarity of two pictures: 1 is equal, 0 nothing alike.

    Takes two uint8 pictures of the same shape, H x W, H x W x 1 or H x W x 3; both sides at least
    11. The order of the two does not matter. Higher is more alike.

    With x and y one channel of the two at one scale, and means, variances and covariance taken
    under an 11 x 11 Gaussian window (sigma 1.5, only where it fits):

        contrast  = mean of (2 cov(x, y) + C2) / (var x + var y + C2)
        structure = mean of that times (2 mean x mean y + C1) / (mean x^2 + mean y^2 + C1)

    with C1 = 2.55^2 and C2 = 7.65^2. From scale to scale the channel is averaged over 2 x 2
    squares. The channel's score is the product of the contrasts of all scales but the coarsest and
    of the structure of the coarsest, negative ones taken as 0, each to the power of its weight
    (0.0448, 0.2856, 0.3001, 0.2363, 0.1333); the picture's score is the mean of its channels.

    A picture whose shorter side is under 161 holds fewer scales (`scales`): the weights of those
    that fit are divided by their sum, so scores of different sizes are not comparable. At an odd
    side the squares start one pixel outside the picture, where both pictures are 0, as in the
    `pytorch-msssim` package, whose numbers these are.

    Reference: Wang, Simoncelli, Bovik, "Multiscale structural similarity for image quality
    assessment", Asilomar Conference on Signals, Systems and Computers, 2003.

    >>> import numpy as np
    >>> ramp = np.tile(np.arange(224, dtype=np.uint8), (224, 1))
    >>> ms_ssim(ramp, ramp)
    1.0
    >>> round(ms_ssim(ramp, ramp // 16 * 16), 2)
    0.89
    """
    _check(a, b)
    height, width = a.shape[:2]
    count = scales(height, width)
    if count == 0:
        raise ImageError(
            f"MS-SSIM was given pictures of {height} x {width} pixels; its window needs at least "
            f"{_SIDE} x {_SIDE}. Use psnr for smaller ones."
        )
    weights = _WEIGHTS[:count]
    if count < len(_WEIGHTS):
        weights = weights / weights.sum()
    return _score(_planes(a), _planes(b), _WINDOW, weights)


def _check(a: UInt8, b: UInt8) -> None:
    if a.shape != b.shape:
        raise ImageError(
            f"MS-SSIM was given pictures of shapes {a.shape} and {b.shape}; "
            "they must have the same shape."
        )
    if a.dtype != np.uint8 or b.dtype != np.uint8:
        raise ImageError(
            f"MS-SSIM was given pictures of {a.dtype} and {b.dtype}; both must be uint8."
        )
    if not (a.ndim == 2 or (a.ndim == 3 and a.shape[2] in (1, 3))):
        raise ImageError(
            f"MS-SSIM was given pictures of shape {a.shape}; "
            "allowed are H x W, H x W x 1 and H x W x 3."
        )


def _planes(image: UInt8) -> NDArray[np.float64]:
    """Put channels first. One type of array for all pictures, so the kernel compiles once."""
    planes = image[None] if image.ndim == 2 else np.moveaxis(image, 2, 0)
    return np.ascontiguousarray(planes, dtype=np.float64)


@kernel
def _score(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    window: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> float:
    total = 0.0
    for channel in range(a.shape[0]):
        x = a[channel]
        y = b[channel]
        product = 1.0
        for scale in range(len(weights)):
            last = scale == len(weights) - 1
            # Rounding can lift the mean of nearly equal pictures above 1.
            similarity = min(_similarity(x, y, window, last), 1.0)
            if similarity <= 0.0:
                product = 0.0
                break
            product *= similarity ** weights[scale]
            if not last:
                x = _halved(x)
                y = _halved(y)
        total += product
    return float(total / a.shape[0])


@kernel
def _similarity(
    x: NDArray[np.float64], y: NDArray[np.float64], window: NDArray[np.float64], luminance: bool
) -> float:
    """Mean contrast term of two planes, or mean of contrast times luminance."""
    height, width = x.shape
    rows = height - 10
    columns = width - 10
    squares = np.empty((height, width))
    products = np.empty((height, width))
    for i in range(height):
        for j in range(width):
            squares[i, j] = x[i, j] * x[i, j] + y[i, j] * y[i, j]
            products[i, j] = x[i, j] * y[i, j]
    total = 0.0
    down = np.empty((4, width))
    across = np.empty((4, columns))
    for i in range(rows):
        _blur_down(x, i, window, down[0])
        _blur_down(y, i, window, down[1])
        _blur_down(squares, i, window, down[2])
        _blur_down(products, i, window, down[3])
        for field in range(4):
            _blur_across(down[field], window, across[field])
        mean_x = across[0]
        mean_y = across[1]
        square = across[2]
        product = across[3]
        ratios = down[0]
        # The ratios go to a row first: a sum of floats in this loop would keep it from vectors.
        if luminance:
            for j in range(columns):
                power = mean_x[j] * mean_x[j] + mean_y[j] * mean_y[j]
                cross = mean_x[j] * mean_y[j]
                contrast = (2.0 * (product[j] - cross) + _C2) / (square[j] - power + _C2)
                ratios[j] = contrast * ((2.0 * cross + _C1) / (power + _C1))
        else:
            for j in range(columns):
                power = mean_x[j] * mean_x[j] + mean_y[j] * mean_y[j]
                cross = mean_x[j] * mean_y[j]
                ratios[j] = (2.0 * (product[j] - cross) + _C2) / (square[j] - power + _C2)
        for j in range(columns):
            total += ratios[j]
    return float(total / (rows * columns))


@kernel
def _blur_down(
    plane: NDArray[np.float64], top: int, window: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """Eleven rows from `top` on, summed under the window; it is symmetric, so in pairs."""
    r0, r1, r2, r3 = plane[top], plane[top + 1], plane[top + 2], plane[top + 3]
    r4, r5, r6, r7 = plane[top + 4], plane[top + 5], plane[top + 6], plane[top + 7]
    r8, r9, ra = plane[top + 8], plane[top + 9], plane[top + 10]
    w0, w1, w2, w3, w4, w5 = window[0], window[1], window[2], window[3], window[4], window[5]
    for j in range(out.shape[0]):
        out[j] = (
            w0 * (r0[j] + ra[j])
            + w1 * (r1[j] + r9[j])
            + w2 * (r2[j] + r8[j])
            + w3 * (r3[j] + r7[j])
            + w4 * (r4[j] + r6[j])
            + w5 * r5[j]
        )


@kernel
def _blur_across(
    row: NDArray[np.float64], window: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """The same along a row."""
    w0, w1, w2, w3, w4, w5 = window[0], window[1], window[2], window[3], window[4], window[5]
    for j in range(out.shape[0]):
        out[j] = (
            w0 * (row[j] + row[j + 10])
            + w1 * (row[j + 1] + row[j + 9])
            + w2 * (row[j + 2] + row[j + 8])
            + w3 * (row[j + 3] + row[j + 7])
            + w4 * (row[j + 4] + row[j + 6])
            + w5 * row[j + 5]
        )


@kernel
def _halved(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means of 2 x 2 squares; at an odd side a row or column of zeros comes first."""
    height, width = plane.shape
    above = height % 2
    left = width % 2
    out = np.empty(((height + 1) // 2, (width + 1) // 2))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for y in range(2 * i - above, 2 * i - above + 2):
                for x in range(2 * j - left, 2 * j - left + 2):
                    if y >= 0 and x >= 0:
                        total += plane[y, x]
            out[i, j] = total / 4.0
    return out

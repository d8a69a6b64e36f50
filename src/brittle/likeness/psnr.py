"""Peak signal-to-noise ratio: how far apart the pixels of two pictures are."""

import math

import numpy as np

from brittle.errors import ImageError
from brittle.types import UInt8


def psnr(a: UInt8, b: UInt8) -> float:
    """Peak signal-to-noise ratio of two pictures in decibels, infinite for equal ones.

    Takes two uint8 arrays of the same shape, whatever it is, with at least one number in it. The
    order of the two does not matter. Higher is closer; 0 is black against white.

        10 log10(255^2 / mean (a - b)^2)

    over all pixels and channels together.

    Reference: Huynh-Thu, Ghanbari, "Scope of validity of PSNR in image/video quality assessment",
    Electronics Letters 44(13), 2008.

    >>> import numpy as np
    >>> black, white = np.zeros((8, 8, 3), np.uint8), np.full((8, 8, 3), 255, np.uint8)
    >>> psnr(black, white), psnr(black, black)
    (0.0, inf)
    """
    if a.shape != b.shape:
        raise ImageError(
            f"PSNR was given pictures of shapes {a.shape} and {b.shape}; "
            "they must have the same shape."
        )
    if a.dtype != np.uint8 or b.dtype != np.uint8:
        raise ImageError(f"PSNR was given pictures of {a.dtype} and {b.dtype}; both must be uint8.")
    if a.size == 0:
        raise ImageError(f"PSNR was given pictures of shape {a.shape}; they hold no pixels.")
    difference = np.subtract(a, b, dtype=np.int32).ravel()
    # Integers: the sum is exact whatever its order, so the number is the same on every machine.
    squares = int(np.sum(difference * difference, dtype=np.int64))
    return math.inf if squares == 0 else 10 * math.log10(255**2 * a.size / squares)

"""Flakes of snow: a zoomed layer of noise as 8-bit levels, and how it whitens a picture."""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.corruptions._zoom import zoom
from brittle.types import Pixels, Plane


def flake_levels(layer: Plane, factor: float, threshold: float) -> Pixels:
    """Return the zoomed layer as one channel of 8 bit, what is under the threshold at 0."""
    zoomed = zoom(layer[:, :, None], factor)
    zoomed[zoomed < threshold] = 0
    return (np.clip(zoomed, 0, 1) * 255).astype(np.uint8)


@kernel
def compose(
    pixels: Pixels,
    fallen: Pixels,
    keep: float,
    unit: NDArray[np.float64],
    single: bool,
    out: Pixels,
) -> None:
    """Whiten the picture and add the flakes and the flakes turned upside down.

    `single` mixes in single precision, as ImageNet-C did; ImageNet-P did not.
    """
    height, width, channels = pixels.shape
    kept, white = np.float32(keep), np.float32(1 - keep)
    for y in range(height):
        for x in range(width):
            if channels == 3:
                grey = (
                    np.float32(unit[pixels[y, x, 0]]) * np.float32(0.299)
                    + np.float32(unit[pixels[y, x, 1]]) * np.float32(0.587)
                    + np.float32(unit[pixels[y, x, 2]]) * np.float32(0.114)
                )
            else:
                grey = np.float32(unit[pixels[y, x, 0]])
            lifted = grey * np.float32(1.5) + np.float32(0.5)
            snow = unit[fallen[y, x, 0]]
            turned = unit[fallen[height - 1 - y, width - 1 - x, 0]]
            for c in range(channels):
                value = unit[pixels[y, x, c]]
                if single:
                    rounded = np.float32(value)
                    whitened = np.float64(kept * rounded + white * max(rounded, lifted))
                else:
                    whitened = keep * value + (1 - keep) * max(value, np.float64(lifted))
                level = (whitened + snow) + turned
                out[y, x, c] = np.uint8(np.int32(min(max(level, 0.0), 1.0) * 255))

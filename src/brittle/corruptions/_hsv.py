"""Changes of saturation and value, as a round trip through HSV in double precision gives them."""

import numpy as np
from numpy.typing import NDArray

from brittle._jit import kernel
from brittle.types import Pixels


@kernel
def change(
    pixels: Pixels,
    gain: float,
    shift: float,
    lift: float,
    unit: NDArray[np.float64],
    out: Pixels,
) -> None:
    """Write pixels with saturation s gain + shift and value v + lift, both clipped to 0..1.

    A pixel without colour has hue 0 (red), so that a `shift` of the saturation tints it. One
    channel has no saturation to change, only a value.
    """
    height, width, channels = pixels.shape
    for y in range(height):
        for x in range(width):
            if channels == 1:
                value = min(max(unit[pixels[y, x, 0]] + lift, 0.0), 1.0)
                out[y, x, 0] = np.uint8(np.int32(value * 255))
                continue
            red, green, blue = (
                unit[pixels[y, x, 0]],
                unit[pixels[y, x, 1]],
                unit[pixels[y, x, 2]],
            )
            value = max(red, green, blue)
            delta = value - min(red, green, blue)
            hue = 0.0
            saturation = 0.0
            if delta > 0:
                saturation = delta / value
                if blue == value:
                    hue = 4.0 + (red - green) / delta
                elif green == value:
                    hue = 2.0 + (blue - red) / delta
                else:
                    hue = (green - blue) / delta
                hue /= 6.0
                if hue < 0:
                    hue += 1.0
            saturation = min(max(saturation * gain + shift, 0.0), 1.0)
            value = min(max(value + lift, 0.0), 1.0)
            sector = np.floor(hue * 6.0)
            part = hue * 6.0 - sector
            least = value * (1.0 - saturation)
            falling = value * (1.0 - part * saturation)
            rising = value * (1.0 - (1.0 - part) * saturation)
            place = np.int64(sector) % 6
            if place == 0:
                red, green, blue = value, rising, least
            elif place == 1:
                red, green, blue = falling, value, least
            elif place == 2:
                red, green, blue = least, value, rising
            elif place == 3:
                red, green, blue = least, falling, value
            elif place == 4:
                red, green, blue = rising, least, value
            else:
                red, green, blue = value, least, falling
            out[y, x, 0] = np.uint8(np.int32(min(max(red, 0.0), 1.0) * 255))
            out[y, x, 1] = np.uint8(np.int32(min(max(green, 0.0), 1.0) * 255))
            out[y, x, 2] = np.uint8(np.int32(min(max(blue, 0.0), 1.0) * 255))

"""JPEG as the published sets store it: 4:2:0, baseline, Huffman tables optimised or standard.

OpenCV and Pillow write equal bytes at equal settings, since both are libjpeg-turbo with integer
transforms; OpenCV's path is the shorter one.
"""

import cv2
import numpy as np

from brittle.errors import ImageError
from brittle.types import Pixels


def encode_jpeg(pixels: Pixels, quality: int, *, optimize: bool = False) -> bytes:
    """Return the JPEG file of H x W x 1 or 3 pixels."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, int(optimize)]
    colour = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR) if pixels.shape[2] == 3 else pixels
    done, data = cv2.imencode(".jpg", colour, settings)
    if not done:
        raise ImageError(f"A picture of {pixels.shape[1]}x{pixels.shape[0]} does not fit a JPEG.")
    return data.tobytes()


def decode_jpeg(data: bytes, channels: int = 3) -> Pixels:
    """Return the H x W x `channels` pixels of a JPEG file."""
    flag = cv2.IMREAD_COLOR_RGB if channels == 3 else cv2.IMREAD_GRAYSCALE
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    if pixels is None:
        raise ImageError("The bytes are not a JPEG file that decodes.")
    return np.asarray(pixels, dtype=np.uint8).reshape(*pixels.shape[:2], channels)

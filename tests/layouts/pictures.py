"""Small labelled sources for the tests of layouts and builds."""

import hashlib
from pathlib import Path

import cv2
import numpy as np

from brittle.types import Pixels

CONDITIONS = (
    "gaussian_noise(severity=1)",
    "gaussian_noise(severity=2)",
    "glass_blur(severity=3)",
    "fog(severity=2)+jpeg_compression(severity=3)",
)
"""A grid of one corruption, one severity of another and a chain; noise, draws and fields in it."""


def picture(number: int, height: int = 40, width: int = 48) -> Pixels:
    """Make a smooth picture that no other number gives."""
    rng = np.random.default_rng(number)
    small = rng.integers(0, 256, (5, 6, 3), dtype=np.uint8)
    return np.ascontiguousarray(cv2.resize(small, (width, height)))


def folder(
    root: Path, count: int = 5, *, height: int = 40, width: int = 48, labelled: bool = True
) -> Path:
    """Write PNG files `n0<class>/image_<number>.png`, two classes."""
    for number in range(count):
        place = root / f"n0{number % 2}" if labelled else root
        place.mkdir(parents=True, exist_ok=True)
        pixels = picture(number, height, width)
        cv2.imwrite(str(place / f"image_{number}.png"), pixels[:, :, ::-1])
    return root


def tree(root: Path) -> dict[str, str]:
    """Return every file below a folder with the digest of its bytes."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }

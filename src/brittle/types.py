"""The nouns of the package: arrays with their shape in the name."""

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

UInt8: TypeAlias = NDArray[np.uint8]
"""Pixels of any layout that brittle accepts: H x W, H x W x 1, H x W x 3 or H x W x 4."""

Pixels: TypeAlias = NDArray[np.uint8]
"""What a part sees: H x W x C, C-contiguous, C = 1 (grey) or 3 (RGB), at least 1 x 1."""

Plane: TypeAlias = NDArray[np.float64]
"""A field of H x W numbers."""

Shape: TypeAlias = tuple[int, int, int]
"""(height, width, channels)."""


class Crop(NamedTuple):
    """The part of a picture that is kept: its upper left corner and its size."""

    top: int
    left: int
    height: int
    width: int

    def of(self, picture: Pixels) -> Pixels:
        """Return a copy of that part, C-contiguous."""
        rows = slice(self.top, self.top + self.height)
        return picture[rows, self.left : self.left + self.width].copy()


def whole(picture: Pixels) -> Crop:
    """Return the crop that keeps all of a picture."""
    return Crop(0, 0, picture.shape[0], picture.shape[1])


Reference: TypeAlias = Literal["first", "previous"]
"""The frame of a sequence that each is compared with: the first, or the one before."""

Draws: TypeAlias = Any
"""What a part drew for one image: whatever its `draw` returns and its `apply` takes."""

"""How many pictures a model takes at once: found by trying, once a run."""

import time

import numpy as np

from brittle.errors import OutOfMemoryError
from brittle.models import Model
from brittle.types import Pixels

SIZES = (8, 16, 32, 64, 128, 256, 512)
MOST = 1 << 28
"""Bytes of pictures in a batch: a large one of large pictures would hold gigabytes in a network."""
GAIN = 1.05
"""A larger batch must be faster by this, or the smaller one is taken: it holds less memory."""
PATIENCE = 3.0
"""Seconds after which the best so far is taken."""


def find(model: Model, picture: Pixels) -> int:
    """Return the batch that brings the most pictures a second, of those that fit."""
    best, rate = SIZES[0], 0.0
    begun = time.perf_counter()
    for size in SIZES:
        if size > SIZES[0] and size * picture.nbytes > MOST:
            break
        batch = np.repeat(picture[None], size, axis=0)
        try:
            # The first call of a size may plan, compile or allocate.
            seconds = min(_timed(model, batch) for _ in range(2))
        except OutOfMemoryError:
            if size == SIZES[0]:
                return 1
            break
        if size / seconds < rate * GAIN:
            break
        best, rate = size, size / seconds
        if time.perf_counter() - begun > PATIENCE:
            break
    return best


def _timed(model: Model, batch: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]") -> float:
    begun = time.perf_counter()
    model.predict(batch)
    return max(time.perf_counter() - begun, 1e-9)

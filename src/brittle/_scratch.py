"""Working memory that a thread keeps, so that a kernel does not ask the system for it every time.

Fields of a megabyte come fresh from the system on every allocation and go back on every release;
their page faults cost more than many a kernel, and on many threads they queue for one lock.
"""

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

KEPT = 32 << 20
"""Bytes up to which a buffer is kept; larger pictures pay for their own."""

_buffers = threading.local()


def scratch(name: str, shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Return an array with anything in it, valid until the thread asks for that name again.

    It never leaves the part that asked: what a part returns is its own memory.
    """
    kind = np.dtype(dtype)
    need = math.prod(shape) * kind.itemsize
    held: NDArray[np.uint8] | None = getattr(_buffers, name, None)
    if held is None or held.size < need:
        held = np.empty(need, np.uint8)
        if need <= KEPT:
            setattr(_buffers, name, held)
    return held[:need].view(kind).reshape(shape)

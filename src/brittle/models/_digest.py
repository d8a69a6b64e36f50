"""What weights are, in one hash."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 1 << 22


def of_files(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of the bytes of files, one after the other."""
    found = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while part := file.read(CHUNK):
                found.update(part)
    return found.hexdigest()


def of_state(state: Mapping[str, Any]) -> str | None:
    """Return the SHA-256 of a torch state dict; None where it holds more than plain tensors.

    Names in ABC order, each with its dtype, its shape and its bytes.
    """
    import torch

    found = hashlib.sha256()
    for name in sorted(state):
        value = state[name]
        if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
            return None
        if value.is_quantized:
            return None
        found.update(f"{name}\0{value.dtype}\0{tuple(value.shape)}\0".encode())
        plain = value.detach().cpu().contiguous().reshape(-1)
        found.update(memoryview(plain.view(torch.uint8).numpy()) if plain.numel() else b"")
    return found.hexdigest()


def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 of named arrays, in the manner of `of_state`."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        value = np.ascontiguousarray(arrays[name])
        found.update(f"{name}\0{value.dtype}\0{value.shape}\0".encode())
        found.update(value.tobytes())
    return found.hexdigest()

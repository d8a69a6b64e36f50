"""Data pickled by Python 2 and NumPy, read without running anything.

A pickle is a program. This reader lets it name four things, which are what NumPy arrays of plain
numbers are written with, and answers with stand-ins of its own; every other name is refused. Even
the real NumPy never sees the pickle.
"""

import io
import pickle
from pathlib import Path

import numpy as np

from brittle.errors import SourceError
from brittle.types import UInt8


def read_pickle(path: Path) -> dict[str, object]:
    """Read a pickled dict of numbers, texts, lists and uint8 arrays; byte keys become texts."""
    try:
        found = _Reader(io.BytesIO(path.read_bytes()), encoding="bytes").load()
        if isinstance(found, dict):
            return {text(key): _array(value) for key, value in found.items()}
    except SourceError as error:
        raise SourceError(f"{path} {error}") from None
    except Exception as error:  # A damaged pickle can fail in any operation.
        raise SourceError(f"{path} cannot be read as a pickle ({error}).") from error
    raise SourceError(f"{path} holds a {type(found).__name__}; a CIFAR batch holds a dict.")


def text(value: object) -> str:
    """Return a Python 2 string as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


class _Reader(pickle.Unpickler):
    """An unpickler that knows four names."""

    def find_class(self, module: str, name: str) -> object:
        known = _NAMES.get((module, name))
        if known is None:
            raise SourceError(
                f"asks for {module}.{name}, which a CIFAR batch has no need of; nothing was run. "
                f"Get the file again from its publisher."
            )
        return known


class _Array:
    """Stands in for numpy.ndarray, and holds what it was to be made of."""

    def __init__(self, *_: object) -> None:
        self.state: object = None

    def __setstate__(self, state: object) -> None:
        self.state = state


class _Dtype:
    """Stands in for numpy.dtype, and holds its code."""

    def __init__(self, code: object = "", *_: object) -> None:
        self.code = text(code)

    def __setstate__(self, state: object) -> None:
        """Take no byte order: it means nothing for single bytes."""


def _encode(value: str, encoding: object) -> bytes:
    # Python 3 writes bytes of protocol 2 in this way.
    if text(encoding) != "latin1":
        raise SourceError(f"asks for the encoding {text(encoding)!r}; only latin1 is known.")
    return value.encode("latin1")


_NAMES: dict[tuple[str, str], object] = {
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy._core.multiarray", "_reconstruct"): _Array,
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Dtype,
    ("_codecs", "encode"): _encode,
}


def _array(value: object) -> object:
    if not isinstance(value, _Array):
        return value
    match value.state:
        case (
            int(),
            tuple(shape),
            _Dtype(code="u1" | "|u1"),
            bool() | int() as fortran,
            bytes(raw),
        ):
            found: UInt8 = np.frombuffer(raw, np.uint8).reshape(
                shape, order="F" if fortran else "C"
            )
            return found
    raise SourceError("holds an array that is not of plain uint8; a CIFAR batch holds no other.")

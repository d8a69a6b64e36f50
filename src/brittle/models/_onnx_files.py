"""Which files an ONNX model keeps its weights in, read without the onnx package.

An ONNX file is a protocol buffer; a tensor too large for it lies in a file beside it, which it
names. Field numbers are those of onnx.proto3.
"""

from collections.abc import Iterator
from pathlib import Path

from brittle.errors import ModelError

# message -> field -> the message that lies in it.
FIELDS = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: "entry"},
}


def weight_files(path: Path) -> list[Path]:
    """Return the model's own file, then those of its external data in ABC order."""
    data = memoryview(path.read_bytes())
    try:
        names = sorted(set(_locations(data, "model")))
    except (IndexError, ValueError) as error:
        raise ModelError(f"{path} is not an ONNX file: it is cut or is something else.") from error
    found = [path]
    for name in names:
        beside = path.parent / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise ModelError(f"{path} names {name} for its weights, which lies out of its folder.")
        if not beside.is_file():
            raise ModelError(
                f"{path} keeps weights in {name}, which is not beside it; put it there."
            )
        found.append(beside)
    return found


def _locations(data: memoryview, message: str) -> Iterator[str]:
    for number, value in _fields(data):
        inside = FIELDS[message].get(number)
        if inside == "entry":
            pair = {key: bytes(text).decode("utf-8") for key, text in _fields(value)}
            if pair.get(1) == "location":
                yield pair[2]
        elif inside is not None:
            yield from _locations(value, inside)


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield the number and bytes of every field that has a length; skip the others."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = _varint(data, at)
        elif kind == 1:
            at += 8
        elif kind == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise ValueError("cut")
            yield tag >> 3, data[at : at + length]
            at += length
        elif kind == 5:
            at += 4
        else:
            raise ValueError(f"wire type {kind}")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("varint")

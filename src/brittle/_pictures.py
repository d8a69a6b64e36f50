"""The pictures that users have: arrays and PIL images in, the same kind out.

What a part sees is H x W x 1 or H x W x 3; this takes the rest off, alpha above all, and puts it
back on. Whatever is not a picture of eight bits is refused, since guessing its range would corrupt
it by something that no table names.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from PIL import Image

from brittle.errors import ImageError
from brittle.types import Pixels, UInt8

Picture = TypeVar("Picture", UInt8, Image.Image)
"""What goes in and comes out: an array or a PIL image."""

MODES = {"L": 1, "RGB": 3, "RGBA": 4}
ALLOWED = (
    "a uint8 array of shape H x W, H x W x 1, H x W x 3 or H x W x 4, "
    "or a PIL image of mode L, RGB or RGBA"
)
_INSTEAD = {"1": "L", "LA": "RGBA", "La": "RGBA", "PA": "RGBA", "RGBa": "RGBA"}
_SCALES = {
    "I;16": "keep the high byte: Image.fromarray((numpy.asarray(image) >> 8).astype(numpy.uint8))",
    "I": "no range of its values is known: scale them to 0..255 and convert",
    "F": "no range of its values is known: scale them to 0..255 and convert",
}
"""What to do with modes of more than eight bits; the longer name comes before its beginning."""


class Parts(NamedTuple):
    """A picture taken apart: `whole` is the array, `pixels` what a part of brittle sees of it."""

    whole: UInt8
    pixels: Pixels


def take(picture: UInt8 | Image.Image) -> Parts:
    """Return the picture's pixels (H x W x 1 or 3, C-contiguous), never to be written to.

    Anything but a picture of eight bits is an `ImageError` that says how to make one of it.
    """
    if isinstance(picture, Image.Image):
        whole = _open(picture)
    elif isinstance(picture, np.ndarray):
        whole = np.asarray(picture)
        _check_type(whole)
        _check_shape(whole.shape)
    else:
        raise ImageError(_stranger(picture))
    colour = whole[:, :, None] if whole.ndim == 2 else whole[:, :, :3]
    if not colour.flags.writeable:  # A kernel would be compiled anew for such memory.
        return Parts(whole, np.array(colour, order="C"))
    return Parts(whole, np.ascontiguousarray(colour))


def give_back(picture: Picture, parts: Parts, changed: Pixels) -> Picture:
    """Return the changed pixels as a picture of the kind that was given, its alpha as it was."""
    if parts.whole.ndim == 3 and parts.whole.shape[2] == 4:
        whole = np.concatenate([changed, parts.whole[:, :, 3:]], axis=2)
    else:
        whole = changed.reshape(parts.whole.shape)
    if isinstance(picture, Image.Image):
        made = Image.fromarray(whole)
        made.info = dict(picture.info)
        return made
    return whole


def _open(picture: Image.Image) -> UInt8:
    if picture.mode not in MODES:
        raise ImageError(_wrong_mode(picture))
    if 0 in picture.size:
        raise ImageError(_empty(f"{picture.size[0]} x {picture.size[1]} (width x height)"))
    try:
        return np.asarray(picture)
    except OSError as error:
        raise ImageError(f"The PIL image's file does not decode ({error}).") from error


def _wrong_mode(picture: Image.Image) -> str:
    mode = picture.mode
    start = f"The PIL image is of mode {mode}; allowed are {', '.join(MODES)}. "
    for known, what in _SCALES.items():
        if mode.startswith(known):
            return f"{start}For mode {mode}, {what}."
    clear = mode == "P" and "transparency" in picture.info
    return f'{start}Use image.convert("{"RGBA" if clear else _INSTEAD.get(mode, "RGB")}").'


def _check_type(array: "np.ndarray[Any, Any]") -> None:
    kind = array.dtype
    if kind == np.uint8:
        return
    if kind == np.bool_:
        todo = "a mask is made a picture by image.astype(numpy.uint8) * 255"
    elif np.issubdtype(kind, np.floating):
        todo = (
            "if it runs from 0 to 1, multiply by 255 and cast: "
            "(image * 255).round().astype(numpy.uint8); if it was normalised by mean and std, put "
            "the corruption before that step"
        )
    elif kind == np.uint16:
        todo = "keep the high byte of a 16-bit picture: (image >> 8).astype(numpy.uint8)"
    elif np.issubdtype(kind, np.integer):
        todo = "if its values are 0..255, cast them: image.astype(numpy.uint8)"
    else:
        todo = "make it numbers of eight bits first"
    raise ImageError(f"The array is of type {kind}; allowed is {ALLOWED}. What to do: {todo}.")


def _check_shape(shape: tuple[int, ...]) -> None:
    said = " x ".join(map(str, shape)) or "()"
    if len(shape) in (2, 3, 4) and 0 in shape:
        raise ImageError(_empty(said))
    if len(shape) == 2 or (len(shape) == 3 and shape[2] in MODES.values()):
        return
    if len(shape) == 4:
        todo = "corrupt a batch with corrupt_batch(), or give one of its pictures"
    elif len(shape) == 3 and shape[2] == 2:
        todo = "grey with alpha is not one of them: give the grey, image[:, :, 0]"
    elif len(shape) == 3 and shape[0] in MODES.values():
        todo = "its channels seem to come first: numpy.moveaxis(image, 0, -1) puts them last"
    elif len(shape) == 3:
        todo = f"the last axis is the channels, and {shape[2]} of them are no picture: pick 1 or 3"
    else:
        todo = "give it as height x width x channels"
    raise ImageError(f"The array has the shape {said}; allowed is {ALLOWED}. What to do: {todo}.")


def _empty(said: str) -> str:
    return f"The picture has no pixels, its size is {said}; give one of at least 1 x 1."


def _stranger(given: object) -> str:
    kind = type(given)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    if hasattr(given, "numpy") and hasattr(given, "shape"):
        todo = (
            "a tensor comes after the pictures: put the corruption before ToTensor, ToImage or "
            "PILToTensor, where they are PIL images, or give tensor.permute(1, 2, 0).numpy() "
            "with uint8 values, height x width x channels"
        )
    elif isinstance(given, (list, tuple)):
        todo = "corrupt several pictures with corrupt_batch(), or make one with numpy.asarray"
    else:
        todo = "open a file with PIL.Image.open(path)"
    return f"A {name} is not a picture; allowed is {ALLOWED}. What to do: {todo}."

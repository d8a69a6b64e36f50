"""The bytes of an image file as pixels; whatever is not one whole image is refused."""

import io
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageFile, ImageOps
from PIL.BmpImagePlugin import BmpImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from brittle.errors import ImageError
from brittle.sources._jpeg import without_exif
from brittle.sources._webp import webp_size
from brittle.types import Pixels


class _Format(NamedTuple):
    """A file format: how to tell it, how to open it, and Pillow's own ceiling for it.

    `ceiling` counts in `Image.MAX_IMAGE_PIXELS`, above which Pillow would warn (TIFF) or refuse
    (WebP) on its own; 0 for the formats that it does not check once `Image.open` is left out.
    """

    name: str
    starts: tuple[bytes, ...]
    # Image.open() warns by a limit that belongs to the whole process; these only read the header.
    open: Callable[[io.BytesIO], ImageFile.ImageFile]
    ceiling: int = 0


_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_FORMATS = (
    _Format("JPEG", (b"\xff\xd8\xff",), JpegImageFile),
    _Format("PNG", (b"\x89PNG\r\n\x1a\n",), PngImageFile),
    _Format("WebP", (b"RIFF",), WebPImageFile, ceiling=2),
    _Format("BMP", (b"BM",), BmpImageFile),
    _Format("TIFF", _TIFF, TiffImageFile, ceiling=1),
)
_ALLOWED = "JPEG, PNG, WebP, BMP or TIFF"


def decode(data: bytes, *, name: str, exif: bool = False, max_pixels: int) -> Pixels:
    """Decode a JPEG, PNG, WebP, BMP or TIFF file, known by its content, to H x W x 3 RGB.

    The pixels are those of `PIL.Image.open(file).convert("RGB")`: alpha is dropped, not blended,
    and of several frames the first counts. Grey of 16 bits is the exception: Pillow clips it at
    255, here its high byte is taken. EXIF orientation is applied only with `exif`; a TIFF file's
    own orientation is part of its pixels and always is, as in Pillow.
    Bytes that are no whole image of at most `max_pixels` are an `ImageError` that begins with
    `name`.
    """
    if ImageFile.LOAD_TRUNCATED_IMAGES:
        raise ImageError(
            f"{name}: Pillow is set to take cut files for whole ones; set "
            f"PIL.ImageFile.LOAD_TRUNCATED_IMAGES = False."
        )
    found = _sniff(data, name)
    try:
        if found.name == "WebP" and (size := webp_size(data)) is not None:
            _check_size(size, found, name, max_pixels)
        whole = without_exif(data) if found.name == "JPEG" and not exif else data
        with found.open(io.BytesIO(whole)) as image:
            _check_size(image.size, found, name, max_pixels)
            image.load()
            upright: Image.Image = ImageOps.exif_transpose(image) if exif else image
            return _rgb(upright, found, name, _tiff_tags(image))
    except (ImageError, MemoryError):
        raise
    except Exception as error:  # Pillow meets damaged files with a dozen kinds of exception.
        why = str(error).strip() or type(error).__name__
        raise ImageError(f"{name}: it is not a whole {found.name} file ({why}).") from error


def _sniff(data: bytes, name: str) -> _Format:
    if not data:
        raise ImageError(f"{name}: the file is empty.")
    for known in _FORMATS:
        if data.startswith(known.starts) and (known.name != "WebP" or data[8:12] == b"WEBP"):
            return known
    raise ImageError(f"{name}: it begins with {data[:8]!r}, which is not {_ALLOWED}.")


def _check_size(size: tuple[int, int], found: _Format, name: str, max_pixels: int) -> None:
    width, height = size
    own = (Image.MAX_IMAGE_PIXELS or 0) * found.ceiling
    limit = min(max_pixels, own) if own else max_pixels
    if width * height > limit:
        whose = f"Pillow's for {found.name}" if limit < max_pixels else "the limit max_pixels"
        raise ImageError(
            f"{name}: its header says {width} x {height}, more than the {limit} pixels that are "
            f"allowed ({whose})."
        )


def _tiff_tags(image: ImageFile.ImageFile) -> tuple[int, bool]:
    """Return the bits of a sample, and whether its zero is white."""
    if not isinstance(image, TiffImageFile):
        return 16, False
    bits = image.tag_v2.get(258, (16,))
    return int(bits[0] if isinstance(bits, tuple) else bits), image.tag_v2.get(262) == 0


def _rgb(image: Image.Image, found: _Format, name: str, tags: tuple[int, bool]) -> Pixels:
    if image.mode.startswith("I;16") or (image.mode == "I" and found.name == "PNG"):
        bits, zero_is_white = tags
        grey = (np.asarray(image).astype(np.int32) >> (bits - 8)).astype(np.uint8)
        return np.repeat((255 - grey if zero_is_white else grey)[:, :, None], 3, axis=2)
    if image.mode in ("I", "F"):
        kind = "floating-point" if image.mode == "F" else "signed or 32-bit"
        raise ImageError(
            f"{name}: it holds {kind} numbers, for which no range from black to white is known; "
            f"convert it to 8 or 16 bits."
        )
    # Transparency never reaches RGB, and Pillow warns that it does not.
    image.info.pop("transparency", None)
    return np.array(image if image.mode == "RGB" else image.convert("RGB"))

"""Pictures that lie in the page itself, small in bytes."""

import base64
import io

from PIL import Image

from brittle._page import fit
from brittle.sections._html import Html, tag
from brittle.types import Pixels

SIDE = 224
"""Pixels on the longer side at most; larger pictures are averaged."""
LOSSLESS = 64 * 64
"""Pixels up to which a picture is kept bit for bit, and shown in squares."""
QUALITIES, HEAVY = (90, 75, 60, 45), 36_000
"""Of other pictures: the best at which it has no more bytes than this."""


def thumbnail(pixels: Pixels, alt: str, *, side: int = SIDE) -> Html:
    """Return a picture (H x W x 3) as an element; `alt` says what is to be seen."""
    height, width, _ = pixels.shape
    shown = fit(pixels, side) if max(height, width) > side else Image.fromarray(pixels)
    small = shown.width * shown.height <= LOSSLESS
    data = _png(shown) if small else _jpeg(shown)
    kind = "png" if small else "jpeg"
    return tag(
        "img",
        src=f"data:image/{kind};base64,{base64.b64encode(data).decode()}",
        alt=alt,
        width=shown.width,
        height=shown.height,
        class_="pixels" if small else None,
    )


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _jpeg(picture: Image.Image) -> bytes:
    for quality in QUALITIES:
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=quality)
        if out.tell() <= HEAVY:
            break
    return out.getvalue()

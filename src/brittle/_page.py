"""Pages of pictures: tables with labels, and grids with a text below each picture."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from brittle.types import Pixels

CELL = 180
"""The longer side of a picture on a sheet, in pixels."""

_MARGIN, _GAP, _PAD = 24, 6, 12
_INK, _QUIET = (28, 30, 34), (110, 114, 122)
_SIZE, _SMALL = 16, 13
_LINE = 1.25


def fitted(size: tuple[int, int], cell: int) -> tuple[int, int]:
    """Return the size at which a picture is shown: small ones enlarged by whole factors."""
    longer = max(size)
    if longer <= cell:
        return size[0] * (cell // longer), size[1] * (cell // longer)
    return max(round(size[0] * cell / longer), 1), max(round(size[1] * cell / longer), 1)


def fit(pixels: Pixels, cell: int) -> Image.Image:
    """Scale a picture to its cell; enlarged pixels stay squares, a smaller one is averaged."""
    picture = Image.fromarray(pixels)
    size = fitted(picture.size, cell)
    enlarged = size[0] >= picture.size[0]
    return picture.resize(size, Image.Resampling.NEAREST if enlarged else Image.Resampling.BOX)


def table(
    rows: Sequence[Sequence[Image.Image]],
    *,
    left: Sequence[str],
    top: Sequence[str] = (),
    below: Sequence[Sequence[str]] = (),
    foot: str,
) -> Image.Image:
    """Lay pictures of one size out beside row labels, under column heads or over their own."""
    wide, high = rows[0][0].size
    line = round(_SMALL * _LINE) if below else 0
    columns = max(len(row) for row in rows)
    aside = round(max(_width(line, _SIZE) for label in left for line in label.splitlines())) + _PAD
    head = round(_SIZE * _LINE) + _PAD // 2 if top else 0
    across, down = wide + _GAP, high + line + _GAP
    width = max(2 * _MARGIN + aside + columns * across - _GAP, _needed(foot))
    page, draw = _blank(width, 2 * _MARGIN + head + len(rows) * down - _GAP + _foot_height())
    for column, text in enumerate(top):
        middle = _MARGIN + aside + column * across + wide / 2
        size = _SIZE if _width(text, _SIZE) <= wide else _SMALL
        short = text if _width(text, size) <= wide else text.removeprefix("severity ")
        draw.text((middle, _MARGIN + head - _PAD), short, _INK, _font(size), anchor="ms")
    for row, pictures in enumerate(rows):
        y = _MARGIN + head + row * down
        _beside(draw, left[row], _MARGIN + aside - _PAD, y + high / 2)
        for column, picture in enumerate(pictures):
            x = _MARGIN + aside + column * across
            page.paste(picture, (x, y))
            if below:
                place = (x + wide / 2, y + high + 2)
                draw.text(place, below[row][column], _QUIET, _font(_SMALL), anchor="ma")
    _write_foot(page, draw, foot)
    return page


def grid(
    pictures: Sequence[Image.Image],
    *,
    below: Sequence[str],
    columns: int,
    width: int,
    foot: str,
) -> Image.Image:
    """Lay pictures of one size out from left to right, each with its own text below."""
    wide, high = pictures[0].size
    across = max(wide, width) + 2 * _GAP
    texts = [_wrap(text, across - 2 * _GAP, _SMALL) for text in below]
    line = round(_SMALL * _LINE)
    columns = min(columns, len(pictures))
    starts, y = [], _MARGIN
    for first in range(0, len(pictures), columns):
        starts.append(y)
        y += high + _PAD // 2 + line * max(len(t) for t in texts[first : first + columns]) + _PAD
    page, draw = _blank(
        max(2 * _MARGIN + columns * across - 2 * _GAP, _needed(foot)),
        y - _PAD + _MARGIN + _foot_height(),
    )
    for number, picture in enumerate(pictures):
        x = _MARGIN + number % columns * across
        top = starts[number // columns]
        page.paste(picture, (x, top))
        for row, text in enumerate(texts[number]):
            place = (x, top + high + _PAD // 2 + row * line)
            draw.text(place, text, _INK, _font(_SMALL), anchor="la")
    _write_foot(page, draw, foot)
    return page


def _wrap(text: str, width: float, size: int) -> list[str]:
    """Break a condition's name into lines, after its commas, plus signs and brackets."""
    pieces = [""]
    for letter in text:
        pieces[-1] += letter
        if letter in " +(_":
            pieces.append("")
    lines = [""]
    for piece in pieces:
        if lines[-1] and _width((lines[-1] + piece).rstrip(), size) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _beside(draw: ImageDraw.ImageDraw, label: str, right: float, middle: float) -> None:
    lines = label.splitlines()
    for number, line in enumerate(lines):
        y = middle + (number - (len(lines) - 1) / 2) * _SIZE * _LINE
        ink, size = (_INK, _SIZE) if number == 0 else (_QUIET, _SMALL)
        draw.text((right, y), line, ink, _font(size), anchor="rm")


def _write_foot(page: Image.Image, draw: ImageDraw.ImageDraw, text: str) -> None:
    draw.text((_MARGIN, page.height - _MARGIN + 4), text, _QUIET, _font(_SMALL), anchor="ls")


def _foot_height() -> int:
    return round(_SMALL * _LINE) + 4


def _needed(text: str) -> int:
    return round(_width(text, _SMALL)) + 2 * _MARGIN


def _blank(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    page = Image.new("RGB", (width, height), "white")
    return page, ImageDraw.Draw(page)


def _width(text: str, size: int) -> float:
    return _font(size).getlength(text)


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font

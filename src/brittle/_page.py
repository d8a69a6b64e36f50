"""A white page with pictures in rows and columns and text beside them."""

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from brittle.types import Pixels

MARGIN, GAP, PAD = 24, 6, 12
INK, QUIET = (28, 30, 34), (110, 114, 122)
SIZE, SMALL = 16, 13
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
    rows: Sequence[Sequence[Image.Image]], *, left: Sequence[str], top: Sequence[str], foot: str
) -> Image.Image:
    """Lay pictures of one size out under column heads and beside row labels."""
    wide, high = rows[0][0].size
    aside = round(max(_width(line, SIZE) for label in left for line in label.splitlines())) + PAD
    head = round(SIZE * _LINE) + PAD // 2
    across, down = wide + GAP, high + GAP
    width = max(2 * MARGIN + aside + len(top) * across - GAP, _needed(foot))
    page, draw = _blank(width, 2 * MARGIN + head + len(rows) * down - GAP + _foot_height())
    for column, text in enumerate(top):
        middle = MARGIN + aside + column * across + wide / 2
        size = SIZE if _width(text, SIZE) <= wide else SMALL
        short = text if _width(text, size) <= wide else text.removeprefix("severity ")
        draw.text((middle, MARGIN + head - PAD), short, INK, _font(size), anchor="ms")
    for row, pictures in enumerate(rows):
        y = MARGIN + head + row * down
        _beside(draw, left[row], MARGIN + aside - PAD, y + high / 2)
        for column, picture in enumerate(pictures):
            page.paste(picture, (MARGIN + aside + column * across, y))
    _foot(page, draw, foot)
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
    across = max(wide, width) + 2 * GAP
    texts = [wrap(text, across - 2 * GAP, SMALL) for text in below]
    line = round(SMALL * _LINE)
    columns = min(columns, len(pictures))
    starts, y = [], MARGIN
    for first in range(0, len(pictures), columns):
        starts.append(y)
        y += high + PAD // 2 + line * max(len(t) for t in texts[first : first + columns]) + PAD
    page, draw = _blank(
        max(2 * MARGIN + columns * across - 2 * GAP, _needed(foot)),
        y - PAD + MARGIN + _foot_height(),
    )
    for number, picture in enumerate(pictures):
        x = MARGIN + number % columns * across
        top = starts[number // columns]
        page.paste(picture, (x, top))
        for row, text in enumerate(texts[number]):
            place = (x, top + high + PAD // 2 + row * line)
            draw.text(place, text, INK, _font(SMALL), anchor="la")
    _foot(page, draw, foot)
    return page


def wrap(text: str, width: float, size: int) -> list[str]:
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
        y = middle + (number - (len(lines) - 1) / 2) * SIZE * _LINE
        ink, size = (INK, SIZE) if number == 0 else (QUIET, SMALL)
        draw.text((right, y), line, ink, _font(size), anchor="rm")


def _foot(page: Image.Image, draw: ImageDraw.ImageDraw, text: str) -> None:
    draw.text((MARGIN, page.height - MARGIN + 4), text, QUIET, _font(SMALL), anchor="ls")


def _foot_height() -> int:
    return round(SMALL * _LINE) + 4


def _needed(text: str) -> int:
    return round(_width(text, SMALL)) + 2 * MARGIN


def _blank(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    page = Image.new("RGB", (width, height), "white")
    return page, ImageDraw.Draw(page)


def _width(text: str, size: int) -> float:
    return _font(size).getlength(text)


def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font

"""Contact sheets: what corruptions do to one picture, on one page.

The pictures are corrupted at a stated size and scaled to the sheet afterwards, so that a severity
looks as it does in the published sets, whose tables are made for one size.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from brittle import editions, seeds
from brittle._corrupt import corruption_names
from brittle._pictures import take
from brittle._version import __version__
from brittle.conditions import CLEAN, Condition, condition
from brittle.errors import SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.rows import SEVERITIES
from brittle.spec import Spec
from brittle.types import Pixels, UInt8

CELL = 180
"""The longer side of a picture on a sheet, in pixels."""

_MARGIN, _GAP, _PAD = 24, 6, 12
_INK, _QUIET = (28, 30, 34), (110, 114, 122)
_SIZE, _SMALL = 16, 13
_LINE = 1.25


def contact_sheet(
    image: UInt8 | Image.Image,
    corruptions: Sequence[str] | None = None,
    severities: Sequence[int] = SEVERITIES,
    *,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
    cell: int = CELL,
    clean: bool = True,
) -> Image.Image:
    """Return a page with a row a corruption, and a column for the clean picture and each severity.

    `image` is what `corrupt` takes; it is shown in RGB. `corruptions` are names, all of them by
    default. An edition that prepares pictures prepares this one first; with `any`, a picture of
    more than 224 pixels a side is shrunk to 224 on its shorter side, since the table of `any` is
    that of 224. `cell` is the longer side of a picture on the page. The page says what was done.

    >>> import numpy as np
    >>> contact_sheet(np.zeros((32, 32, 3), np.uint8), ["fog"], [1, 5], cell=64).mode
    'RGB'
    """
    names = corruption_names() if corruptions is None else _names(corruptions)
    severities = tuple(severities)
    if not names or not severities:
        raise SpecError("A contact sheet needs at least one corruption and one severity.")
    work = working_picture(image, edition)
    rows = [[condition(name, edition=edition, severity=s) for s in severities] for name in names]
    made = iter(_corrupted(work, [item for row in rows for item in row], seed, key))
    grid = [
        [work, *(next(made) for _ in row)] if clean else [next(made) for _ in row] for row in rows
    ]
    heads = [f"severity {severity}" if severity else CLEAN for severity in severities]
    return _table(
        [[_fit(pixels, cell) for pixels in row] for row in grid],
        left=[_row_label(name, row) for name, row in zip(names, rows, strict=True)],
        top=[CLEAN, *heads] if clean else heads,
        foot=_foot(work, edition, seed, cell),
    )


def condition_sheet(
    image: UInt8 | Image.Image,
    conditions: Sequence[str | Spec],
    *,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
    cell: int = CELL,
    columns: int = 4,
    clean: bool = True,
) -> Image.Image:
    """Return a page with a picture a condition, its name below; chains and parameters are free.

    The picture is brought to size as for `contact_sheet`.

    >>> import numpy as np
    >>> specs = ["fog(severity=2)+jpeg_compression(severity=3)", "gaussian_noise(std=0.1)"]
    >>> condition_sheet(np.zeros((32, 32, 3), np.uint8), specs).mode
    'RGB'
    """
    asked = [condition(str(spec), edition=edition) for spec in _names(conditions)]
    if not asked or columns < 1:
        raise SpecError("A sheet needs at least one condition and one column.")
    work = working_picture(image, edition)
    pictures = list(_corrupted(work, asked, seed, key))
    names = [str(item) for item in asked]
    if clean:
        pictures, names = [work, *pictures], [CLEAN, *names]
    return _grid(
        [_fit(pixels, cell) for pixels in pictures],
        below=names,
        columns=columns,
        width=cell,
        foot=_foot(work, edition, seed, cell),
    )


def working_picture(image: UInt8 | Image.Image, edition: str) -> Pixels:
    """Return the picture in RGB at the size at which a sheet corrupts it."""
    pixels = take(image).pixels
    if pixels.shape[2] == 1:
        pixels = np.repeat(pixels, 3, axis=2)
    chosen = editions.get(edition)
    if chosen.name != "any":
        return chosen.prepare(pixels)
    height, width, _ = pixels.shape
    shrink = 224 / min(height, width)
    if shrink >= 1:
        return pixels
    size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
    return np.array(Image.fromarray(pixels).resize(size, Image.Resampling.BILINEAR))


def _names(given: Sequence[str | Spec]) -> list[str]:
    if isinstance(given, (str, Spec)):
        raise SpecError(f"A sheet takes a list of names; got '{given}'. Write ['{given}'].")
    return [str(name) for name in given]


def _corrupted(work: Pixels, asked: list[Condition], seed: int, key: str | None) -> list[Pixels]:
    name = seeds.content_key(work) if key is None else key

    def one(item: Condition) -> Pixels:
        return item.apply(work, seed=seed, key=name)

    return list(EXECUTORS.load("threads").map(one, asked, workers=usable_cores()))


def _row_label(name: str, row: list[Condition]) -> str:
    """Add to the name what the machine settled, such as the texture of frost."""
    params = dict(row[-1].links[-1].spec.params) if row[-1].links else {}
    params.pop("severity", None)
    settled = str(Spec(name, params)).removeprefix(name)
    return f"{name}\n{settled}" if settled else name


def _foot(work: Pixels, edition: str, seed: int, cell: int) -> str:
    height, width, _ = work.shape
    shown = _fitted((width, height), cell)
    scaled = "" if shown == (width, height) else f", shown at {shown[0]} x {shown[1]}"
    return (
        f"corrupted at {width} x {height} pixels{scaled}; edition {edition}, seed {seed}, "
        f"brittle {__version__}"
    )


def _fitted(size: tuple[int, int], cell: int) -> tuple[int, int]:
    """Return the size at which a picture is shown: small ones enlarged by whole factors."""
    longer = max(size)
    if longer <= cell:
        return size[0] * (cell // longer), size[1] * (cell // longer)
    return max(round(size[0] * cell / longer), 1), max(round(size[1] * cell / longer), 1)


def _fit(pixels: Pixels, cell: int) -> Image.Image:
    """Scale a picture to its cell; enlarged pixels stay squares, a smaller one is averaged."""
    picture = Image.fromarray(pixels)
    size = _fitted(picture.size, cell)
    enlarged = size[0] >= picture.size[0]
    return picture.resize(size, Image.Resampling.NEAREST if enlarged else Image.Resampling.BOX)


def _table(
    rows: Sequence[Sequence[Image.Image]], *, left: Sequence[str], top: Sequence[str], foot: str
) -> Image.Image:
    """Lay pictures of one size out under column heads and beside row labels."""
    wide, high = rows[0][0].size
    aside = round(max(_width(line, _SIZE) for label in left for line in label.splitlines())) + _PAD
    head = round(_SIZE * _LINE) + _PAD // 2
    across, down = wide + _GAP, high + _GAP
    width = max(2 * _MARGIN + aside + len(top) * across - _GAP, _needed(foot))
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
            page.paste(picture, (_MARGIN + aside + column * across, y))
    _write_foot(page, draw, foot)
    return page


def _grid(
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

"""Contact sheets: what corruptions do to one picture, on one page.

The pictures are corrupted at a stated size and scaled to the sheet afterwards, so that a severity
looks as it does in the published sets, whose tables are made for one size.
"""

from collections.abc import Sequence

import numpy as np
from PIL import Image

from brittle import editions, seeds
from brittle._corrupt import corruption_names
from brittle._page import CELL, fit, fitted, grid, table
from brittle._pictures import take
from brittle._version import __version__
from brittle.conditions import CLEAN, Condition, condition
from brittle.errors import SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.rows import SEVERITIES
from brittle.spec import Spec
from brittle.types import Pixels, UInt8


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
    shown = [
        [work, *(next(made) for _ in row)] if clean else [next(made) for _ in row] for row in rows
    ]
    heads = [f"severity {severity}" if severity else CLEAN for severity in severities]
    return table(
        [[fit(pixels, cell) for pixels in row] for row in shown],
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
    return grid(
        [fit(pixels, cell) for pixels in pictures],
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
    shown = fitted((width, height), cell)
    scaled = "" if shown == (width, height) else f", shown at {shown[0]} x {shown[1]}"
    return (
        f"corrupted at {width} x {height} pixels{scaled}; edition {edition}, seed {seed}, "
        f"brittle {__version__}"
    )

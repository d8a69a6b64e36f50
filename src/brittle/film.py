"""Film strips: what perturbations do to one picture, a row each, some frames of it in a row."""

from collections.abc import Iterator, Sequence

import numpy as np
from PIL import Image

from brittle._page import fit, fitted, table
from brittle._perturb import frames_of
from brittle._pictures import take
from brittle._version import __version__
from brittle.errors import SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.perturbations import PERTURBATIONS
from brittle.sequences import sequence
from brittle.sheet import working_picture
from brittle.types import Pixels, UInt8

CELL = 128
"""The longer side of a frame on a strip, in pixels."""
SHOWN = 7
"""Frames of a strip that does not say every which."""


def film_strip(
    image: UInt8 | Image.Image,
    perturbations: Sequence[str] | None = None,
    *,
    every: int | None = None,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
    cell: int = CELL,
) -> Image.Image:
    """Return a page with a row a perturbation: every n-th frame, its number below.

    `image` is what `perturb` takes, shown in RGB. `perturbations` are specs, all of them by
    default. Without `every`, seven frames are shown, from the first to the last. With `any`, a
    picture of more than 224 pixels a side is shrunk to 224 on its shorter side, since the numbers
    of `any` are those of 224.

    >>> import numpy as np
    >>> film_strip(np.zeros((32, 32, 3), np.uint8), ["tilt"], every=10, cell=32).mode
    'RGB'
    """
    if isinstance(perturbations, str):
        raise SpecError(f"A strip takes a list of names; got '{perturbations}'. Write it in [].")
    names = PERTURBATIONS.names() if perturbations is None else perturbations
    if not names or (every is not None and every < 1):
        raise SpecError("A film strip needs at least one perturbation, and every >= 1.")
    asked = [sequence(name, edition=edition) for name in names]
    pixels = working_picture(image, edition) if edition == "any" else take(image).pixels
    work = np.repeat(pixels, 3 // pixels.shape[2], axis=2)
    numbers = [_shown(item.count, every) for item in asked]

    def row(number: int) -> list[Image.Image]:
        made = frames_of(asked[number], work, seed=seed, key=key, prepare=True)
        return [fit(frame, cell) for frame in _picked(made, numbers[number])]

    rows = list(EXECUTORS.load("threads").map(row, range(len(asked)), workers=usable_cores()))
    side = next(asked[0].frames(work, seed=0, key="")).shape
    scaled = "" if fitted((side[1], side[0]), cell) == (side[1], side[0]) else ", shown smaller"
    return table(
        rows,
        left=[str(item) for item in asked],
        below=[[str(number) for number in shown] for shown in numbers],
        foot=f"frames of {side[1]} x {side[0]} pixels{scaled}; edition {edition}, seed {seed}, "
        f"brittle {__version__}",
    )


def _shown(count: int, every: int | None) -> list[int]:
    if every is not None:
        return list(range(0, count, every))
    few = min(SHOWN, count)
    return [round(i * (count - 1) / (few - 1)) for i in range(few)]


def _picked(frames: Iterator[Pixels], numbers: Sequence[int]) -> Iterator[Pixels]:
    wanted = set(numbers)
    for number, frame in enumerate(frames):
        if number in wanted:
            yield frame
            if number == numbers[-1]:
                return

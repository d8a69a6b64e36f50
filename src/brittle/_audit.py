"""How far the corruptions of an edition really move your pictures, by MS-SSIM and PSNR.

The draft of 2018 chose the severities so that the mean MS-SSIM would be about 0.9 at severity 1
and 0.5 at severity 5; this measures how near they come on a sample of a source.
"""

import math
import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle import editions
from brittle._corrupt import corruption_names
from brittle.conditions import Condition, condition
from brittle.corruptions import CORRUPTIONS
from brittle.errors import ImageError, SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.families import hint
from brittle.progress import Progress
from brittle.rows import SEVERITIES
from brittle.sources import Item, Source, open_source
from brittle.sources._chosen import chosen

DRAFT = {1: 0.9, 5: 0.5}
"""The mean MS-SSIM that the draft of 2018 aimed at, by severity."""


class Score(NamedTuple):
    """A cell: means over the sample, each with its standard error.

    Higher is nearer to the clean picture: `ms_ssim` goes from 0 to 1, `psnr` is in decibels. The
    PSNR of an unchanged picture is infinite, so `psnr` is the mean over the others, and infinite if
    there are none. A standard error is nan where there is none, as for a single picture.
    """

    corruption: str
    severity: int
    condition: str
    """The canonical name of what was really done."""
    ms_ssim: float
    ms_ssim_error: float
    psnr: float
    psnr_error: float
    unchanged: int
    """Pictures that came back equal, as grey ones do from `saturate`."""

    @property
    def label(self) -> str:
        """The corruption, with what the machine settled, such as the texture of frost."""
        name = self.condition.replace(f"(severity={self.severity})", "")
        return name.replace(f"severity={self.severity}, ", "")


class Audit(NamedTuple):
    """The cells, and what they were measured on."""

    edition: str
    seed: int
    keys: tuple[str, ...]
    """Keys of the pictures in the sample, in ABC order."""
    scores: tuple[Score, ...]


def audit(
    source: Source | str | os.PathLike[str],
    *,
    corruptions: Sequence[str] | None = None,
    severities: Sequence[int] = SEVERITIES,
    edition: str = "imagenet-224",
    sample: int | None = 50,
    seed: int = 0,
    workers: int | None = None,
    quiet: bool = True,
) -> Audit:
    """Measure every corruption and severity against the clean prepared pictures of a sample.

    Pictures are prepared by the edition and compared before any JPEG is written, so the numbers are
    those of the corruption alone. The sample is drawn by hashing the seed with the pictures' keys:
    neither their order nor their number moves a picture in or out by itself. `sample=None` takes
    all of them. Sides under 11 pixels hold no MS-SSIM and are an `ImageError`; small pictures hold
    fewer scales, so do not compare numbers across editions (see `brittle.likeness.ms_ssim`).

    Reference: MS-SSIM by Wang, Simoncelli and Bovik 2003; its use for severities in the draft of
    Hendrycks and Dietterich, arXiv:1807.01697.
    """
    names = _names(corruptions)
    asked = [
        (name, severity, condition(name, edition=edition, severity=severity))
        for name in names
        for severity in severities
    ]
    if not asked:
        raise SpecError("An audit needs at least one corruption and one severity.")
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise SpecError(f"workers must be at least 1; got {workers}.")
    if not isinstance(source, Source):
        source = open_source(source)
    items = chosen(source.items, sample, seed)
    one = _Picture(source, editions.get(edition), [made for _, _, made in asked], seed)
    mapped = EXECUTORS.load("serial" if workers == 1 else "threads").map
    numbers = np.empty((len(items), len(asked), 2))
    with Progress(len(items), label="auditing", quiet=quiet) as progress:
        for place, row in enumerate(mapped(one, items, workers=workers)):
            numbers[place] = row
            progress.advance()
    scores = tuple(
        _score(name, severity, made, numbers[:, n, 0], numbers[:, n, 1])
        for n, (name, severity, made) in enumerate(asked)
    )
    return Audit(edition, seed, tuple(sorted(item.key for item in items)), scores)


def _names(corruptions: Sequence[str] | None) -> list[str]:
    if isinstance(corruptions, str):
        raise SpecError(f"corruptions is a list of names; write ['{corruptions}'].")
    names = list(corruption_names() if corruptions is None else corruptions)
    for name in names:
        if name not in CORRUPTIONS.names():
            raise SpecError(hint(name, CORRUPTIONS.names(), "corruption"))
    if twins := [name for name in names if names.count(name) > 1]:
        raise SpecError(f"The corruption {twins[0]} is named twice; name it once.")
    return names


class _Picture:
    """Measures one picture: decoded and prepared once, then put through every condition."""

    def __init__(
        self, source: Source, edition: editions.Edition, asked: list[Condition], seed: int
    ) -> None:
        self.source, self.edition, self.asked, self.seed = source, edition, asked, seed

    def __call__(self, item: Item) -> NDArray[np.float64]:
        from brittle.likeness.ms_ssim import ms_ssim
        from brittle.likeness.psnr import psnr

        try:
            clean = self.edition.prepare(self.source.load(item))
            rows = []
            for made in self.asked:
                pixels = made.apply(clean, seed=self.seed, key=item.key)
                rows.append((ms_ssim(clean, pixels), psnr(clean, pixels)))
        except ImageError as error:
            said = str(error)
            raise ImageError(
                said if said.startswith(item.name) else f"{item.name}: {said}"
            ) from error
        return np.array(rows)


def _score(
    name: str,
    severity: int,
    made: Condition,
    similarities: NDArray[np.float64],
    ratios: NDArray[np.float64],
) -> Score:
    changed = ratios[np.isfinite(ratios)]
    likeness = _mean(similarities)
    noise = _mean(changed) if len(changed) else (math.inf, math.nan)
    return Score(name, severity, str(made), *likeness, *noise, len(ratios) - len(changed))


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    if len(values) < 2:
        return float(values.mean()), math.nan
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))

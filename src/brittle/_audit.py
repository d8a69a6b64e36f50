"""How far the corruptions of an edition really move your pictures, by MS-SSIM and PSNR.

The draft of 2018 chose the severities so that the mean MS-SSIM would be about 0.9 at severity 1
and 0.5 at severity 5; this measures how near they come on a sample of a source.
"""

import csv
import io
import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle import editions, seeds
from brittle._corrupt import corruption_names
from brittle._version import __version__
from brittle.conditions import Condition, condition
from brittle.corruptions import CORRUPTIONS
from brittle.errors import ImageError, MissingExtraError, SourceError, SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.files import replacing, write_bytes
from brittle.progress import Progress
from brittle.rows import SEVERITIES
from brittle.sources import Item, Source, open_source

DRAFT = {1: 0.9, 5: 0.5}
"""The mean MS-SSIM that the draft of 2018 aimed at, by severity."""

FORMAT = "brittle-audit/1"

# Okabe and Ito's colours, which the colour-blind can tell apart, without the palest; the markers
# tell them apart once more.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
_MARKERS = "osD^vPX"


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
    fewer scales, so do not compare numbers across editions (see `brittle.metrics.ms_ssim`).

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


def chosen(items: Sequence[Item], count: int | None, seed: int) -> list[Item]:
    """Return `count` items, those whose hashed keys come first; all of them if they are fewer."""
    if not items:
        raise SourceError("There are no images to audit.")
    if count is not None and count < 1:
        raise SpecError(f"A sample has at least 1 picture; got {count}.")
    return sorted(items, key=lambda item: (seeds.stream(seed, "sample", item.key), item.key))[
        :count
    ]


def _names(corruptions: Sequence[str] | None) -> list[str]:
    if isinstance(corruptions, str):
        raise SpecError(f"corruptions is a list of names; write ['{corruptions}'].")
    names = list(corruption_names() if corruptions is None else corruptions)
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
        from brittle.metrics.ms_ssim import ms_ssim
        from brittle.metrics.psnr import psnr

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


def as_csv(found: Audit) -> str:
    """Return a line a cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("edition", "seed", "images", *Score._fields))
    for score in found.scores:
        writer.writerow((found.edition, found.seed, len(found.keys), *score))
    return stream.getvalue()


def as_json(found: Audit) -> str:
    """Return everything; what is not finite (a PSNR of equal pictures) is null."""
    whole = {
        "format": FORMAT,
        "brittle": __version__,
        "edition": found.edition,
        "seed": found.seed,
        "keys": list(found.keys),
        "scores": [
            {name: _finite(value) for name, value in score._asdict().items()}
            for score in found.scores
        ],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def write(found: Audit, folder: Path) -> list[Path]:
    """Write audit.csv, audit.json and audit.png, whole or not at all; returns their paths."""
    need_plot()
    paths = [folder / f"audit.{ending}" for ending in ("csv", "json", "png")]
    write_bytes(paths[0], as_csv(found).encode())
    write_bytes(paths[1], as_json(found).encode())
    with replacing(paths[2]) as aside:
        draw(found, aside)
    return paths


def need_plot() -> None:
    """Refuse at once where matplotlib is missing, and not after the work."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            'The picture of an audit needs matplotlib: pip install "brittle[plot]". Without -o '
            "the table is printed, which needs nothing more."
        ) from error


def draw(found: Audit, path: Path) -> None:
    """Draw MS-SSIM over severity as a PNG: a panel a group, a labelled line a corruption."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(score.corruption for score in found.scores):
        groups.setdefault(CORRUPTIONS.load(name).group, []).append(name)
    figure = Figure(figsize=(11.6, 4.1 * math.ceil(len(groups) / 2) + 0.6), layout="constrained")
    FigureCanvasAgg(figure)
    columns = min(len(groups), 2)
    panels = figure.subplots(
        math.ceil(len(groups) / columns), columns, squeeze=False, sharey=True
    ).ravel()
    for panel in panels[len(groups) :]:
        panel.set_visible(False)
    for panel, (group, names) in zip(panels, groups.items(), strict=False):
        _panel(panel, found, group, names)
    figure.suptitle(
        f"MS-SSIM to the clean picture, {found.edition}, {len(found.keys)} pictures "
        f"(mean and standard error)",
        x=0.01,
        ha="left",
        fontsize=12,
    )
    figure.savefig(path, format="png", dpi=150)


def _panel(panel: Any, found: Audit, group: str, names: list[str]) -> None:
    severities = sorted({score.severity for score in found.scores})
    ends: list[tuple[float, str, str]] = []
    for number, name in enumerate(names):
        scores = [score for score in found.scores if score.corruption == name]
        colour = _COLOURS[number % len(_COLOURS)]
        panel.errorbar(
            [score.severity for score in scores],
            [score.ms_ssim for score in scores],
            yerr=[0.0 if math.isnan(s.ms_ssim_error) else s.ms_ssim_error for s in scores],
            color=colour,
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=5,
            linewidth=1.8,
            elinewidth=1.2,
            capsize=2.5,
        )
        ends.append((scores[-1].ms_ssim, scores[-1].label.replace("(", "\n("), colour))
    for severity, aim in DRAFT.items():
        panel.axhline(aim, color="#8a8f98", linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        panel.annotate(
            f"draft's aim,\nseverity {severity}",
            (1.01, aim),
            xycoords=("axes fraction", "data"),
            color="#5f646d",
            fontsize=8,
            va="center",
            annotation_clip=False,
        )
    last = severities[-1]
    for height, (true, name, colour) in zip(spread([e[0] for e in ends], 0.058), ends, strict=True):
        panel.annotate(
            name,
            (last, true),
            (last + 0.16, height),
            color=colour,
            fontsize=9,
            va="center",
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.7, "alpha": 0.6},
        )
    panel.set_title(group, loc="left", fontsize=11, fontweight="bold")
    panel.set_xlim(severities[0] - 0.25, last + 1.85)
    panel.set_ylim(0, 1.04)
    panel.set_xticks(severities)
    panel.set_xlabel("severity", loc="left")
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color="#e6e8eb", linewidth=0.8)
    panel.set_axisbelow(True)


def spread(heights: list[float], apart: float) -> list[float]:
    """Move labels as little as needed so that they are `apart` from one another, inside 0..1.

    >>> [round(height, 2) for height in spread([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    clusters: list[list[int]] = [[place] for place in order]

    def low(cluster: list[int]) -> float:
        span = apart * (len(cluster) - 1)
        middle = sum(heights[place] for place in cluster) / len(cluster)
        return max(min(middle - span / 2, 1 - span), 0.0)

    merged = True
    while merged:
        merged = False
        for at in range(len(clusters) - 1):
            first, second = clusters[at], clusters[at + 1]
            if low(first) + apart * len(first) > low(second) + 1e-9:
                clusters[at : at + 2] = [first + second]
                merged = True
                break
    placed = [0.0] * len(heights)
    for cluster in clusters:
        for step, place in enumerate(cluster):
            placed[place] = low(cluster) + apart * step
    return placed


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value

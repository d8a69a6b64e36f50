"""The picture of an audit: MS-SSIM over severity, a panel a group, a labelled line a corruption."""

import math
from pathlib import Path
from typing import Any

from brittle._audit import DRAFT, Audit
from brittle.corruptions import CORRUPTIONS
from brittle.errors import MissingExtraError

# Okabe and Ito's colours, which the colour-blind can tell apart, without the palest; the markers
# tell them apart once more.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
_MARKERS = "osD^vPX"


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
        ends.append((scores[-1].ms_ssim, scores[-1].label.replace("(texture=", " ("), colour))
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

"""Reliability diagram: accuracy over confidence, and how many answers there are of each."""

from pathlib import Path

import numpy as np

from brittle.calibration import Answers, measure
from brittle.calibration import reliability as binned
from brittle.plots._figure import COLOURS, QUIET, canvas

_Z = 1.959963984540054
"""Standard errors of a 95 % interval."""


def reliability(answers: Answers, path: Path | str, *, bins: int = 15, title: str = "") -> None:
    """Draw the accuracy of each bin of confidence against the diagonal, with 95 % intervals.

    The intervals are Wilson's. Hatched is the gap to the mean confidence: above the bar the model
    is too sure, inside it too modest. Below, the share of the answers in each bin.
    """
    error = measure(answers, f"ece(bins={bins})")
    made = canvas(path, size=(5.6, 6.2), rows=2, heights=(3.4, 1))
    upper, lower = made.panels
    counts, confidence, accuracy = (part[0] for part in binned(answers, bins=bins))
    edges = np.linspace(0, 1, bins + 1)
    middle, width = (edges[1:] + edges[:-1]) / 2, 1 / bins
    full = counts > 0
    upper.plot([0, 1], [0, 1], color=QUIET, linewidth=1.2, linestyle=(0, (4, 3)), zorder=3)
    upper.bar(
        middle[full], accuracy[full], width * 0.94, color=COLOURS[6], edgecolor=COLOURS[0],
        linewidth=0.8, label="accuracy",
    )  # fmt: skip
    upper.bar(
        middle[full], (confidence - accuracy)[full], width * 0.94, bottom=accuracy[full],
        facecolor="none", edgecolor=COLOURS[1], hatch="////", linewidth=0.8,
        label="gap to the mean confidence",
    )  # fmt: skip
    share, n = accuracy[full], counts[full]
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * np.sqrt(share * (1 - share) / n + (_Z / (2 * n)) ** 2) / (1 + _Z**2 / n)
    upper.errorbar(
        middle[full], share,
        yerr=np.maximum([share - (centre - half), centre + half - share], 0),
        fmt="none", ecolor="#000000", elinewidth=1, capsize=2, zorder=4,
    )  # fmt: skip
    upper.set_ylim(0, 1.02)
    upper.set_xlim(0, 1)
    upper.set_ylabel("accuracy")
    said = f"ECE {error:.3f}, accuracy {answers.correct.mean():.3f}, "
    upper.text(
        0.0, 1.015, f"{said}confidence {answers.confidence.mean():.3f}",
        transform=upper.transAxes, ha="left", fontsize=9,
    )  # fmt: skip
    upper.set_title(title or "Reliability", loc="left", fontsize=11, fontweight="bold", pad=18)
    upper.legend(loc="upper left", frameon=True, framealpha=0.9, edgecolor="none", fontsize=9)
    lower.bar(middle, 100 * counts / counts.sum(), width * 0.94, color=QUIET)
    lower.set_ylabel("% of answers")
    lower.set_xlabel("confidence", loc="left")
    made.save(path)

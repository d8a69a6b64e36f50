"""Where the scores of both groups lie."""

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from brittle.plots._figure import STRANGE, USUAL, canvas
from brittle.separation import Groups, measure

_ENDS = (0.002, 0.998)
"""The shares of the scores between which the bins lie; what is beyond goes to the outermost."""


def histogram(
    strange: ArrayLike,
    usual: ArrayLike,
    path: Path | str,
    *,
    title: str = "",
    names: tuple[str, str] = ("out-of-distribution", "in-distribution"),
    bins: int = 50,
) -> None:
    """Draw the shares of both groups over their scores, and the threshold of FPR95."""
    made = canvas(path, size=(7.4, 3.9))
    (panel,) = made.panels
    curve = Groups(strange, usual).curve
    first, second = np.asarray(strange, np.float64), np.asarray(usual, np.float64)
    finite = [each[np.isfinite(each)] for each in (first, second)]
    ends = [np.quantile(each, _ENDS) for each in finite if len(each)] or [np.zeros(2)]
    low, high = float(np.min(ends)), float(np.max(ends))
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    for scores, name, colour, hatch in (
        (second, names[1], USUAL, ""),
        (first, names[0], STRANGE, "////"),
    ):
        counts, _ = np.histogram(np.clip(scores, edges[0], edges[-1]), edges)
        panel.stairs(
            100 * counts / len(scores), edges, fill=True, facecolor=colour, alpha=0.28,
            hatch=hatch, edgecolor=colour, linewidth=0,
        )  # fmt: skip
        panel.stairs(
            100 * counts / len(scores), edges, color=colour, linewidth=1.8,
            label=f"{name} ({len(scores):,})",
        )  # fmt: skip
    found = np.flatnonzero(curve.true[0] / curve.true[0, -1] >= 0.95)[0]
    threshold = float(np.clip(curve.thresholds[found], edges[0], edges[-1]))
    beyond = threshold > edges[0] + 0.6 * (edges[-1] - edges[0])  # the words would leave the panel
    panel.axvline(threshold, color="#000000", linewidth=1, linestyle=(0, (4, 3)))
    panel.annotate(
        f"95 % of {names[0]}\nlie at or above this",
        (threshold, 1.0),
        (-4 if beyond else 4, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        fontsize=8,
        ha="right" if beyond else "left",
        va="top",
        bbox={"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 1},
    )
    panel.set_ylim(bottom=0, top=panel.get_ylim()[1] * 1.12)
    panel.set_xlabel("score: higher is stranger", loc="left")
    panel.set_ylabel("% of the group")
    area = float(measure(curve, "auroc")[0])
    head = f"{title}, AUROC {area:.3f}" if title else f"AUROC {area:.3f}"
    panel.set_title(head, loc="left", fontsize=11, fontweight="bold")
    panel.legend(
        loc="upper left",
        bbox_to_anchor=(0, -0.16),
        ncols=2,
        frameon=False,
        fontsize=9,
        borderaxespad=0,
    )
    made.save(path)

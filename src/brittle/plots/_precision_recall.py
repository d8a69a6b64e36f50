"""Precision over recall, the strange ones being the positive class."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from brittle.plots._figure import QUIET, canvas, legend, square, styles, thin
from brittle.separation import Curve, measure


def precision_recall(curves: Mapping[str, Curve], path: Path | str, *, title: str = "") -> None:
    """Draw precision over recall for each name, best first, with its AUPR in the legend.

    In steps, as average precision sums it: precision does not run straight between thresholds. The
    dashed line is guessing, where all curves are of the same groups.
    """
    made = canvas(path, size=(7.4, 5.0))
    (panel,) = made.panels
    areas = {name: float(measure(curve, "aupr")[0]) for name, curve in curves.items()}
    shares = set()
    for name, style in styles(areas).items():
        curve = curves[name]
        hits, reached = curve.true[0], curve.true[0] + curve.false[0]
        recall, precision = hits / hits[-1], hits / reached
        gained = np.flatnonzero(np.diff(hits, prepend=0))
        x, y = thin(np.append(0.0, recall[gained]), precision[gained[[0, *range(len(gained))]]])
        panel.step(x, y, where="pre", **style)
        shares.add(hits[-1] / reached[-1])
    if len(shares) == 1:
        (share,) = shares
        panel.axhline(share, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    square(panel)
    panel.set_xlabel("recall", loc="left")
    panel.set_ylabel("precision")
    panel.set_title(title or "Precision and recall", loc="left", fontsize=11, fontweight="bold")
    legend(panel, "AUPR")
    made.save(path)

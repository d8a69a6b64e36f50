"""ROC: the share of strange ones found over the share of usual ones taken for strange."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from brittle.plots._figure import QUIET, canvas, legend, square, styles, thin
from brittle.separation import Curve, measure


def roc(curves: Mapping[str, Curve], path: Path | str, *, title: str = "") -> None:
    """Draw a ROC curve for each name, best first, with its AUROC in the legend.

    The curves are those of `brittle.separation.Groups(strange, usual).curve`. Where scores tie,
    the line runs straight, as AUROC counts it.
    """
    made = canvas(path, size=(7.4, 5.0))
    (panel,) = made.panels
    panel.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    areas = {name: float(measure(curve, "auroc")[0]) for name, curve in curves.items()}
    for name, style in styles(areas).items():
        curve = curves[name]
        x, y = (np.append(0.0, counts[0] / counts[0, -1]) for counts in (curve.false, curve.true))
        panel.plot(*thin(x, y), **style)
    square(panel)
    panel.set_xlabel("false positive rate", loc="left")
    panel.set_ylabel("true positive rate (recall)")
    panel.set_title(title or "ROC", loc="left", fontsize=11, fontweight="bold")
    legend(panel, "AUROC")
    made.save(path)

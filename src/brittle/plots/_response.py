"""Accuracy over response rate: what a model gets right when it may keep silent."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from brittle.calibration import Answers, measure, response_curve
from brittle.plots._figure import canvas, legend, styles, thin


def response_rate_accuracy(
    answers: Mapping[str, Answers], path: Path | str, *, title: str = ""
) -> None:
    """Draw the response-rate-accuracy curve of each name, best first, with AURRA in the legend."""
    made = canvas(path, size=(7.4, 4.4))
    (panel,) = made.panels
    areas = {name: measure(each, "aurra") for name, each in answers.items()}
    lowest = 1.0
    for name, style in styles(areas).items():
        curve = response_curve(answers[name])
        x, y = thin(curve.rate, curve.accuracy)
        panel.plot(100 * x, 100 * y, **style)
        # The first few answers jump up and down; they must not set the scale.
        lowest = min(lowest, float(curve.accuracy[len(answers[name]) // 20 :].min()))
    panel.set_xlim(0, 100)
    panel.set_ylim(100 * max(0.0, np.floor(lowest * 20) / 20 - 0.02), 101)
    panel.set_xlabel("% of the images that are answered, most confident first", loc="left")
    panel.set_ylabel("accuracy of these, %")
    panel.set_title(
        title or "Response rate and accuracy", loc="left", fontsize=11, fontweight="bold"
    )
    legend(panel, "AURRA")
    made.save(path)

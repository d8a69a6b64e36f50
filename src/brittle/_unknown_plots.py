"""Plots of stored outputs: curves of detectors, histograms of scores, reliability diagrams."""

import sys
from pathlib import Path

from brittle import plots
from brittle._outputs import believed
from brittle._run import Run
from brittle.layouts import safe
from brittle.scoring.detecting import Detection
from brittle.separation import Groups

DRAWN = 6
"""Curves on one picture; more could not be told apart."""


def draw_detection(model: str, found: Detection, folder: str | Path) -> list[Path]:
    """Draw curves a strange set, and a histogram a detector and strange set."""
    place, made = Path(folder), []
    place.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(row.detector for row in found.rows))
    titles = {row.detector: row.title for row in found.rows}
    first, last = found.measures[0], found.sets[-1]
    sign = 1 if found.better[first] == "lower" else -1
    names.sort(key=lambda name: sign * found.of(name, first, last).value)
    if len(names) > DRAWN:
        print(
            f"brittle detect: the curves are those of the {DRAWN} best detectors; name others "
            f"with --detector",
            file=sys.stderr,
        )
        names = names[:DRAWN]
    usual = found.scored.usual
    for group, strange in found.scored.strange.items():
        curves = {titles[name]: Groups(strange[name], usual[name]).curve for name in names}
        title = f"{model}: {group}"
        made += [place / f"roc-{safe(group)}.png", place / f"pr-{safe(group)}.png"]
        plots.roc(curves, made[-2], title=title)
        plots.precision_recall(curves, made[-1], title=title)
        for name in names:
            made.append(place / f"scores-{safe(group)}-{safe(name)}.png")
            plots.histogram(strange[name], usual[name], made[-1], title=f"{titles[name]}: {group}")
    print(f"{len(made)} plots in {place}", file=sys.stderr)
    return made


def draw_calibration(run: Run, suite: str, folder: str | Path) -> list[Path]:
    """Draw a reliability diagram of every cell off the grid, and all response-rate curves."""
    place, made = Path(folder), []
    place.mkdir(parents=True, exist_ok=True)
    found = run.suite(suite)
    cells = [c for c in found.cells if c.role in ("clean", "iid", "shift", "free")]
    answers = {}
    for cell in cells:
        name = cell.group if cell.role != "free" else cell.condition
        answers[name] = believed(run.info, run.rows_of, cell).answers()
        made.append(place / f"reliability-{safe(name)}.png")
        plots.reliability(answers[name], made[-1], title=f"{run.model}: {name}")
    if answers:
        made.append(place / "response-rate.png")
        some = dict(list(answers.items())[:DRAWN])
        plots.response_rate_accuracy(some, made[-1], title=run.model)
    print(f"{len(made)} plots in {place}", file=sys.stderr)
    return made

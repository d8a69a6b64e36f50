"""What a run's confidence was, group by group of its labelled pictures, as curves and numbers."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from brittle._outputs import beliefs
from brittle.calibration import Answers, reliability, response_curve
from brittle.metrics._grid import tested_if_any
from brittle.outcomes import Cell
from brittle.scoring.bootstrap import Number
from brittle.scoring.trusting import Believed, Calibration, trust
from brittle.sections._lines import Line
from brittle.sections._material import View

BINS, FEWEST = 10, 10
"""Bins of a reliability diagram, and answers of a bin below which it is not drawn."""
POINTS = 60
"""Of a response-rate curve, which has as many as there are pictures."""
WORK = 200_000_000
"""Predictions times replicates that a report takes: some ten seconds."""
LEAST = 100
"""Replicates, however many predictions there are."""
_Z = 1.959963984540054
"""Standard errors of a 95 % interval."""


def possible(view: View) -> bool:
    """Say whether a suite has labelled pictures and answers with a confidence."""
    plain = not view.suite.foremost_only and view.suite.task == "single"
    return plain and any(groups(view).values())


def groups(view: View) -> Mapping[str, Sequence[Cell]]:
    """Return the cells whose answers are put together: clean, all corruptions, every shift."""
    found: dict[str, list[Cell]] = {}
    grid = [cell for cell in view.suite.cells if cell.role in ("grid", "extra")]
    for cell in view.suite.cells:
        if cell.role in ("clean", "iid", "shift"):
            found.setdefault("clean" if cell.role == "clean" else cell.group, []).append(cell)
        elif cell.role == "free":
            found.setdefault(cell.condition, []).append(cell)
    if grid:
        found["all corruptions"] = list(tested_if_any(grid))
    return found


def replicates(view: View) -> int:
    """Return how many replicates a report can take of so many predictions."""
    cells = sum(map(len, groups(view).values()))
    images = max(int(view.run.info["sets"][cell.set]["images"]) for cell in view.suite.cells)
    return min(view.replicates, max(LEAST, WORK // (cells * images)))


class Trusted:
    """The answers of a suite, read once."""

    def __init__(self, view: View) -> None:
        """Read them."""
        self._view, self._of = view, beliefs(view.run, view.suite)
        self.replicates = replicates(view)

    def answers(self) -> Iterator[tuple[str, Answers]]:
        """Yield each group with its answers."""
        for name, cells in groups(self._view).items():
            some = [self._of(cell) for cell in cells]
            yield name, Answers(_joined(some, "confidence"), _joined(some, "correct"))

    def numbers(self) -> Calibration:
        """Return the calibration of every cell with intervals."""
        view = self._view
        return trust(view.suite, self._of, replicates=self.replicates, level=view.level)


def _joined(some: Sequence[Believed], name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.concatenate([getattr(one, name) for one in some])


def diagram(place: int, who: str, answers: Answers) -> Line:
    """Return accuracy over confidence, in percent, with Wilson's intervals."""
    counts, confidence, accuracy = (row[0] for row in reliability(answers, bins=BINS))
    x, y, said = [], [], []
    for count, sure, right in zip(counts, confidence, accuracy, strict=True):
        if count >= FEWEST:
            low, high = wilson(right, count)
            x.append(100 * float(sure))
            y.append(Number(100 * float(right), 100 * low, 100 * high))
            said.append(f"{who}: {100 * right:.0f} % right of {count:,.0f} answers that were "
                        f"{100 * sure:.0f} % sure")  # fmt: skip
    return Line(place, x, y, said)


def wilson(share: float, count: float) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share.

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    centre = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    half = _Z * np.sqrt(share * (1 - share) / count + (_Z / (2 * count)) ** 2)
    half = float(half / (1 + _Z**2 / count))
    return max(0.0, centre - half), min(1.0, centre + half)


def silent(place: int, answers: Answers) -> Line:
    """Return accuracy over response rate, in percent."""
    curve = response_curve(answers)
    # The first few answers jump up and down; they must not set the scale.
    first = max(len(answers) // 20, 1)
    at = np.unique(np.linspace(first - 1, len(answers) - 1, POINTS).astype(int))
    values = 100 * curve.accuracy[at]
    nan = float("nan")
    return Line(
        place, (100 * curve.rate[at]).tolist(), [Number(v, nan, nan) for v in values.tolist()]
    )

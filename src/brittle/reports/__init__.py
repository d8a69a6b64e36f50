"""Reports: sheets of a run's numbers, and the formats that write them down, one file each.

summary, detail, parts, grid, paper, comparison, flipping, frames, leaderboard --> Sheet
Sheet --> text, md, latex, csv, json
"""

from collections.abc import Sequence

from brittle.errors import ScoreError
from brittle.families import Family
from brittle.reports._comparison import comparison
from brittle.reports._grid import grid
from brittle.reports._leaderboard import leaderboard
from brittle.reports._moves import flipping, frames
from brittle.reports._paper import paper
from brittle.reports._summary import detail, parts, summary
from brittle.reports._unknowns import calibration, detection
from brittle.reports.base import Column, Figure, Format, Sheet
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.scoring.rates import Measured
from brittle.scoring.unknowns import of_outputs

__all__ = [
    "FORMATS", "Column", "Figure", "Format", "Sheet", "calibration", "comparison", "detail",
    "detection", "flipping",
    "frames", "grid", "leaderboard", "paper", "parts", "render", "summary", "table",
]  # fmt: skip

FORMATS: Family[Format] = Family("format", "brittle.reports", Format)


def render(sheets: Sheet | Sequence[Sheet], format: str = "text") -> str:  # noqa: A002
    """Write sheets in a format; the text ends in a line feed."""
    return FORMATS.load(format).render([sheets] if isinstance(sheets, Sheet) else sheets)


def table(
    runs: Sequence[Measured],
    *,
    format: str = "text",  # noqa: A002
    suite: str | None = None,
    score: str | None = None,
    baseline: str | Measured | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    difficulty: int = 1,
) -> str:
    """Return the table of one run (its cells) or of several (the paper's, a row each)."""
    if not runs:
        raise ScoreError("A table needs at least one run.")
    writer = FORMATS.load(format)
    if len(runs) == 1 and score is None and not of_outputs(runs[0].suite(suite)):
        sheet = grid(
            runs[0], suite, baseline=baseline, replicates=replicates, level=level,
            difficulty=difficulty,
        )  # fmt: skip
    else:
        sheet = paper(
            runs, suite, score=score, baseline=baseline, replicates=replicates, level=level,
            difficulty=difficulty,
        )  # fmt: skip
    return writer.render([sheet])

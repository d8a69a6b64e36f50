"""Published results of a suite, with the user's own runs among them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, final

from brittle._compare import AnyRun
from brittle._run import Run

if TYPE_CHECKING:
    from brittle.published.base import Entry
    from brittle.published.board import Board


@final
class Leaderboard:
    """Rows in order, best first; `entries` has them, `table` writes them down."""

    def __init__(self, board: "Board") -> None:
        """Use `brittle.leaderboard`."""
        self.board = board

    @property
    def entries(self) -> "tuple[Entry, ...]":
        """The rows: place, model, numbers by metric, source, and why one is not on a par."""
        return self.board.entries

    def table(self, format: str = "text", *, columns: bool = False) -> str:  # noqa: A002
        """Return it as `text`, `md`, `latex`, `csv` or `json`.

        `columns` shows people what the totals are summed from; csv and json always hold it.
        """
        from brittle import reports

        return reports.render(reports.leaderboard(self.board, columns=columns), format)


def leaderboard(
    suite: str,
    *,
    runs: Sequence[AnyRun] = (),
    backbone: str | None = None,
    standalone: bool = False,
    sort: str | None = None,
    baseline: AnyRun | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> Leaderboard:
    """Rank what is published of a suite, and runs of one's own among it.

    `backbone` keeps the rows of one network (`resnet50`), `standalone` those that the authors'
    leaderboard calls a single method, with the plain networks; runs always stay. `sort` is a
    metric of the rows other than the suite's headline. A run on a sample of the pictures, with
    another baseline, or otherwise not on an equal footing, gets the place that its number would
    have and takes none away; its `off` says why.

    >>> board = leaderboard("imagenet-c", backbone="resnet50", standalone=True)
    >>> [(one.place, one.model) for one in board.entries if not one.off][:2]
    [(1, 'ResNet-50 + ANT (3x3)'), (2, 'ResNet-50 + BlurAfterConv')]
    """
    from brittle import published
    from brittle.published.board import make

    found = published.get(suite)
    return Leaderboard(
        make(
            found,
            [Run.open(run) for run in runs],
            backbone=backbone,
            standalone=standalone,
            sort=sort,
            baseline=Run.baseline(baseline),
            replicates=replicates,
            level=level,
        )
    )

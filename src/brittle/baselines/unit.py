"""unit: a model that is always wrong under corruption and never on clean images.

Dividing by it leaves the plain mean error, in percent.
"""

from brittle.baselines.base import Baseline
from brittle.outcomes import Reads


def mean(name: str) -> float:  # noqa: ARG001
    """Return 100 for every corruption."""
    return 100.0


def moves(reads: Reads, name: str) -> float | None:  # noqa: ARG001
    """Return 100 for flips; a distance has no such unit."""
    return 100.0 if reads == "flips" else None


PART = Baseline(
    title="100 %",
    about=__doc__,
    source="by definition",
    edition=None,
    classes=None,
    mean=mean,
    clean=0.0,
    moves=moves,
)

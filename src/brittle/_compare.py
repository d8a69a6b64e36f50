"""Two runs against each other, image by image."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from brittle._run import Run
from brittle.errors import ScoreError

if TYPE_CHECKING:
    from brittle.scoring.comparing import Comparison

AnyRun: TypeAlias = Run | str | os.PathLike[str]


def compare(
    old: AnyRun,
    new: AnyRun,
    *,
    suite: str | None = None,
    scores: Sequence[str] | None = None,
    gates: Sequence[str] = (),
    baseline: AnyRun | None = None,
    replicates: int = 1000,
    level: float = 0.95,
    difficulty: int = 1,
) -> "Comparison":
    """Compare two runs, or the folders of two, of one suite: paired on the same images.

    The result holds for every score both values, their difference with its interval and p-value,
    the corruptions by how much they changed, and the images that flipped. Runs on other images,
    other pixels, another edition or seed are refused. `scores` are those of the suite unless
    named. A gate such as `mCE:1.0` fails when NEW is worse than OLD by more than 1.0 with
    confidence: when the whole interval of the difference lies beyond it. `difficulty` is that of
    sequences.
    """
    from brittle.scoring.comparing import compare_runs
    from brittle.scoring.contrasting import compare_outputs
    from brittle.scoring.unknowns import of_outputs

    first, second = Run.open(old), Run.open(new)
    found = first.suite(suite)
    if of_outputs(found):
        if baseline is not None:
            raise ScoreError(f"The scores of {found.name} have no baseline; leave it out.")
        other = second.suite(found.name)
        return compare_outputs(
            first,
            second,
            (first.outputs(found), second.outputs(other)),
            suite=found.name,
            scores=scores,
            gates=gates,
            replicates=replicates,
            level=level,
        )
    return compare_runs(
        first,
        second,
        suite=suite,
        scores=scores,
        gates=gates,
        baseline=Run.baseline(baseline),
        replicates=replicates,
        level=level,
        difficulty=difficulty,
    )

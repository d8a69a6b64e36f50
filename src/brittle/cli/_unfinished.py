"""How far an unfinished run has come, in words."""

from brittle._run import Run
from brittle.outcomes import MISSING


def how_far(run: Run, suites: tuple[str, ...]) -> str | None:
    """Say how many images are measured under all conditions; None where all of them are."""
    done = total = 0
    for suite in suites:
        for outcome in run.outcomes(suite).values():
            done += int((outcome.ranks != MISSING).all(axis=1).sum())
            total += len(outcome.keys)
    return None if done == total else f"{done:,} of {total:,} images are measured in {run.path}"

"""What an export is: a run and its scores in, the form of another tool out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from brittle._version import __version__
from brittle.errors import ScoreError
from brittle.outcomes import Outcome, Suite
from brittle.scoring.rates import Measured
from brittle.scoring.scores import Scores, score_suite
from brittle.scoring.unknowns import of_outputs


class Scored(NamedTuple):
    """A suite of a run with the scores that it can be given."""

    run: Measured
    suite: Suite
    outcomes: Mapping[str, Outcome]
    scores: Scores
    baseline: str | Measured | None
    replicates: int
    level: float

    def score(self, *names: str) -> Scores:
        """Return scores that the form needs, whether or not the suite is summed by them."""
        if of_outputs(self.suite):
            raise ScoreError(
                f"This form holds errors, and the scores of {self.suite.name} are of other kinds; "
                f"choose another suite, or a form that takes any score, such as model-index."
            )
        return score_suite(
            self.suite, self.outcomes, names, baseline=self.baseline, info=self.run.info,
            replicates=self.replicates, level=self.level,
        )  # fmt: skip

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the run says of its model, such as the size of its input."""
        found: Mapping[str, Any] = self.run.info.get("facts", {})
        return found


Form: TypeAlias = Callable[[Sequence[Scored]], str]
"""Suites of a run to a text."""


@dataclass(frozen=True, kw_only=True)
class Export:
    """A form that another tool reads; it is either a text or logged somewhere."""

    about: str
    render: Form | None = None
    log: Callable[[Sequence[Scored], str], str] | None = None
    """Suites and a place -> where they are to be seen."""

    def __post_init__(self) -> None:
        """Refuse a form that is neither or both."""
        assert (self.render is None) != (self.log is None), self.about


def measure(
    run: Measured,
    suite: str | None = None,
    *,
    baseline: str | Measured | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> list[Scored]:
    """Score the suites of a run, or one of them; a run without any score is refused."""
    found = []
    for name in run.suites if suite is None else (suite,):
        one = run.suite(name)
        outcomes = run.outcomes(one.name)
        if of_outputs(one):
            scores = run.scores(suite=one.name, replicates=replicates, level=level)
        else:
            scores = score_suite(
                one, outcomes, baseline=baseline, info=run.info, replicates=replicates, level=level
            )
        found.append(Scored(run, one, outcomes, scores, baseline, replicates, level))
    if not any(one.scores for one in found):
        said = {why for one in found for why in one.scores.withheld.values()}
        raise ScoreError(f"No score of {run.model} can be given: {'; '.join(sorted(said))}")
    return found


def only(scored: Sequence[Scored], what: str) -> Scored:
    """Return the one suite of a form that takes one."""
    if len(scored) != 1:
        names = ", ".join(one.suite.name for one in scored)
        raise ScoreError(f"{what} is of one suite, and the run has {names}; name it with --suite.")
    return scored[0]


def maker() -> str:
    """Return what a form says of the program that made it."""
    return f"brittle {__version__}"

"""What errors are divided by: a published baseline, or another stored run on the same suite."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from brittle import labels
from brittle.baselines import BASELINES, Baseline
from brittle.errors import ScoreError, SpecError
from brittle.families import hint
from brittle.metrics._sequences import at
from brittle.metrics.base import Normaliser, Rates
from brittle.outcomes import MOVEMENTS, Cell, Reads, Suite
from brittle.rows import SEVERITIES
from brittle.scoring.rates import Measured, Sampler
from brittle.scoring.sameness import Side, classes, compared
from brittle.spec import parse


class Divisor(ABC):
    """A baseline as one suite is divided by it."""

    title: str
    plain: bool
    """Whether it is the agreed one, so that a score's title need not name it."""
    notes: tuple[str, ...]
    published: bool = False
    """Whether its numbers are fixed, whatever is asked of the run."""

    @abstractmethod
    def means(self, groups: Sequence[str], reads: Reads = "top1") -> Mapping[str, Rates]:
        """Return corruption -> mean error, or perturbation -> what is read of it; one that it does
        not know is a `ScoreError`."""

    @abstractmethod
    def clean(self) -> Rates:
        """Return the error on clean images."""

    def normaliser(
        self, groups: Sequence[str], *, losses: bool, reads: Reads = "top1"
    ) -> Normaliser:
        """Return the errors, none of them zero; with `losses`, none below the clean error."""
        clean = self.clean() if losses else np.zeros(1)
        means = self.means(groups, reads)
        for group, mean in means.items():
            if mean[0] <= clean[0]:
                said = f"no more under {group} than on clean images" if losses else f"under {group}"
                does = "errs" if reads not in MOVEMENTS else "moves"
                raise ScoreError(
                    f"The baseline {self.title} {does} {'' if losses else 'not at all '}{said}, "
                    f"so nothing can be divided by it; choose another baseline."
                )
        return Normaliser(means, clean)


class Published(Divisor):
    """Numbers that come with brittle or a package."""

    published = True

    def __init__(self, part: Baseline, suite: Suite, *, plain: bool) -> None:
        """Note what is off where the suite's edition or the classes are not the baseline's."""
        off = tuple(_off(part, suite))
        self.part, self.title = part, part.title
        self.plain = plain and part.edition == suite.edition and not off
        self.notes = tuple(f"{one}: not the published number" for one in off)

    def means(self, groups: Sequence[str], reads: Reads = "top1") -> Mapping[str, Rates]:
        """Return what is known of each corruption or perturbation by its plain name."""
        names = {group: parse(group).name for group in groups}
        if reads in MOVEMENTS:
            found = {group: self.part.moves(reads, name) for group, name in names.items()}
        else:
            found = {group: self.part.mean(name) for group, name in names.items()}
        if unknown := [group for group, mean in found.items() if mean is None]:
            raise ScoreError(
                f"The baseline {self.title} does not know {', '.join(unknown)}; choose 'unit' or "
                f"the run of another model on the same suite."
            )
        return {group: np.array([mean], dtype=np.float64) for group, mean in found.items()}

    def clean(self) -> Rates:
        """Return the published clean error."""
        return np.array([self.part.clean])


class OfRun(Divisor):
    """Another model on the same suite; its images are drawn together with the scored model's."""

    plain = False

    def __init__(self, run: Measured, scored: Sampler, info: Mapping[str, Any]) -> None:
        """Draw the run's own replicates, the same as those of the run that is scored."""
        own, outcomes = run.suite(scored.suite.name), run.outcomes(scored.suite.name)
        found = compared(
            Side("the scored run", scored.suite, scored.outcomes, info),
            Side("the baseline", own, outcomes, run.info),
        )
        if found.differ:
            raise ScoreError(
                f"The run of {run.model} cannot be the baseline: {'; '.join(found.differ)}. A "
                f"baseline must be measured on the same pictures; evaluate it again as the scored "
                f"run was, or name another one."
            )
        self.title, self.notes = run.model, found.notes
        self.sampler = Sampler(
            own,
            outcomes,
            replicates=scored.replicates,
            seed=scored.seed,
            difficulty=scored.difficulty,
        )

    def means(self, groups: Sequence[str], reads: Reads = "top1") -> Mapping[str, Rates]:
        """Return the means over the five severities of these very corruptions."""
        if reads in MOVEMENTS:
            return self._moves(groups, reads)
        cells = {group: self._row(group) for group in groups}
        self.sampler.need([c for row in cells.values() for c in row], f"The baseline {self.title}")
        rates = self.sampler.rates([c for row in cells.values() for c in row])
        return {
            group: np.stack([rates[cell] for cell in row], axis=-1).mean(axis=-1)
            for group, row in cells.items()
        }

    def clean(self) -> Rates:
        """Return the error on its own clean images."""
        cells = [cell for cell in self.sampler.suite.cells if cell.role == "clean"]
        if not cells:
            raise ScoreError(
                f"The baseline run of {self.title} has no clean images; evaluate them too."
            )
        self.sampler.need(cells, f"The baseline {self.title}")
        return next(iter(self.sampler.rates(cells).values()))

    def _moves(self, groups: Sequence[str], reads: Reads) -> Mapping[str, Rates]:
        """Return what is read of the sequences of these very perturbations."""
        there = [cell for cell in self.sampler.suite.cells if cell.role == "sequence"]
        cells = {c.group: c for c in at(there, self.sampler.difficulty, strict=True)}
        if lost := [group for group in groups if group not in cells]:
            raise ScoreError(
                f"The baseline run of {self.title} has not {', '.join(lost)}; evaluate it on the "
                f"same sequences."
            )
        self.sampler.need([cells[group] for group in groups], f"The baseline {self.title}")
        rates = self.sampler.rates([cells[group] for group in groups], reads)
        return {group: rates[cells[group]] for group in groups}

    def _row(self, group: str) -> list[Cell]:
        cells = [c for c in self.sampler.suite.cells if c.role in ("grid", "extra")]
        row = {cell.severity: cell for cell in cells if cell.group == group}
        if any(severity not in row for severity in SEVERITIES):
            raise ScoreError(
                f"The baseline run of {self.title} has not {group} at the severities 1 to 5; "
                f"evaluate it on the same conditions."
            )
        return [row[severity] for severity in SEVERITIES]


def divisor(baseline: str | Measured | None, scored: Sampler, info: Mapping[str, Any]) -> Divisor:
    """Return what a suite's errors are divided by; None takes the suite's own baseline.

    `info` is the record of the run that is scored, for its seed.
    """
    suite = scored.suite
    name = suite.baseline if baseline is None else baseline
    if name is None:
        raise ScoreError(
            f"No baseline is agreed on for {suite.name}. Name one: 'unit' (100 %, so that "
            f"nothing is divided), or the run of another model on the same suite; "
            f"plain means such as mean_corruption_error and mean_flip_probability need none."
        )
    if not isinstance(name, str):
        return OfRun(name, scored, info)
    if name not in BASELINES.names():
        raise SpecError(
            f"{hint(name, BASELINES.names(), 'baseline')} Or give a stored run on the same suite."
        )
    part = BASELINES.load(name)
    if baseline is None and (off := list(_off(part, suite))):
        moving = suite.moving
        plain = "mean_flip_probability" if moving else "mean_corruption_error"
        raise ScoreError(
            f"{'; '.join(off)}. Say --baseline {name} to divide by them all the same, --baseline "
            f"RUN for another model's on these pictures, or read {plain}."
        )
    return Published(part, suite, plain=name == suite.baseline)


def _off(part: Baseline, suite: Suite) -> Iterator[str]:
    """Yield why a suite's errors are not what a published baseline's are."""
    facts = suite.facts
    if part.edition not in (None, suite.edition):
        yield f"{part.title}'s errors are in the edition {part.edition}, these in {suite.edition}"
    if part.classes is None:
        return
    those = f"{part.title}'s errors are on the {len(labels.known(part.classes))} classes of"
    if facts.get("subset") not in (None, part.classes):
        yield f"{those} {part.classes}, these on the subset {facts['subset']}"
    elif "class_list" in facts and facts["class_list"] != part.classes:
        yield f"{those} {part.classes}, these on {classes(facts)}"

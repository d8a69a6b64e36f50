"""What sections are made of: the runs, what is known of each suite, and how to see pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import final

from brittle._run import Run
from brittle.detectors import DETECTORS
from brittle.outcomes import MISSING, Cell, Outcome, Suite
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.scoring.detecting import USUAL, Detection
from brittle.scoring.scores import Cells, Score, Scores, cell_errors, score_suite
from brittle.scoring.unknowns import of_outputs
from brittle.sections._album import Album
from brittle.sections._published import Known, printed, published
from brittle.types import Reference

FITTED = 20_000
"""Pictures up to which fitted detectors are tried: some of them take minutes on more."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """One suite in one run, scored when somebody asks."""

    place: int
    """Of the run in the report, from 0; decides its colour."""
    name: str
    """What the report calls the run, unlike any other's."""
    run: Run
    suite: Suite
    baseline: str | Run | None = None
    replicates: int = REPLICATES
    level: float = LEVEL

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The ranks of the true classes."""
        return self.run.outcomes(self.suite)

    @cached_property
    def scores(self) -> Scores:
        """The scores of the suite that can be given, and why others are not."""
        if of_outputs(self.suite):
            return self.run.scores(
                suite=self.suite.name, replicates=self.replicates, level=self.level
            )
        return score_suite(
            self.suite,
            self.outcomes,
            baseline=self.baseline,
            info=self.run.info,
            replicates=self.replicates,
            level=self.level,
        )

    @cached_property
    def cells(self) -> Cells:
        """The error of every cell that is complete."""
        return cell_errors(self.suite, self.outcomes, replicates=self.replicates, level=self.level)

    @cached_property
    def flips(self) -> Cells:
        """How often the answer changes from frame to frame, in every cell that is complete."""
        return cell_errors(
            self.suite, self.outcomes, replicates=self.replicates, level=self.level, reads="flips"
        )

    def score(self, name: str) -> Score | None:
        """Return one of the scores, if it is given."""
        return next((score for score in self.scores if score.name == name), None)

    @cached_property
    def detection(self) -> Detection:
        """All detectors that the outputs allow against all strange sets."""
        task = self.suite.task
        names = None
        if self.many:
            kept = set(self.run.info["keep"])
            loaded = {name: DETECTORS.load(name) for name in DETECTORS.names()}
            names = [
                name
                for name, part in loaded.items()
                if part.fit is None and set(part.needs) <= kept and task in part.tasks
            ]
        return self.run.detect(
            names,
            suite=self.suite.name,
            against=USUAL[task],
            replicates=self.replicates,
            level=self.level,
        )

    @property
    def images(self) -> int:
        """Pictures of all sets together."""
        sets = dict.fromkeys(cell.set for cell in self.suite.cells)
        return sum(int(self.run.info["sets"][name]["images"]) for name in sets)

    @property
    def many(self) -> bool:
        """Whether there are so many pictures that no detectors are fitted for a report."""
        return self.images > FITTED

    def reference(self, cell: Cell) -> Reference:
        """Return which frame the frames of a cell are compared with."""
        found: Reference = self.run.info["sets"][cell.set]["frames"][cell.condition]
        return found

    @cached_property
    def whole(self) -> bool:
        """Whether every cell is measured on every picture."""
        return not any((one.ranks == MISSING).any() for one in self.outcomes.values())


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Material:
    """What a report is about."""

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    """What the report calls each run."""
    baseline: str | Run | None = None
    replicates: int = REPLICATES
    level: float = LEVEL
    album: Album = field(default_factory=Album)
    published: Mapping[str, Sequence[Known]] = field(default_factory=dict)
    """Suite -> rows printed in papers that were handed in."""

    @cached_property
    def suites(self) -> Mapping[str, tuple[View, ...]]:
        """Suite -> the runs that hold it, in the order in which they were given."""
        found: dict[str, list[View]] = {}
        for place, (name, run) in enumerate(zip(self.names, self.runs, strict=True)):
            for suite in run.suites:
                view = View(
                    place=place,
                    name=name,
                    run=run,
                    suite=run.suite(suite),
                    baseline=self.baseline,
                    replicates=self.replicates,
                    level=self.level,
                )
                found.setdefault(suite, []).append(view)
        return {suite: tuple(views) for suite, views in found.items()}

    def beside(self, suite: str) -> tuple[Known, ...]:
        """Return what papers print that may stand beside the runs of a suite."""
        own = self.suites[suite][0].suite
        given = (*self.published.get(suite, ()), *printed(suite))
        return published(own, given, divided=self.baseline in (None, own.baseline))

    def only(self, wanted: Callable[[View], bool]) -> Mapping[str, tuple[View, ...]]:
        """Return the suites with the runs that are of a kind; those without any are left out."""
        found = {
            name: tuple(view for view in views if wanted(view))
            for name, views in self.suites.items()
        }
        return {name: views for name, views in found.items() if views}

    def ladders(self) -> Mapping[str, tuple[View, ...]]:
        """Return the suites with corruptions at severities."""
        return self.only(lambda view: view.suite.graded)


def headline(views: Sequence[View]) -> str | None:
    """Return the foremost score of a suite that any of the runs can give."""
    for name in dict.fromkeys(name for view in views for name in view.suite.scores):
        if any(view.score(name) for view in views):
            return name
    return None


def names_of(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return what a report calls its runs: the model, with the folder where two are of one name.

    Where that is no help either, they are numbered, until no two are alike.
    """
    models = [run.model for run in runs]
    said = [
        model if models.count(model) == 1 else f"{model} ({run.path.name})"
        for model, run in zip(models, runs, strict=True)
    ]
    taken = {name for name in said if said.count(name) == 1}
    found = []
    for name in said:
        if name not in taken or said.count(name) > 1:
            number = next(n for n in count(1) if f"{name} #{n}" not in taken)
            name = f"{name} #{number}"
            taken.add(name)
        found.append(name)
    return tuple(found)

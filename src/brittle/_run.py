"""A run as its reader sees it: what was measured, its scores, and every prediction."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from brittle import _reading as reading
from brittle import store
from brittle.errors import RunError, ScoreError
from brittle.families import hint
from brittle.outcomes import MISSING, Cell, Outcome, Suite

if TYPE_CHECKING:
    from brittle.scoring.detecting import Detection, Kept
    from brittle.scoring.moving import Unsteady
    from brittle.scoring.scores import Score, Scores
    from brittle.scoring.trusting import Calibration

COLUMNS = (
    "key", "label", "condition", "frame", "rank", "top_classes", "top_probabilities", "max_logit",
    "log_sum_exp", "label_logit",
)  # fmt: skip
"""What every part holds; `predictions` adds the set."""


@final
class Run:
    """What a model predicted for every picture of some suites, as it lies on disk.

    `score` and `table` sum it up, `predictions` gives the rows; none of them needs the model.
    """

    def __init__(self, path: Path, record: Mapping[str, Any], holding: Any = None) -> None:
        """Use `Run.open`, or what `brittle.evaluate` returns."""
        self.path = path
        self.info = record
        # A temporary folder that goes with the last reference to the run.
        self._holding = holding

    @staticmethod
    def open(path: "str | os.PathLike[str] | Run", holding: Any = None) -> "Run":
        """Open the run in a folder; what is none is a `RunError`."""
        if isinstance(path, Run):
            return path
        return Run(Path(path), store.read(Path(path)), holding)

    @staticmethod
    def baseline(given: "str | os.PathLike[str] | Run | None") -> "str | Run | None":
        """Return a baseline by name, or the run that lies in a folder."""
        from brittle.baselines import BASELINES

        if given is None or isinstance(given, Run):
            return given
        if given in BASELINES.names() or not Path(given).exists():
            return str(given)
        return Run.open(given)

    def __repr__(self) -> str:
        """Say what was measured."""
        return f"<run of {self.model} on {', '.join(self.suites)} at {self.path}>"

    @property
    def model(self) -> str:
        """What tables call the model: the name that it was given, or its spec."""
        return str(self.info["name"])

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the model's outputs."""
        return tuple(self.info["classes"])

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites that were measured."""
        return tuple(self.info["suites"])

    def suite(self, name: str | None = None) -> Suite:
        """Return a suite as it was measured; without a name the only one."""
        if name is None:
            if len(self.suites) != 1:
                raise RunError(
                    f"{self.path} holds {len(self.suites)} suites; say which one: "
                    f"{', '.join(self.suites)}."
                )
            name = self.suites[0]
        if name not in self.suites:
            raise RunError(f"{self.path}: {hint(name, self.suites, 'suite in this run')}")
        return _suite(name, self.info["suites"][name])

    def outcomes(self, suite: str | Suite | None = None) -> dict[str, Outcome]:
        """Return what a suite is scored by: for each of its sets the ranks of the true classes."""
        found = suite if isinstance(suite, Suite) else self.suite(suite)
        # Two cells may be of one condition, such as shifts that turn out to be the same pictures.
        wanted: dict[str, dict[str, None]] = {}
        for cell in found.cells:
            wanted.setdefault(cell.set, {})[cell.condition] = None
        return {name: reading.outcome(self, name, tuple(some)) for name, some in wanted.items()}

    def missing(self, suite: str | None = None) -> dict[str, int]:
        """Return condition -> how many of its images have not been measured yet."""
        found: dict[str, int] = {}
        for outcome in self.outcomes(suite).values():
            lacking = (outcome.ranks == MISSING).sum(axis=0)
            for name, count in zip(outcome.conditions, lacking.tolist(), strict=True):
                if count:
                    found[name] = found.get(name, 0) + count
        return found

    def score(
        self,
        name: str,
        *,
        suite: str | None = None,
        baseline: "str | os.PathLike[str] | Run | None" = None,
        replicates: int = 1000,
        level: float = 0.95,
        difficulty: int = 1,
    ) -> "Score":
        """Return one score with its interval and columns, such as `run.score("mCE")`.

        `baseline` is `alexnet`, `unit`, or another run's folder. A score from an incomplete grid,
        or one that lacks its baseline or clean counterpart, is a `ScoreError` that names what is
        missing.
        """
        found = self.scores(
            [name],
            suite=suite,
            baseline=baseline,
            replicates=replicates,
            level=level,
            difficulty=difficulty,
        )
        return found[0]

    def scores(
        self,
        names: Sequence[str] | None = None,
        *,
        suite: str | None = None,
        baseline: "str | os.PathLike[str] | Run | None" = None,
        replicates: int = 1000,
        level: float = 0.95,
        difficulty: int = 1,
    ) -> "Scores":
        """Return several scores; without names those of the suite that can be given.

        `difficulty` is of sequences: frames so far apart are compared, and noises of that strength.
        """
        from brittle.scoring.scores import score_suite
        from brittle.scoring.unknowns import of_outputs, score_outputs

        found = self.suite(suite)
        if of_outputs(found):
            if baseline is not None:
                raise ScoreError(f"The scores of {found.name} have no baseline; leave it out.")
            return score_outputs(
                found, self.outputs(found), names, replicates=replicates, level=level
            )
        return score_suite(
            found,
            self.outcomes(found),
            names,
            baseline=Run.baseline(baseline),
            info=self.info,
            replicates=replicates,
            level=level,
            difficulty=difficulty,
        )

    def detect(
        self,
        detectors: Sequence[str] | None = None,
        *,
        suite: str | None = None,
        measures: Sequence[str] = ("auroc", "aupr", "fpr"),
        against: str | None = None,
        replicates: int = 1000,
        level: float = 0.95,
    ) -> "Detection":
        """Return how well detectors tell known from strange images, from the outputs kept.

        `detectors` are specs such as `max_logit` or `knn(neighbours=10)`; without them all that the
        outputs allow. `against` is one that the others are compared with, paired.
        """
        from brittle.scoring.detecting import detect, needs

        found = self.suite(suite)
        return detect(
            found,
            self.outputs(found, needs(detectors, against)),
            detectors,
            measures=measures,
            against=against,
            replicates=replicates,
            level=level,
        )

    def detector_scores(
        self, detector: str, *, suite: str | None = None
    ) -> "tuple[NDArray[np.float64], dict[str, NDArray[np.float64]]]":
        """Return a detector's scores of the known images, and of each strange set."""
        from brittle.scoring.detecting import needs, score

        found = self.suite(suite)
        scored = score(found, self.outputs(found, needs([detector])), [detector])
        return scored.usual[detector], {name: by[detector] for name, by in scored.strange.items()}

    def calibrate(
        self,
        measures: Sequence[str] | None = None,
        *,
        suite: str | None = None,
        temperature: bool = False,
        replicates: int = 1000,
        level: float = 0.95,
    ) -> "Calibration":
        """Return how well confidence goes with being right, in every cell of a suite.

        `temperature` fits one on half of the clean images and tries it on the other half, which
        needs `keep=["logits"]`.
        """
        from brittle._outputs import beliefs
        from brittle.scoring.trusting import trust

        found = self.suite(suite)
        return trust(
            found,
            beliefs(self, found),
            measures,
            scale=temperature,
            replicates=replicates,
            level=level,
        )

    def outputs(self, suite: Suite, needs: Collection[str] = ()) -> "Callable[[Cell], Kept]":
        """Return what reads the kept outputs of a cell of a suite: the logits, and what needs ask.

        Of the needs those come that the run has kept.
        """
        from brittle._outputs import kept

        return lambda cell: kept(self.info, self.rows_of, cell, suite.task, needs)

    def rows_of(self, cell: Cell, columns: Sequence[str]) -> Any:
        """Return the rows of one cell; images that lack are a `ScoreError`."""
        from brittle._outputs import check_whole

        found = self.rows_by([cell], columns)[cell]
        check_whole(self.info, cell, len(found))
        return found

    def rows_by(self, cells: Sequence[Cell], columns: Sequence[str]) -> dict[Cell, Any]:
        """Return the rows of several cells, as far as they are measured, read in one pass."""
        import pyarrow as pa
        import pyarrow.compute as pc

        found: dict[Cell, Any] = {}
        for name in dict.fromkeys(cell.set for cell in cells):
            mine = [cell for cell in cells if cell.set == name]
            wanted = {cell.condition for cell in mine}
            tables = self._rows(name, wanted, list(dict.fromkeys([*columns, "condition"])))
            if not tables:
                found |= {cell: pa.table({one: [] for one in columns}) for cell in mine}
                continue
            whole = pa.concat_tables(tables)
            for cell in mine:
                rows = whole.filter(pc.equal(whole["condition"], cell.condition))
                found[cell] = rows.select(columns)
        return found

    def unsteady(
        self, suite: str | None = None, *, most: int | None = None, difficulty: int = 1
    ) -> "tuple[Unsteady, ...]":
        """Return the sequences whose predictions flip most, and at which frames."""
        from brittle.scoring.moving import unsteady

        found = self.suite(suite)
        return unsteady(found, self.outcomes(found), most=most, difficulty=difficulty)

    def table(self, format: str = "text", *, suite: str | None = None) -> str:  # noqa: A002
        """Return the grid of errors with their sums, as `text`, `md`, `latex`, `csv` or `json`."""
        from brittle import reports

        return reports.render(reports.grid(self, suite), format)

    def predictions(self, suite: str | None = None, columns: Sequence[str] | None = None) -> Any:
        """Return the rows as an Arrow table: a row a picture, condition and set.

        `rank` is how many classes were put before the true one (0 is right, -1 unlabelled),
        `top_classes` are indices of `classes`. `columns` picks some.
        """
        import pyarrow as pa

        found = None if suite is None else self.suite(suite)
        if columns is not None:
            columns = [name for name in columns if name != "set"]
            known = (*COLUMNS, *self.info["keep"])
            if wrong := [name for name in columns if name not in known]:
                raise ScoreError(hint(wrong[0], known, "column"))
        tables = []
        for name in self.info["sets"]:
            some = None if found is None else {c.condition for c in found.cells if c.set == name}
            if some is not None and not some:
                continue
            tables += self._rows(name, some, columns)
        if not tables:
            raise ScoreError(f"{self.path} holds no predictions yet; finish it with evaluate.")
        return pa.concat_tables(tables, promote_options="default")

    def _rows(
        self, name: str, conditions: set[str] | None, columns: Sequence[str] | None
    ) -> list[Any]:
        import pyarrow as pa
        import pyarrow.compute as pc

        found = []
        need = None if columns is None else list(dict.fromkeys([*columns, "condition"]))
        for path in self.parts_of(name, conditions):
            table = store.read_table(path, need)
            if conditions is not None:
                some = pa.array(sorted(conditions))
                table = table.filter(pc.is_in(table["condition"], value_set=some))
            table = table.append_column("set", pa.array([name] * len(table)).dictionary_encode())
            found.append(table if columns is None else table.select([*columns, "set"]))
        return found

    def parts_of(
        self, name: str, conditions: set[str] | None, *, row: int | None = None
    ) -> list[Path]:
        """Return the files that hold these conditions of a set, or any.

        With `row`, the place of an image in the set, only those that may hold that image.
        """
        groups = self.info["sets"][name]["groups"]
        shard = None if row is None else row // int(self.info["shard"])
        return [
            path
            for number, group, path in store.parts(self.path, name)
            if group in groups
            and (conditions is None or conditions & set(groups[group]))
            and shard in (None, number)
        ]


def _suite(name: str, found: Mapping[str, Any]) -> Suite:
    return Suite(
        name=name,
        about=found["about"],
        edition=found["edition"],
        cells=tuple(Cell(*row) for row in found["cells"]),
        scores=tuple(found["scores"]),
        baseline=found["baseline"],
        citation=found["citation"],
        facts=found["facts"],
    )

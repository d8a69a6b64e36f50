"""Measured suites made from error rates, with exactly as many wrong images as they say."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from brittle.metrics._grid import TEST, VALIDATION
from brittle.outcomes import Cell, Outcome, Suite

SEVERITIES = (1, 2, 3, 4, 5)
SCORES = ("mce", "relative_mce", "maude", "mean_corruption_error", "clean_error")


class Stand(NamedTuple):
    """Stands in for a stored run."""

    model: str
    suites_by_name: Mapping[str, Suite]
    outcomes_by_suite: Mapping[str, Mapping[str, Outcome]]
    info: Mapping[str, Any] = {}
    path: Path = Path("runs/x")

    @property
    def suites(self) -> tuple[str, ...]:
        return tuple(self.suites_by_name)

    def suite(self, name: str | None = None) -> Suite:
        return self.suites_by_name[name or next(iter(self.suites_by_name))]

    def outcomes(self, suite: str) -> Mapping[str, Outcome]:
        return self.outcomes_by_suite[suite]


def cell(group: str, severity: int, *, role: str = "grid", images: str = "val") -> Cell:
    name, _, rest = group.partition("(")
    inner = f"severity={severity}" + (f", {rest[:-1]}" if rest else "")
    return Cell(images, f"{name}({inner})", role, group, severity)  # type: ignore[arg-type]


def keys(count: int) -> tuple[str, ...]:
    return tuple(f"class_{n % 10}/{n:06d}" for n in range(count))


def outcome(
    errors: Mapping[str, float], count: int, *, seed: int | None = None, top: int = 1
) -> Outcome:
    """Ranks with exactly `error * count` wrong images a condition: the first ones, or drawn."""
    rng = np.random.default_rng(seed)
    ranks = np.zeros((count, len(errors)), np.int16)
    for column, error in enumerate(errors.values()):
        wrong = round(error * count)
        assert abs(wrong - error * count) < 1e-6, f"{error} of {count} images is no whole number"
        rows = np.arange(wrong) if seed is None else rng.permutation(count)[:wrong]
        ranks[rows, column] = top
    names = keys(count)
    labels = tuple(key.split("/")[0] for key in names)
    return Outcome(names, labels, ("",) * count, tuple(errors), ranks)


def grid(
    errors: Mapping[str, Sequence[float]],
    *,
    clean: float | None = None,
    count: int = 100,
    seed: int | None = None,
    name: str = "imagenet-c",
    edition: str = "imagenet-224",
    baseline: str | None = "alexnet",
    scores: tuple[str, ...] = SCORES,
    severities: Sequence[int] = SEVERITIES,
    facts: Mapping[str, Any] | None = None,
) -> tuple[Suite, dict[str, Outcome]]:
    """A grid of corruptions, with the clean images in a set of their own as on disk."""
    rates: dict[str, float] = {}
    cells: list[Cell] = []
    outcomes: dict[str, Outcome] = {}
    if clean is not None:
        cells.append(Cell("clean-val", "clean", "clean", "clean"))
        outcomes["clean-val"] = outcome({"clean": clean}, count, seed=seed)
    for group, row in errors.items():
        for severity, error in zip(severities, row, strict=True):
            one = cell(group, severity)
            cells.append(one)
            rates[one.condition] = error
    outcomes["val"] = outcome(rates, count, seed=None if seed is None else seed + 1)
    return Suite(
        name=name,
        about="a grid",
        edition=edition,
        cells=tuple(cells),
        scores=scores,
        baseline=baseline,
        facts=facts or {"pixels": "generated"},
    ), outcomes


def flat(level: float = 0.5, names: Sequence[str] = TEST) -> dict[str, list[float]]:
    """Errors that grow a little with severity, other ones for each corruption."""
    return {
        name: [round(level + 0.01 * place + 0.05 * severity, 2) for severity in range(5)]
        for place, name in enumerate(names)
    }


def stand(model: str, measured: tuple[Suite, Mapping[str, Outcome]], **rest: Any) -> Stand:
    suite, outcomes = measured
    return Stand(model, {suite.name: suite}, {suite.name: outcomes}, **rest)


def photographs(
    shifts: Mapping[str, float],
    *,
    iid: float | None = None,
    count: int = 100,
    scores: tuple[str, ...] = ("top1_error", "accuracy", "gap", "clean_error"),
    facts: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> tuple[Suite, dict[str, Outcome]]:
    """Sets of photographs, each with images of its own."""
    cells, outcomes = [], {}
    if iid is not None:
        cells.append(Cell("home", "clean", "iid", "home"))
        outcomes["home"] = outcome({"clean": iid}, count, seed=seed)
    for name, error in shifts.items():
        cells.append(Cell(name, "clean", "shift", name))
        made = outcome({"clean": error}, count, seed=seed)
        outcomes[name] = made._replace(keys=tuple(f"{name}/{key}" for key in made.keys))
    return Suite(
        name="shifts", about="photographs", edition="any", cells=tuple(cells), scores=scores,
        facts=facts or {},
    ), outcomes  # fmt: skip


__all__ = [
    "SCORES", "SEVERITIES", "TEST", "VALIDATION", "Stand", "cell", "flat", "grid", "keys",
    "outcome", "photographs", "stand",
]  # fmt: skip

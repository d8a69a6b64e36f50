"""A suite's errors by part: by class, by your own groups of classes, by category, by severity."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from brittle.corruptions import CORRUPTIONS
from brittle.errors import ScoreError
from brittle.families import hint
from brittle.metrics._grid import tested_if_any
from brittle.metrics._plain import titles
from brittle.metrics.base import Rates, mean
from brittle.outcomes import Cell, Outcome, Suite
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES, Number, number
from brittle.scoring.rates import Sampler, Wanted
from brittle.spec import parse

By = Literal["class", "category", "severity", "group"]
CORRUPTED = "corrupted"
"""The column of the mean over the grid."""


class Part(NamedTuple):
    """A part of the images or of the conditions, and its top-1 errors."""

    name: str
    images: int
    errors: Mapping[str, Number]
    """Column (`clean`, `corrupted`, a shift) -> error in percent."""
    counts: Mapping[str, int]
    """Column -> how many of its images are of this part; empty by condition."""


class Breakdown(NamedTuple):
    """A suite's errors by part."""

    by: By
    suite: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...]
    replicates: int
    level: float


def break_down(
    suite: Suite,
    outcomes: Mapping[str, Outcome],
    *,
    by: By,
    groups: Mapping[str, str] | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    seed: int = 0,
) -> Breakdown:
    """Return the errors by part, each with its interval.

    By `class`, or by `group` with a mapping class -> group: the clean images, the mean over the
    grid (without the validation corruptions), and each shift; every image counts alike. By
    `severity` (0 is clean) and by `category` (noise, blur, weather, digital): means over
    corruptions, every corruption counting alike.
    """
    bootstrap.check(replicates, level)
    if by not in get_args(By):
        raise ScoreError(hint(by, get_args(By), "breakdown"))
    if (groups is not None) != (by == "group"):
        raise ScoreError("A breakdown by group needs a mapping class -> group, and no other does.")
    if suite.moving:
        raise ScoreError(
            f"A breakdown by {by} is of errors, and {suite.name} is of frames, which have none; "
            f"break it down by sequence or by frame."
        )
    if suite.task == "multi" or suite.strange:
        raise ScoreError(
            f"A breakdown is of errors, and the scores of {suite.name} are of other kinds; leave "
            f"the breakdown out."
        )
    sampler = Sampler(suite, outcomes, replicates=replicates, seed=seed)
    columns = _columns(suite)
    sampler.need([cell for cells in columns.values() for cell in cells], f"A breakdown by {by}")
    if by in ("class", "group"):
        parts, notes = _by_label(sampler, columns, groups, level)
    else:
        parts, notes = _by_condition(sampler, columns, by, level), ()
    return Breakdown(by, suite.name, parts, notes, replicates, level)


def read_groups(path: Path) -> dict[str, str]:
    """Read class -> group from a file of lines `class<TAB>group`; `#` begins a remark."""
    found: dict[str, str] = {}
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise ScoreError(f"The groups {path} cannot be read: {error}.") from error
    for place, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, group = (field.strip() for field in line.partition("\t"))
        if not (name and group):
            raise ScoreError(f"{path}, line {place}: write class, a tab and group; got '{line}'.")
        if found.setdefault(name, group) != group:
            raise ScoreError(f"{path}, line {place}: {name} is already in {found[name]}.")
    return found


def _columns(suite: Suite) -> dict[str, tuple[Cell, ...]]:
    grid = tested_if_any([cell for cell in suite.cells if cell.role in ("grid", "extra")])
    plain = tuple(cell for cell in suite.cells if cell.role not in ("grid", "extra"))
    named = titles(plain)
    columns: dict[str, tuple[Cell, ...]] = {named[cell]: (cell,) for cell in plain}
    return {**columns, CORRUPTED: grid} if grid else columns


def _by_label(
    sampler: Sampler,
    columns: Mapping[str, tuple[Cell, ...]],
    groups: Mapping[str, str] | None,
    level: float,
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    errors: dict[str, dict[str, Number]] = {}
    counts: dict[str, dict[str, int]] = {}
    for column, cells in columns.items():
        if any(cell.set != cells[0].set for cell in cells):
            raise ScoreError(f"The grid of {sampler.suite.name} is over several sets of images.")
        labels = sampler.outcomes[cells[0].set].labels
        found = [str(labels[row]) for row in sampler.images(cells[0]).rows]
        if groups is not None:
            if strange := sorted({label for label in found if label not in groups}):
                raise ScoreError(
                    f"The groups do not say where {strange[0]} belongs"
                    + (f", nor {len(strange) - 1} more classes" if len(strange) > 1 else "")
                    + "; every class that was measured needs a group."
                )
            found = [groups[label] for label in found]
        names, of = np.unique(np.array(found, dtype=object), return_inverse=True)
        wrong = np.sum([sampler.wrong(Wanted(cell)) for cell in cells], axis=0)
        rates = _sums(sampler, cells[0], wrong, of, len(names)) / len(cells)
        for place, name in enumerate(names):
            errors.setdefault(name, {})[column] = number(rates[:, place], level)
            counts.setdefault(name, {})[column] = int((of == place).sum())
    parts = tuple(
        Part(name, max(counts[name].values()), errors[name], counts[name])
        for name in sorted(errors)
    )
    few = sum(part.images < 10 for part in parts)
    note = f"{few} of {len(parts)} parts have fewer than 10 images: their intervals say little"
    return parts, (note,) if few else ()


def _sums(
    sampler: Sampler, cell: Cell, wrong: NDArray[np.int64], of: NDArray[np.intp], parts: int
) -> NDArray[np.float64]:
    """Return (1 + replicates) x parts: 100 * sum of wrong / number of images drawn in the part."""
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(parts))
    made = []
    images = sampler.images(cell)
    for block in bootstrap.weights(images, sampler.replicates, sampler.seed):
        drawn = block[:, order].astype(np.float64)
        sizes = np.add.reduceat(drawn, starts, axis=1)
        drawn *= wrong[order]
        with np.errstate(invalid="ignore"):
            made.append(100 * np.add.reduceat(drawn, starts, axis=1) / sizes)
    return np.concatenate(made)


def _by_condition(
    sampler: Sampler, columns: Mapping[str, tuple[Cell, ...]], by: By, level: float
) -> tuple[Part, ...]:
    grid = columns.get(CORRUPTED)
    if not grid:
        raise ScoreError(
            f"{sampler.suite.name} has no corruptions at severities, so nothing to break down by "
            f"{by}; by class works."
        )
    clean = [cell for cell in sampler.suite.cells if cell.role == "clean"]
    rates = sampler.rates([*clean, *grid])
    rows: dict[str, dict[Cell, Rates]] = {}
    if by == "severity":
        rows = {"0 (clean)": {cell: rates[cell] for cell in clean}} if clean else {}
        for severity in sorted({cell.severity or 0 for cell in grid}):
            rows[str(severity)] = _some(rates, [c for c in grid if c.severity == severity])
    else:
        for cell in grid:
            category = CORRUPTIONS.load(parse(cell.group).name).group
            rows.setdefault(category, {})[cell] = rates[cell]
    return tuple(
        Part(name, sampler.count(row), {"error": number(mean(row), level)}, {})
        for name, row in rows.items()
    )


def _some(rates: Mapping[Cell, Rates], cells: Sequence[Cell]) -> dict[Cell, Rates]:
    return {cell: rates[cell] for cell in cells}

"""Every metric and baseline, found by file, meets the contract of its family."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brittle import labels, suites
from brittle.baselines import BASELINES
from brittle.corruptions import CORRUPTIONS
from brittle.errors import ScoreError, SpecError
from brittle.metrics import METRICS, find
from brittle.metrics._grid import TEST, VALIDATION
from brittle.metrics._sequences import TEST as MOVING
from brittle.metrics.base import Errors, Normaliser
from brittle.outcomes import COLUMNED, Cell
from tests.helpers.parts import module
from tests.metrics.examples import cell

NAMES = METRICS.names()


DISTANCES = ("mean_top5_distance", "mean_zipf_distance")
"""What is no percentage."""


def cells_for(metric):
    """One cell or grid of every role that a metric can use."""
    made = [
        Cell("c", "clean", "clean", "clean"),
        Cell("i", "clean", "iid", "home"),
        Cell("s", "clean", "shift", "night"),
        Cell("t", "clean", "shift", "snowfall"),
        Cell("c", "rain(amount=1)", "free", "rain(amount=1)"),
        *(cell(name, severity) for name in TEST for severity in range(1, 6)),
        *(cell(name, severity, role="extra") for name in VALIDATION for severity in range(1, 6)),
        *(Cell("p", name, "sequence", name) for name in (*MOVING, "shear", "spatter")),
    ]
    return [
        one for roles in metric.roles for one in metric.choose([c for c in made if c.role in roles])
    ]


def errors_for(metric, rates):
    cells = cells_for(metric)
    groups = {c.group for c in cells if c.role in COLUMNED}
    baseline = Normaliser(dict.fromkeys(groups, np.array([80.0])), np.array([40.0]))
    table = {one: rates[:, number] for number, one in enumerate(cells)}
    return Errors(rates=table, baseline=baseline if metric.baseline else None)


def rates_for(metric, rows, seed=0):
    return np.random.default_rng(seed).uniform(5, 95, (rows, len(cells_for(metric))))


def test_the_metrics_are_there():
    assert set(NAMES) >= {
        "mce", "relative_mce", "extra_mce", "maude", "mean_corruption_error", "clean_error",
        "clean_top5_error", "top1_error", "top5_error", "accuracy", "gap",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name):
    metric = METRICS.load(name)
    summary, rest = metric.about.split("\n\n", 1)
    assert summary.endswith(".")
    assert ("Lower is better" if metric.better == "lower" else "Higher is better") in rest
    assert metric.about == module(METRICS, name).__doc__
    assert metric.title
    assert metric.formula
    assert metric.summed
    assert metric.citation
    assert metric.column
    assert metric.unit == ("" if name in DISTANCES else "%")
    assert 0 <= metric.column_digits <= metric.digits <= 3


@pytest.mark.parametrize("name", NAMES)
def test_replicates_are_a_leading_axis(name):
    """Row by row gives what all rows together give."""
    metric = METRICS.load(name)
    rates = rates_for(metric, 4)
    together = metric.of(errors_for(metric, rates))
    assert together.total.shape == (4,)
    for row in range(4):
        alone = metric.of(errors_for(metric, rates[row : row + 1]))
        assert alone.total[0] == pytest.approx(together.total[row], rel=1e-13)
        assert alone.columns.keys() == together.columns.keys()
        for key, column in together.columns.items():
            assert alone.columns[key][0] == pytest.approx(column[row], rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_moves_the_total_as_it_must(name):
    """A higher error makes it worse in every cell that counts, and moves nothing in the others."""
    metric = METRICS.load(name)
    cells = cells_for(metric)
    rates = rates_for(metric, 1)
    before = metric.of(errors_for(metric, rates)).total[0]
    for number, one in enumerate(cells):
        more = rates.copy()
        more[0, number] += 1
        change = metric.of(errors_for(metric, more)).total[0] - before
        worse = change if metric.better == "lower" else -change
        assert np.sign(worse) == counted(metric, name, one, cells), one


def counted(metric, name, one, cells):
    """1 where a cell is part of the total, -1 where it is subtracted, 0 where it is shown only."""
    if one.role in SUBTRACTED.get(name, ()):
        return -1
    shifts = any(cell.role == "shift" for cell in cells)
    return int(one.role == "shift" or not shifts)


SUBTRACTED = {"relative_mce": ("clean",), "gap": ("iid",)}
"""What is taken off the errors; without in-distribution images the gap takes the clean ones."""


@pytest.mark.parametrize("name", NAMES)
def test_the_input_is_not_changed(name):
    metric = METRICS.load(name)
    rates = rates_for(metric, 3)
    kept = rates.copy()
    metric.of(errors_for(metric, rates))
    assert np.array_equal(rates, kept)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_imports_no_other_part(name):
    for node in ast.walk(ast.parse(Path(module(METRICS, name).__file__).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.module not in {f"brittle.metrics.{other}" for other in NAMES}


@pytest.mark.parametrize(
    ("said", "name"),
    [("mCE", "mce"), ("relative mCE", "relative_mce"), ("relative-mce", "relative_mce"),
     ("Relative_mCE", "relative_mce"), (" TOP5-error ", "top5_error")],
)  # fmt: skip
def test_names_are_taken_as_they_are_written(said, name):
    assert find(said) == (name, METRICS.load(name))


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(SpecError, match=r"no metric 'relativ_mce'. Did you mean relative_mce"):
        find("relativ mCE")


def test_the_fifteen_are_those_of_the_suite():
    assert suites.get("imagenet-c").corruptions == TEST
    assert {name for name in CORRUPTIONS.names() if CORRUPTIONS.load(name).extra} >= set(VALIDATION)
    assert not {name for name in TEST if CORRUPTIONS.load(name).extra}


def test_every_suite_names_scores_and_a_baseline_that_exist():
    for name in suites.names():
        suite = suites.get(name)
        if suite.outliers is None and suite.task == "single":
            assert {find(score)[0] for score in suite.scores} == set(suite.scores)
        assert suite.baseline is None or suite.baseline in BASELINES.names()


@pytest.mark.parametrize("name", BASELINES.names())
def test_a_baseline_knows_the_nineteen(name):
    part = BASELINES.load(name)
    assert part.title
    assert part.source
    assert part.about == module(BASELINES, name).__doc__
    assert part.classes is None or part.classes in labels.names()
    for corruption in (*TEST, *VALIDATION):
        assert 0 < part.mean(corruption) <= 100
        assert part.mean(corruption) > part.clean


def test_a_baseline_of_unknown_classes_or_errors_is_refused():
    part = BASELINES.load("alexnet")
    assert part.classes == "imagenet"
    with pytest.raises(ScoreError, match="AlexNet is of unknown classes: imagnet"):
        replace(part, classes="imagnet")
    with pytest.raises(ScoreError, match="AlexNet has a clean error of 435"):
        replace(part, clean=435)

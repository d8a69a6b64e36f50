"""Confidence on the page: bins by hand, intervals by SciPy, numbers those of the command."""

from dataclasses import replace

import numpy as np
import pytest

from brittle._outputs import beliefs, believed
from brittle.calibration import Answers
from brittle.errors import ScoreError
from brittle.scoring import trusting
from brittle.sections import SECTIONS, Material
from brittle.sections import _trust as trust
from brittle.sections._material import names_of
from tests.helpers.pages import fragment, nodes, table
from tests.sections.runs import measured
from tests.sections.strange import strange

stats = pytest.importorskip("scipy.stats")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return measured(tmp_path_factory.mktemp("confidence"), extra=True)[0]


def view(run, **options):
    material = Material(runs=(run,), names=names_of([run]), **{"replicates": 100, **options})
    return next(iter(material.suites.values()))[0]


def test_a_diagram_is_binned_by_hand():
    rng = np.random.default_rng(0)
    sure = rng.random(500)
    right = rng.random(500) < sure**2
    line = trust.diagram(3, "who", Answers(sure, right))
    assert line.place == 3
    rows = []
    for low in np.arange(10) / 10:
        mine = (sure > low) & (sure <= low + 0.1)
        if mine.sum() >= trust.FEWEST:
            share = stats.binomtest(int(right[mine].sum()), int(mine.sum()))
            ends = share.proportion_ci(method="wilson")
            rows.append((sure[mine].mean(), right[mine].mean(), ends.low, ends.high))
    found = [(x, *y) for x, y in zip(line.x, line.y, strict=True)]
    np.testing.assert_allclose(found, 100 * np.array(rows), rtol=1e-9)
    assert len(rows) == 10


def test_few_answers_are_no_point():
    line = trust.diagram(0, "who", Answers([0.9] * 30 + [0.2] * 3, [1] * 33))
    assert len(line.x) == 1


def test_the_curve_of_silence_ends_at_the_accuracy():
    rng = np.random.default_rng(1)
    sure, right = rng.random(400), rng.random(400) < 0.6
    line = trust.silent(0, Answers(sure, right))
    assert line.x[-1] == 100
    assert line.y[-1].value == pytest.approx(100 * right.mean())
    half = int(np.argmin(np.abs(np.array(line.x) - 50)))
    kept = np.argsort(-sure)[: round(4 * line.x[half])]
    assert line.y[half].value == pytest.approx(100 * right[kept].mean())


@pytest.mark.parametrize("keep", [(), ("logits",)])
def test_all_cells_at_once_are_the_cells_one_by_one(tmp_path, keep):
    made, _ = measured(tmp_path, keep=keep)
    suite = made.suite()
    read = beliefs(made, suite)
    for cell in suite.cells:
        one, other = read(cell), believed(made.info, made.rows_of, cell)
        assert one.keys == other.keys
        assert len(one.keys) == 24
        for name in ("confidence", "correct", "log_loss"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert (one.logits is None) == (other.logits is None) == (not keep)


def test_what_is_not_whole_is_refused(run):
    suite = run.suite()
    cell = suite.cells[0]._replace(condition="fog(severity=3)")
    with pytest.raises(ScoreError, match=r"0 of the 24 images of clean are measured"):
        beliefs(run, suite)(cell)


def test_a_mean_over_corruptions_lacks_none_of_its_cells(run):
    suite = run.suite()
    lost = suite.cells[1]._replace(condition="contrast(severity=3)", group="contrast", severity=3)
    assert lost.role == "grid"
    wider = replace(suite, cells=(*suite.cells, lost))
    with pytest.raises(ScoreError, match=r"0 of the 24 images of contrast are measured; finish"):
        trusting.trust(wider, beliefs(run, suite), replicates=100)


def test_the_numbers_are_those_of_the_command(run):
    tree = fragment(str(SECTIONS.load("confidence").make(
        Material(runs=(run,), names=("mine",), replicates=100))))  # fmt: skip
    short, whole = nodes(tree, "table")
    found = run.calibrate(replicates=100)
    wanted = {row.name: row for row in found.rows}
    rows = {row[0]: row for row in table(short)[1:]}
    assert set(rows) == {"clean", "mean over corruptions"}
    for name, row in rows.items():
        values = [f"{number:.3f}" for number in wanted[name].values[found.measures[0]]]
        assert row[1:4] == ["mine", values[0], f"[{values[1]}, {values[2]}]"]
    assert {row[0] for row in table(whole)[1:]} == set(wanted)


def test_the_groups_of_a_suite(run, tmp_path):
    groups = trust.groups(view(run))
    assert {name: len(cells) for name, cells in groups.items()} == {
        "clean": 1,
        "all corruptions": 6,
    }
    assert list(trust.groups(view(strange(tmp_path)))) == ["known"]


def test_replicates_are_fewer_where_there_are_many_predictions(run, monkeypatch):
    assert trust.replicates(view(run, replicates=1000)) == 1000
    monkeypatch.setattr(trust, "WORK", 24 * 7 * 250)
    assert trust.replicates(view(run, replicates=1000)) == 250
    monkeypatch.setattr(trust, "WORK", 1)
    assert trust.replicates(view(run, replicates=1000)) == trust.LEAST
    made = SECTIONS.load("confidence").make(Material(runs=(run,), names=("mine",), replicates=1000))
    assert "brittle calibrate takes all" in str(made)

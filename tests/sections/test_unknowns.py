"""Unknowns on the page: curves by scikit-learn, tables those of the command."""

import re

import numpy as np
import pytest

from brittle.detectors import DETECTORS
from brittle.sections import SECTIONS, Material, _material
from brittle.sections._material import names_of
from brittle.sections.unknowns import _collect, _line
from tests.helpers.pages import fragment, nodes, table, words
from tests.sections.strange import NARROW, strange

metrics = pytest.importorskip("sklearn.metrics")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    root = tmp_path_factory.mktemp("unknowns")
    return strange(root), strange(root, "other", model=f"{NARROW[:-1]}, seed=1)")


def material(*runs):
    return Material(runs=runs, names=names_of(runs), replicates=100)


def section(*runs):
    return fragment(str(SECTIONS.load("unknowns").make(material(*runs))))


def auroc(usual, strange):
    truth = np.repeat([1, 0], [len(strange), len(usual)])
    return 100 * metrics.roc_auc_score(truth, np.concatenate([strange, usual]))


def test_the_areas_of_several_runs_are_scikit_learns(runs):
    tree = section(*runs)
    labels = [n.get("aria-label") for n in tree.iter() if n.get("role") == "img"]
    assert len(labels) == 2
    for group, label in zip(("noise", "blobs"), labels, strict=True):
        assert label.startswith(f"ROC curves against {group}")
        said = [float(value) for value in re.findall(r" (\d+\.\d)(?:;|$)", label)]
        for run, value in zip(runs, said, strict=True):
            # On the half that fitted detectors are scored on, as the table.
            scored = run.detect(replicates=0).scored
            wanted = auroc(scored.usual["msp"], scored.strange[group]["msp"])
            assert len(scored.usual["msp"]) < 60
            assert value == pytest.approx(wanted, abs=0.05 + 1e-9)


def test_a_curve_has_the_area_of_its_scores(runs):
    run = runs[0]
    (view,) = material(run).suites["ood"]
    panels = {}
    _collect(panels, view, "max_logit", 2, "MaxLogit")
    for group, (one,) in panels.items():
        line = _line(one)
        x, y = np.array(line.x), np.array([number.value for number in line.y])
        assert (x[0], y[0]) == (0, 0)
        assert (x[-1], y[-1]) == (100, 100)
        assert (np.diff(x) >= 0).all()
        assert (np.diff(y) >= 0).all()
        area = np.trapezoid(y, x) / 100
        found = view.detection.of("max_logit", "AUROC", group).value
        assert area == pytest.approx(found, abs=0.6)
        assert line.place == 2


def test_the_table_is_that_of_the_command(runs):
    run = runs[0]
    tree = section(run)
    found = run.detect(against="msp", replicates=100)
    shown = table(nodes(tree, "table")[0])
    assert shown[0][:4] == ["detector", "noise", "blobs", "mean"]
    titles = {row.title: row.detector for row in found.rows}
    assert {row[0] for row in shown[1:]} == set(titles)
    for row in shown[1:]:
        for at, group in enumerate(("noise", "blobs", "mean"), 1):
            assert row[at] == f"{found.of(titles[row[0]], 'AUROC', group).value:.1f}"


def test_of_many_pictures_no_detector_is_fitted(runs, monkeypatch):
    monkeypatch.setattr(_material, "FITTED", 10)
    tree = section(runs[0])
    shown = {row[0] for row in table(nodes(tree, "table")[0])[1:]}
    plain = {
        part.title
        for name in DETECTORS.names()
        if (part := DETECTORS.load(name)).fit is None
        and set(part.needs) <= {"logits"}
        and "single" in part.tasks
    }
    assert shown == plain
    assert "110 pictures of" in words(tree)
    assert "brittle detect takes them" in words(tree)

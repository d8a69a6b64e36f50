"""The published cells give the published scores; closed forms give the rest."""

import json

import numpy as np
import pytest

from brittle.baselines import BASELINES
from brittle.baselines.alexnet import WRONG, WRONG_OF_ALL_FIVE
from brittle.metrics import METRICS
from brittle.metrics._grid import TEST, VALIDATION
from brittle.metrics._sequences import TEST as MOVING
from brittle.metrics._sequences import VALIDATION as KEPT_APART
from brittle.metrics.base import Errors, Normaliser
from brittle.outcomes import Cell, Outcome, Steps, Suite
from brittle.scoring.scores import score_suite
from tests.helpers.shared import needs_shared, shared
from tests.metrics.examples import Stand, cell, grid, outcome, stand

pytestmark = needs_shared


def load(name):
    return json.loads(shared("reference", name).read_text())


@pytest.fixture(scope="module")
def cells():
    return load("imagenet_c_cells.json")


@pytest.fixture(scope="module")
def published():
    return load("published.json")


def measured(cells, model, count=5000):
    rows = {name: cells["robustbench_imagenet"][model][name] for name in TEST}
    return grid(rows, clean=cells["robustbench_clean_5k"].get(model), count=count)


@pytest.fixture(scope="module")
def theirs(cells) -> Stand:
    """RobustBench's own AlexNet, which their scores are divided by."""
    return stand("AlexNet", measured(cells, "AlexNet"))


def by_hand(rows, divisors):
    return sum(sum(rows[c]) / sum(divisors[c]) for c in TEST) / 15 * 100


def test_alexnet_is_the_authors_own(cells):
    assert {name: [w / 50_000 for w in row] for name, row in WRONG.items()} == cells["alexnet_full"]
    means = {name: total / 250_000 for name, total in WRONG_OF_ALL_FIVE.items()}
    assert means == cells["alexnet_extra_means"]
    assert BASELINES.load("alexnet").clean == 100 * cells["alexnet_clean"]


def test_alexnet_has_exactly_one_hundred(cells):
    made = grid(cells["alexnet_full"], clean=0.435, count=50_000, scores=("mce", "relative_mce"))
    mce, relative = score_suite(*made, replicates=0)
    assert mce.title == "mCE"
    assert mce.value == 100
    assert {number.value for number in mce.columns.values()} == {100}
    assert relative.value == pytest.approx(100, abs=1e-10)


MODELS = [
    "AlexNet", "Standard_R50", "Salman2020Do_50_2_Linf", "Hendrycks2020AugMix",
    "Hendrycks2020Many", "Geirhos2018_SIN", "Geirhos2018_SIN_IN", "Geirhos2018_SIN_IN_IN",
    "Erichson2022NoisyMix", "Erichson2022NoisyMix_new", "Tian2022Deeper_DeiT-S",
    "Tian2022Deeper_DeiT-B",
]  # fmt: skip


def test_all_twelve_are_covered(cells):
    assert sorted(cells["robustbench_imagenet"]) == sorted(MODELS)


@pytest.mark.parametrize("model", MODELS)
def test_every_published_model(cells, theirs, model):
    made = measured(cells, model)
    table = cells["robustbench_imagenet"]
    (score,) = score_suite(*made, ["mCE"], baseline=theirs, replicates=0)
    assert score.value == pytest.approx(by_hand(table[model], table["AlexNet"]), abs=1e-9)
    if model in cells["mce_expected"]:
        assert round(score.value, 2) == cells["mce_expected"][model]
    (own,) = score_suite(*made, ["mCE"], replicates=0)
    assert own.value == pytest.approx(by_hand(table[model], cells["alexnet_full"]), abs=1e-9)
    assert own.title == "mCE"
    assert score.title == "mCE (baseline AlexNet)"
    assert score.images == 5000


@pytest.mark.parametrize("model", ["Standard_R50", "Hendrycks2020AugMix", "Hendrycks2020Many"])
def test_relative_mce_and_maude_by_hand(cells, theirs, model):
    rows, divisors = (cells["robustbench_imagenet"][name] for name in (model, "AlexNet"))
    clean, base = (cells["robustbench_clean_5k"][name] for name in (model, "AlexNet"))
    relative = [(sum(rows[c]) - 5 * clean) / (sum(divisors[c]) - 5 * base) for c in TEST]
    area = [(clean / 2 + sum(rows[c][:4]) + rows[c][4] / 2) / 5 for c in TEST]
    made = measured(cells, model)
    scores = score_suite(*made, ["relative mCE", "mAUDE"], baseline=theirs, replicates=0)
    assert scores[0].value == pytest.approx(100 * sum(relative) / 15, abs=1e-9)
    assert scores[1].value == pytest.approx(100 * sum(area) / 15, abs=1e-9)
    assert scores[1].columns["fog"].value == pytest.approx(100 * area[TEST.index("fog")], abs=1e-9)


def row_of(published, table, model):
    row = published["imagenet_c"][table][model]
    return {name: row[name] for name in TEST}


def from_ce(ces, divide):
    """Errors at five equal severities that give these CE, out of 10,000 images."""
    return {name: [round(divide(name, ce), 4)] * 5 for name, ce in ces.items()}


def test_printed_rows_sum_to_the_printed_mce(published):
    """Twenty models of the papers: integers of CE give mCE within their rounding."""
    part = BASELINES.load("alexnet")
    for model, row in published["imagenet_c"]["ce"].items():
        ces = row_of(published, "ce", model)
        made = from_ce(ces, lambda name, ce: min(ce * part.mean(name) / 1e4, 1))
        (score,) = score_suite(*grid(made, count=10_000), ["mce"], replicates=0)
        assert score.value == pytest.approx(row["mCE"], abs=0.5 + 0.05), model
        for name, ce in ces.items():
            assert f"{score.columns[name].value:.0f}" == f"{ce:.0f}", (model, name)


def test_printed_rows_sum_to_the_printed_relative_mce(published):
    part = BASELINES.load("alexnet")
    for model, row in published["imagenet_c"]["relative_ce"].items():
        clean = row["clean_error"] / 100
        made = from_ce(
            row_of(published, "relative_ce", model),
            lambda name, ce, clean=clean: clean + ce * (part.mean(name) - 43.5) / 1e4,
        )
        suite, outcomes = grid(made, clean=clean, count=10_000)
        (score,) = score_suite(suite, outcomes, ["relative_mce"], replicates=0)
        assert score.value == pytest.approx(row["relative_mCE"], abs=0.5 + 0.1), model


def test_printed_rows_sum_to_the_printed_maude(published):
    for model, row in published["imagenet_d"]["aude"].items():
        clean = row["clean_error"] / 100
        # Five equal errors e have the area (clean / 2 + 4.5 e) / 5.
        made = {
            name: [min(round((5 * row[name] / 100 - clean / 2) / 4.5, 4), 1)] * 5 for name in TEST
        }
        (score,) = score_suite(*grid(made, clean=clean, count=10_000), ["mAUDE"], replicates=0)
        assert score.value == pytest.approx(row["mAUDE"], abs=0.55), model


def test_the_four_of_alexnet(cells):
    suite, outcomes = grid({}, name="imagenet-c-extra", scores=("extra_mce",))
    rates = {}
    listed = []
    for name in VALIDATION:
        for severity in range(1, 6):
            one = cell(name, severity, role="extra")
            listed.append(one)
            rates[one.condition] = round(cells["alexnet_extra_means"][name], 4)
    outcomes["val"] = outcome(rates, 10_000)
    suite = type(suite)(**{**vars(suite), "cells": tuple(listed)})
    (score,) = score_suite(suite, outcomes, replicates=0)
    assert score.title == "extra mCE"
    assert score.value == pytest.approx(100, abs=0.02)


def moved(reads, values):
    """What a metric reads of the ten perturbations, in a suite without images."""
    cells = [Cell("p", name, "sequence", name) for name in MOVING]
    return Errors(
        rates={cell: np.array([values[cell.group]]) for cell in cells},
        baseline=Normaliser(
            {name: np.array([BASELINES.load("alexnet").moves(reads, name)]) for name in MOVING},
            np.zeros(1),
        ),
    )


def test_alexnet_is_the_papers_own_under_perturbations(published):
    table = published["imagenet_p"]["alexnet"]
    part = BASELINES.load("alexnet")
    for key, reads in (("FP", "flips"), ("uT5D", "top5_distance")):
        assert {name: part.moves(reads, name) for name in table[key]} == table[key]
        assert set(table[key]) == {*MOVING, *KEPT_APART}
        assert part.moves(reads, "fog") is None
    assert part.moves("zipf_distance", "tilt") is None


@pytest.mark.parametrize(
    ("table", "name", "reads", "key"),
    [("flip_rate", "mfr", "flips", "mFR"), ("top5_distance", "mt5d", "top5_distance", "mT5D")],
)
def test_the_rows_of_the_paper(published, table, name, reads, key):
    """The columns are printed as whole percents, so their mean is known to a little.

    The paper's mFR of VGG-19 with batch normalisation is not the mean of its own columns.
    """
    metric = METRICS.load(name)
    rows = published["imagenet_p"][table]
    assert len(rows) == 6
    odd = []
    for model, row in rows.items():
        divisor = {one: BASELINES.load("alexnet").moves(reads, one) for one in MOVING}
        values = {one: row[one] * divisor[one] / 100 for one in MOVING}
        made = metric.of(moved(reads, values))
        for one in MOVING:
            assert made.columns[one][0] == pytest.approx(row[one])
        if abs(made.total[0] - row[key]) > 0.15 + 1e-9:
            odd.append((model, row[key], round(float(made.total[0]), 1)))
    assert odd == ([("VGG-19+BN", 65.1, 64.4)] if name == "mfr" else [])
    own = {one: BASELINES.load("alexnet").moves(reads, one) for one in MOVING}
    assert metric.of(moved(reads, own)).total[0] == 100


class Still:
    """Sequences of one comparison each, under every perturbation of one value for each movement."""

    def __init__(self, values):
        self.values = values

    def steps(self, condition, kind, difficulty=1):
        assert difficulty == 1
        return Steps(np.full((4, 1), self.values[kind][condition]), np.ones(4, np.intp), (1,))


@pytest.mark.parametrize("model", ["SqueezeNet", "VGG-11", "VGG-19", "ResNet-18", "ResNet-50"])
def test_a_row_of_the_paper_from_its_sequences(published, model):
    """Both scores of one run, each from its own movement, divided by AlexNet's own."""
    part, tables = BASELINES.load("alexnet"), published["imagenet_p"]
    flips, moved_by = tables["flip_rate"][model], tables["top5_distance"][model]
    values = {
        # A flip counts 1, and FP is printed in percent.
        "flips": {n: flips[n] / 100 * part.moves("flips", n) / 100 for n in MOVING},
        "top5_distance": {n: moved_by[n] / 100 * part.moves("top5_distance", n) for n in MOVING},
    }
    keys = tuple("abcd")
    outcome = Outcome(
        keys, (None,) * 4, ("",) * 4, MOVING, np.full((4, len(MOVING)), -1, np.int16), Still(values)
    )
    suite = Suite(
        name="imagenet-p",
        about="",
        edition="imagenet-224",
        cells=tuple(Cell("p", name, "sequence", name) for name in MOVING),
        scores=("mfr", "mt5d"),
        baseline="alexnet",
        facts={"pixels": "read", "classes": 1000, "class_list": "imagenet"},
    )
    mfr, mt5d = score_suite(suite, {"p": outcome}, replicates=0)
    assert (mfr.title, mt5d.title) == ("mFR", "mT5D")
    assert (mfr.column, mt5d.column) == ("FR", "T5D")
    assert mfr.value == pytest.approx(flips["mFR"], abs=0.15)
    assert mt5d.value == pytest.approx(moved_by["mT5D"], abs=0.15)
    for name in MOVING:
        assert mfr.columns[name].value == pytest.approx(flips[name])
        assert mt5d.columns[name].value == pytest.approx(moved_by[name])

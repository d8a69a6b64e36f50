"""A row as timm writes it, read as timm reads it."""

import csv
import io

import pytest

from brittle.exports import find
from brittle.exports.base import measure
from brittle.exports.timm_csv import COLUMNS
from tests.metrics.examples import photographs, stand

# The head of timm's results/results-imagenet-a.csv, and two of its rows.
THEIRS = """\
model,top1,top1_err,top5,top5_err,param_count,img_size,crop_pct,interpolation
eva_giant_patch14_560.m30m_ft_in22k_in1k,87.573,12.427,96.893,3.107,"1,014.45",560,1.000,bicubic
resnext101_32x32d.fb_wsl_ig1b_ft_in1k,58.040,41.960,80.640,19.360,468.53,224,0.875,bilinear
"""
FACTS = {"parameters": 1_014_450_000, "size": [224, 224], "resize": [256, 256]}


def made(model="timm:resnet50.a1_in1k(pretrained=true)", facts=FACTS, **options):
    suite, outcomes = photographs({"imagenet-a": 0.75}, count=400)
    # A third of the wrong ones have the true class in the second place.
    found = {}
    for name, one in outcomes.items():
        ranks = one.ranks.copy()
        ranks[:200][ranks[:200] > 0] = 7
        found[name] = one._replace(ranks=ranks)
    info = {"facts": {**facts, "interpolation": "bicubic"}}
    scored = measure(stand(model, (suite, found), info=info), replicates=0, **options)
    return find("timm_csv").render(scored)


def test_the_columns_are_timms():
    assert made().splitlines()[0] == THEIRS.splitlines()[0]


def test_the_row():
    (row,) = csv.DictReader(io.StringIO(made()))
    assert row == {
        "model": "resnet50.a1_in1k",
        "top1": "25.000",
        "top1_err": "75.000",
        "top5": "50.000",
        "top5_err": "50.000",
        "param_count": "1,014.45",
        "img_size": "224",
        "crop_pct": "0.875",
        "interpolation": "bicubic",
    }


def test_it_joins_timms_own_table():
    pandas = pytest.importorskip("pandas")
    text = THEIRS + made().split("\n", 1)[1]
    table = pandas.read_csv(io.StringIO(text), thousands=",")
    assert list(table.columns) == list(COLUMNS)
    assert (table["top1"] + table["top1_err"] == 100).all()
    assert table["param_count"].tolist() == [1014.45, 468.53, 1014.45]
    assert table["img_size"].dtype.kind == "i"
    assert table.sort_values("top1")["model"].iloc[0] == "resnet50.a1_in1k"


def test_what_a_run_does_not_say_stays_empty():
    (row,) = csv.DictReader(io.StringIO(made("python:mine:load", {})))
    assert row["model"] == "python:mine:load"
    assert (row["param_count"], row["img_size"], row["crop_pct"]) == ("", "", "")

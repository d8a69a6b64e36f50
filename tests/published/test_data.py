"""What is published is what was printed, number by number, and it adds up."""

import json

import numpy as np
import pytest

from brittle import published, suites
from brittle.baselines import BASELINES
from brittle.metrics import METRICS
from brittle.metrics._grid import TEST
from brittle.scoring.scores import score_suite
from tests.helpers.shared import needs_shared, shared
from tests.metrics.examples import grid, stand


def rows(suite, short=None):
    return {
        one.model: one
        for one in published.results(suite)
        if short is None or one.short.split(",")[0] == short
    }


@pytest.fixture(scope="module")
def printed():
    return json.loads(shared("reference", "published.json").read_text())


@pytest.fixture(scope="module")
def cells():
    return json.loads(shared("reference", "imagenet_c_cells.json").read_text())


@pytest.mark.parametrize("name", published.names())
def test_every_file_is_whole(name):
    found = published.get(name)
    assert found.results
    assert found.headline is None or found.headline in found.measures
    for one in found.results:
        assert one.source
        assert one.values or one.columns
        assert one.computed <= set(one.values)
        assert set(one.values) <= set(found.measures)
    own = set(suites.names())
    later = {"imagenet-p", "imagenet-o", "icons-50"}
    assert set(found.suites) <= own or name in later
    if found.classes:
        assert all(suites.get(one).classes == found.classes for one in found.suites if one in own)


@pytest.mark.parametrize("name", published.names())
def test_metrics_of_brittles_own_are_read_as_brittle_reads_them(name):
    for key, measure in published.get(name).measures.items():
        if key in METRICS.names():
            metric = METRICS.load(key)
            assert measure.title == metric.title
            assert measure.better == metric.better


@needs_shared
def test_imagenet_c_is_as_printed(printed):
    found, said = rows("imagenet-c"), printed["imagenet_c"]
    for model, row in said["ce"].items():
        one = rows("imagenet-c", "ICLR 2019").get(model) or found[model]
        assert one.values["mce"] == row["mCE"]
        assert round(one.values["clean_error"] + 1e-9, 1) == row["clean_error"]
        assert one.columns["mce"] == {name: row[name] for name in TEST}
    for model, row in said["relative_ce"].items():
        assert found[model].values["relative_mce"] == row["relative_mCE"]
        assert found[model].columns["relative_mce"] == {name: row[name] for name in TEST}
    for model, mce in said["other_mce"].items():
        assert found[model].values["mce"] == mce


@needs_shared
def test_the_leaderboard_of_resnet_50_is_as_printed(printed):
    by_numbers = {
        (one.values.get("mce"), one.values.get("clean_error")): one
        for one in published.results("imagenet-c")
        if "board" in one.short
    }
    for method, mce, clean, standalone in printed["imagenet_c"]["leaderboard_resnet50"]:
        one = by_numbers.pop((mce, clean))
        assert one.standalone == standalone, method
        assert one.backbone == "ResNet-50"
    assert not by_numbers
    assert {
        one.standalone for one in published.results("imagenet-c") if "board" not in one.short
    } == {None}


@needs_shared
@pytest.mark.parametrize(
    ("suite", "part", "count"),
    [("imagenet-c", "imagenet", 12), ("cifar10-c", "cifar10", 23), ("cifar100-c", "cifar100", 13)],
)
def test_the_cells_are_as_published(cells, suite, part, count):
    table, found = cells[f"robustbench_{part}"], rows(suite, "RobustBench")
    assert sorted(found) == sorted(table)
    assert len(found) == count
    for model, one in found.items():
        for name, row in one.wrong.items():
            under = one.printed_under.get(name, name)
            assert [wrong / one.images for wrong in row] == pytest.approx(table[model][under])
        mean = np.mean([100 * error for row in table[model].values() for error in row])
        assert one.values["mean_corruption_error"] == pytest.approx(mean)


@needs_shared
def test_the_scoring_code_gives_what_is_stored(cells):
    """The scores that are computed from cells are those of a run with these wrong images."""
    found = rows("imagenet-c", "RobustBench")

    def run(model):
        one = found[model]
        errors = {name: [n / one.images for n in row] for name, row in one.wrong.items()}
        clean = one.values.get("clean_error")
        return grid(errors, clean=None if clean is None else clean / 100, count=one.images)

    alexnet = stand("AlexNet", run("AlexNet"))
    for model, one in found.items():
        made = score_suite(*run(model), baseline=alexnet, replicates=0)
        for score in made:
            if score.name in one.values:
                tolerance = 1e-9 if score.name in one.computed else 0.005 + 1e-9
                assert score.value == pytest.approx(one.values[score.name], abs=tolerance)
                assert score.title in ("mCE (baseline AlexNet)", "relative mCE (baseline AlexNet)",
                                       "mean corruption error", "clean error")  # fmt: skip
        assert {"mce", "mean_corruption_error"} <= {score.name for score in made}
    for model, mce in cells["mce_expected"].items():
        assert found[model].values["mce"] == mce
        assert "mce" not in found[model].computed


def test_robustbench_prints_the_same_sums():
    """What its own files say of these models, to the digit."""
    found = rows("imagenet-c", "RobustBench")
    assert round(found["Erichson2022NoisyMix_new"].values["mce"], 2) == 59.43
    for suite, model, accuracy in (
        ("imagenet-c", "Erichson2022NoisyMix_new", 53.28),
        ("cifar10-c", "Diffenderfer2021Winning_LRR_CARD_Deck", 92.78),
        ("cifar100-c", "Addepalli2022Efficient_WRN_34_10", 56.95),
    ):
        one = rows(suite)[model]
        # One of them was measured again and differs in the last digit.
        assert 100 - one.values["mean_corruption_error"] == pytest.approx(accuracy, abs=0.011)


def test_mixed_up_columns_are_put_right():
    """Two models of CIFAR-100-C have their cells under the names of other corruptions.

    Taken in RobustBench's own order they look like other models, which they do not as printed.
    """
    found = rows("cifar100-c")
    mixed = [one for one in found.values() if one.printed_under]
    assert sorted(one.model for one in mixed) == [
        "Addepalli2022Efficient_WRN_34_10",
        "Erichson2022NoisyMix",
    ]

    def likeness(errors):
        others = [one for one in found.values() if not one.printed_under]
        return max(
            np.corrcoef(np.ravel(errors), np.ravel([one.wrong[name] for name in TEST]))[0, 1]
            for one in others
        )

    for one in mixed:
        assert sorted(one.printed_under) == sorted(one.printed_under.values()) == sorted(TEST)
        right = likeness([one.wrong[name] for name in TEST])
        own = {printed: one.wrong[name] for name, printed in one.printed_under.items()}
        as_printed = likeness([own[name] for name in TEST])
        assert right > 0.84 > 0.62 > as_printed
        assert any("put right" in note for note in one.notes)


@needs_shared
def test_imagenet_p_is_as_printed(printed):
    found, said = rows("imagenet-p"), printed["imagenet_p"]
    for model, row in said["flip_rate"].items():
        rate, columns = found[model].values["mfr"], found[model].columns["mfr"]
        assert {"mFR": rate, **columns} == row
        mean = sum(columns.values()) / 10
        assert (abs(rate - mean) > 0.5) == (model == "VGG-19+BN")
    for model, row in said["top5_distance"].items():
        assert {"mT5D": found[model].values["mt5d"], **found[model].columns["mt5d"]} == row
    assert found["AlexNet"].columns["flip_probability"] == said["alexnet"]["FP"]
    assert found["AlexNet"].columns["top5_distance"] == said["alexnet"]["uT5D"]
    for model, row in said["other"].items():
        assert found[model].values == {"mfr": row["mFR"], "mt5d": row["mT5D"]}
    for method, rate, distance in said["leaderboard_resnet50"][:2]:
        one = found[f"ResNet-50 + {method}"].values
        assert (one["mfr"], one.get("mt5d")) == (rate, distance)


@needs_shared
def test_the_others_are_as_printed(printed):
    for suite, metric, said in (
        ("imagenet-a", "accuracy", printed["imagenet_a"]["accuracy"]),
        ("imagenet-o", "aupr", printed["imagenet_o"]["aupr"]),
        ("imagenet-r", "top1_error", printed["imagenet_r"]["error"]),
        (
            "imagenet-d",
            "maude",
            {name: row["mAUDE"] for name, row in printed["imagenet_d"]["aude"].items()},
        ),
    ):
        assert {one.model: one.values[metric] for one in published.results(suite)} == said
    for model, row in printed["imagenet_d"]["aude"].items():
        one = rows("imagenet-d")[model]
        assert one.columns["maude"] == {name: row[name] for name in TEST}
        assert one.values["clean_error"] == row["clean_error"]
    assert published.get("imagenet-o").chance == printed["imagenet_o"]["chance"]
    assert published.get("svsf").shifts == tuple(printed["svsf"]["columns"][1:])
    for one, row in zip(published.results("svsf"), printed["svsf"]["error"].values(), strict=True):
        assert [one.values["clean_error"], *one.columns["top1_error"].values()] == row
        assert one.computed == {"top1_error"}
    (icons,) = published.results("icons-50")
    assert icons.columns["held_out_accuracy"] == printed["icons_50"]["held_out_accuracy"]


def test_alexnet_is_the_baseline_that_errors_are_divided_by():
    one, part = rows("imagenet-c", "ICLR 2019")["AlexNet"], BASELINES.load("alexnet")
    for name, printed in one.columns["mean_corruption_error"].items():
        assert printed == pytest.approx(part.mean(name), abs=0.051)
    assert one.values["clean_error"] == part.clean
    assert one.values["mce"] == one.values["relative_mce"] == 100

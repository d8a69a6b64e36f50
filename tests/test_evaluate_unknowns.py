"""Known against strange pictures: what is kept, how it is scored, and what is refused."""

import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import brittle
from brittle._run import Run
from brittle.detectors import Outputs, fit
from brittle.errors import LabelError, RunError, ScoreError, SourceError, SpecError
from brittle.exports import export
from brittle.labels.many import join
from brittle.seeds import half
from tests.helpers.runs import CLASSES, measured, pictures, suite

sklearn = pytest.importorskip("sklearn.metrics")
MODEL = "linear:random(classes=3, size=32)"
COUNT = 60


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pictures(tmp_path_factory.mktemp("known"), COUNT, side=32)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures in folders of classes that the model does not have."""
    root = tmp_path_factory.mktemp("foreign")
    for number in range(30):
        place = root / f"texture{number % 4}"
        place.mkdir(exist_ok=True)
        pixels = np.random.default_rng(number).integers(0, 90, (48, 40, 3), np.uint8)
        cv2.imwrite(str(place / f"{number}.png"), pixels)
    return root


@pytest.fixture(scope="module")
def run(known: Path, foreign: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return measured(
        {"known": known, "foreign": foreign, "noise": "anomaly:gaussian(count=25)"},
        tmp_path_factory.mktemp("run") / "run",
        "ood",
        model=MODEL,
    )


def logits(run: Run) -> dict[str, tuple[list[str], np.ndarray]]:
    """By the group of a cell: keys and logits, straight from the stored rows."""
    found = {}
    table = run.predictions(columns=["key", "logits", "set"]).to_pylist()
    for cell in run.suite().cells:
        rows = [row for row in table if row["set"] == cell.set]
        found[cell.group] = [r["key"] for r in rows], np.array([r["logits"] for r in rows])
    return found


def msp(values: np.ndarray) -> np.ndarray:
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return -(shares / shares.sum(axis=1, keepdims=True)).max(axis=1)


def test_what_is_kept(run: Run) -> None:
    assert run.info["keep"] == ["logits"]
    assert [(c.role, c.group) for c in run.suite().cells] == [
        ("iid", "known"), ("out", "foreign"), ("out", "noise"),
    ]  # fmt: skip
    sizes = {name: len(keys) for name, (keys, _) in logits(run).items()}
    assert sizes == {"known": COUNT, "foreign": 30, "noise": 25}


def test_scores_are_scikit_learns(run: Run) -> None:
    rows = logits(run)
    auroc, aupr, fpr = run.scores()
    assert auroc.title == "AUROC (MSP)"
    usual = msp(rows["known"][1])
    for group in ("foreign", "noise"):
        strange = msp(rows[group][1])
        truth = np.repeat([1, 0], [len(strange), len(usual)])
        both = np.concatenate([strange, usual])
        assert auroc.columns[group].value == pytest.approx(100 * sklearn.roc_auc_score(truth, both))
        assert aupr.columns[group].value == pytest.approx(
            100 * sklearn.average_precision_score(truth, both)
        )
        assert auroc.columns[group].low <= auroc.columns[group].value
    assert auroc.value == pytest.approx(np.mean([n.value for n in auroc.columns.values()]))
    assert auroc.better == "higher"
    assert fpr.better == "lower"
    assert auroc.images == COUNT + 55


def test_detectors_are_scored_on_images_that_none_was_fitted_on(run: Run) -> None:
    found = run.detect(["msp", "kl_matching"], replicates=100)
    halved = found.images["known"]
    assert 20 <= halved < COUNT
    assert f"the other {halved}" in found.fitted
    alone = run.detect(["msp"], replicates=100)
    assert alone.images["known"] == COUNT
    assert alone.fitted == ""
    assert alone.of("msp", "AUROC").value == pytest.approx(run.score("auroc").value)


def test_what_is_fitted_learns_from_one_half_and_is_scored_on_the_other(run: Run) -> None:
    keys, values = logits(run)["known"]
    order = np.argsort(keys)
    values = values[order]
    chosen = half([keys[place] for place in order])
    learned = fit("kl_matching", Outputs(logits=values[chosen]))
    found, strange = run.detector_scores("kl_matching")
    np.testing.assert_allclose(found, learned.score(Outputs(logits=values[~chosen])), rtol=1e-6)
    everything = fit("kl_matching", Outputs(logits=values))
    assert not np.allclose(found, everything.score(Outputs(logits=values[~chosen])), rtol=1e-3)
    keys, values = logits(run)["noise"]
    told = learned.score(Outputs(logits=values[np.argsort(keys)]))
    np.testing.assert_allclose(strange["noise"], told, rtol=1e-6)


def test_all_detectors_that_the_outputs_allow(run: Run) -> None:
    found = run.detect(replicates=100, against="msp")
    given = {row.detector for row in found.rows}
    assert {"msp", "max_logit", "energy", "entropy", "kl_matching", "lof", "logit_avg"} <= given
    assert found.sets == ("foreign", "noise", "mean")
    assert "--keep features" in found.withheld["knn"]
    assert "--keep samples" in found.withheld["mc_dropout"]
    assert "of one class a picture" in found.withheld["typicality"]
    for row in found.rows:
        if row.detector == "msp":
            assert row.against is None
            continue
        for title, number in row.values.items():
            base = found.of("msp", title, row.set)
            assert row.against is not None
            assert row.against[title].value == pytest.approx(number.value - base.value)
    mean = found.of("energy", "AUROC")
    parts = [found.of("energy", "AUROC", name).value for name in ("foreign", "noise")]
    assert mean.value == pytest.approx(np.mean(parts))


def test_the_scores_behind_the_numbers(run: Run) -> None:
    """Those that plots are made of: all detectors on the pictures of the table."""
    found = run.detect(["msp", "kl_matching"], replicates=100)
    for name, one in found.scored.strange.items():
        for detector in ("msp", "kl_matching"):
            usual = found.scored.usual[detector]
            assert len(usual) == found.images["known"]
            truth = np.repeat([1, 0], [len(one[detector]), len(usual)])
            wanted = sklearn.roc_auc_score(truth, np.concatenate([one[detector], usual]))
            assert found.of(detector, "AUROC", name).value == pytest.approx(100 * wanted)


def test_only_what_detectors_need_is_read(
    known: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"known": known, "noise": "anomaly:gaussian(count=25)"}
    run = measured(data, tmp_path / "run", "ood", model=MODEL, keep=["features"])
    asked: list[set[str]] = []
    rows = Run.rows_of

    def seen(self: Run, cell: Any, columns: Any) -> Any:
        asked.append(set(columns) - {"key", "label"})
        return rows(self, cell, columns)

    monkeypatch.setattr(Run, "rows_of", seen)
    run.scores(replicates=0)
    run.detect(["msp", "max_logit"], replicates=0)
    assert asked == [{"logits"}] * 4
    run.detect(["msp"], against="knn(neighbours=3)", replicates=0)
    assert asked[4:] == [{"logits", "features"}] * 2


def test_exports_of_scores_that_are_no_errors(run: Run, known: Path) -> None:
    card = export(run, "model-index", replicates=0)
    assert f"value: {run.score('auroc', replicates=0).value}" in card
    assert 'name: "AUROC (MSP)"' in card
    with pytest.raises(ScoreError, match="This form holds errors, and the scores of ood"):
        export(run, "timm-csv", replicates=0)


def test_a_report_of_known_and_strange(run: Run, tmp_path: Path) -> None:
    page = brittle.report(run, tmp_path / "r.html", replicates=100).read_text("utf-8")
    assert "AUROC (MSP)" in page
    assert "AUPR in % on each set" in page
    assert "P(s+ &gt; s-) + P(s+ = s-) / 2" in page


def test_a_set_to_fit_on(known: Path, foreign: Path, tmp_path: Path) -> None:
    more = pictures(tmp_path / "fit", 66, side=32)
    run = measured(
        {"known": known, "fit": more, "foreign": foreign}, tmp_path / "run", "ood",
        model=MODEL, keep=["features"],
    )  # fmt: skip
    found = run.detect(["knn(neighbours=3)", "mahalanobis", "msp"], replicates=100)
    assert found.images == {"known": COUNT, "foreign": 30}
    assert found.fitted == "fitted on the set fit, 66 images"
    assert {row.set for row in found.rows} == {"foreign"}
    with pytest.raises(ScoreError, match="There is no AUROC of energy"):
        found.of("energy", "AUROC")


def test_classes_that_nothing_was_fitted_on_are_counted(
    run: Run, known: Path, foreign: Path, tmp_path: Path
) -> None:
    assert "classes" not in run.detect(["kl_matching"], replicates=0).fitted
    more = pictures(tmp_path / "fit", 66, side=32)
    lost, *_ = sorted(path for path in more.iterdir() if path.is_dir())
    shutil.rmtree(lost)
    there = sum(path.is_file() for path in (known / lost.name).iterdir())
    some = measured(
        {"known": known, "fit": more, "foreign": foreign}, tmp_path / "run", "ood", model=MODEL
    )
    said = some.detect(["kl_matching"], replicates=0).fitted
    assert f"; {there} of the {COUNT} known images that are scored are of classes" in said


def test_two_runs_are_compared(known: Path, foreign: Path, tmp_path: Path) -> None:
    data = {"known": known, "foreign": foreign}
    runs = [
        measured(data, tmp_path / name, "ood", model=model)
        for name, model in (("a", MODEL), ("b", "linear:random(classes=3, size=32, seed=1)"))
    ]
    found = brittle.compare(*runs, gates=["auroc:100"])
    for change in found.changes:
        assert change.step.old.value == pytest.approx(runs[0].score(change.name).value)
        assert change.step.new.value == pytest.approx(runs[1].score(change.name).value)
    assert found.passed
    moved = found.changes[0].step.difference
    gate = f"auroc:{max(0.0, -moved.high) / 2:.3f}"
    assert brittle.compare(*runs, gates=[gate]).passed == (moved.high >= 0)
    same = brittle.compare(runs[0], runs[0]).changes[0].step.difference
    page = brittle.report(runs, tmp_path / "r.html", replicates=100).read_text("utf-8")
    assert f"{moved.value:+.2f}" in page
    assert "changed sides" not in page
    assert same == (0, 0, 0)
    with pytest.raises(SpecError, match="no measure of separation 'mce'"):
        brittle.compare(*runs, gates=["mce:1"])


def test_imagenet_o_counts_its_two_hundred_classes(tmp_path: Path, foreign: Path) -> None:
    from brittle.labels import known as listed

    subset = listed("imagenet-o")
    for number, name in enumerate((*subset[:12], "n99999999")):
        (tmp_path / "val" / name).mkdir(parents=True)
        for picture in range(2):
            rng = np.random.default_rng([number, picture])
            pixels = rng.integers(0, 256, (32, 32, 3), np.uint8)
            cv2.imwrite(str(tmp_path / "val" / name / f"{picture}.png"), pixels)
    run = brittle.evaluate(
        "linear:random(classes=1000, size=32)", data=foreign, clean=tmp_path / "val",
        suite="imagenet-o", out=tmp_path / "run",
    )  # fmt: skip
    rows = logits(run)
    assert len(rows["iid"][0]) == 24
    places = [run.classes.index(name) for name in subset]
    usual, strange = (msp(rows[group][1][:, places]) for group in ("iid", "imagenet-o"))
    truth = np.repeat([1, 0], [len(strange), len(usual)])
    wanted = 100 * sklearn.average_precision_score(truth, np.concatenate([strange, usual]))
    assert run.score("aupr").value == pytest.approx(wanted)
    assert run.suite().scores[0] == "aupr"
    # The numbers could be right by luck; every picture's score must be that of the 200 classes.
    scored, others = run.detector_scores("msp")
    for found, group in ((scored, "iid"), (others["imagenet-o"], "imagenet-o")):
        keys, values = rows[group]
        order = np.argsort(keys)
        np.testing.assert_allclose(found, msp(values[:, places])[order], rtol=1e-5)
        assert not np.allclose(found, msp(values)[order], rtol=0.01)
    own = next(one for one in brittle.leaderboard("imagenet-o", runs=[run]).entries if one.own)
    assert own.numbers["aupr"].value == run.score("aupr").value
    assert own.images == 30
    assert f"chance is {3000 / 54:.2f} here, and 16.67 for the published ones" in own.off
    with pytest.raises(SourceError, match="give the latter with --clean"):
        brittle.evaluate("linear:random(classes=1000, size=32)", data=foreign, suite="imagenet-o")


def scenes(root: Path, count: int, seed: int) -> Path:
    """Pictures with a table of labels, of none to three classes each."""
    root.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    lines = ["image,label"]
    for number in range(count):
        pixels = rng.integers(0, 256, (32, 32, 3), np.uint8)
        cv2.imwrite(str(root / f"{number:03d}.png"), pixels)
        names = [name for name in CLASSES if rng.random() < 0.5]
        lines.append(f"{number:03d}.png,{join(names)}")
    (root / "labels.csv").write_text("\n".join(lines) + "\n")
    return root


def test_several_classes_a_picture(tmp_path: Path) -> None:
    data = {"day": scenes(tmp_path / "day", 40, 0), "night": scenes(tmp_path / "night", 30, 1)}
    run = measured(data, tmp_path / "run", "multilabel", model=MODEL)
    plain, weighted = run.scores()
    assert (plain.title, plain.column) == ("OOD mean mAP", "mAP")
    assert weighted.title == "OOD mean frequency-weighted mAP"
    table = run.predictions(columns=["key", "label", "logits", "set"]).to_pylist()
    for cell in run.suite().cells:
        rows = [row for row in table if row["set"] == cell.set]
        truth = np.array([[name in row["label"].split("|") for name in CLASSES] for row in rows])
        values = np.array([row["logits"] for row in rows])
        each = [
            sklearn.average_precision_score(truth[:, c], values[:, c]) for c in range(len(CLASSES))
        ]
        assert plain.columns[cell.group].value == pytest.approx(100 * np.mean(each))
        wanted = 100 * np.average(each, weights=truth.sum(axis=0))
        assert weighted.columns[cell.group].value == pytest.approx(wanted)
    assert plain.value == plain.columns["night"].value
    with pytest.raises(ScoreError, match="several a picture"):
        run.calibrate()
    moved = brittle.compare(run, run, gates=["map:1"])
    assert moved.passed
    page = brittle.report(run, tmp_path / "r.html", replicates=100).read_text("utf-8")
    assert "frequency-weighted mAP in % on each set" in page
    assert "n_c images with the class" in page
    strange = suite(
        tmp_path, "odd", 'about = "x"\nedition = "any"\nphotographs = "several"\ntask = "multi"\n'
        'scores = ["map"]\nkeep = ["logits"]\n'
    )  # fmt: skip
    (tmp_path / "day" / "labels.csv").write_text("image,label\n000.png,whale\n")
    with pytest.raises(LabelError, match="whale"):
        measured(data, None, strange, model=MODEL, skip_broken=True)


def test_the_mean_of_shifts_is_not_that_of_all_sets(tmp_path: Path) -> None:
    data = {name: scenes(tmp_path / name, 30, seed) for seed, name in enumerate("abc")}
    run = measured(data, tmp_path / "run", "multilabel", model=MODEL)
    for score in run.scores(["MAP", "weighted_map"], replicates=100):
        each = [score.columns[name].value for name in "abc"]
        assert score.value == pytest.approx(np.mean(each[1:]))
        assert abs(score.value - np.mean(each)) > 0.1


def test_one_set_of_several_classes(tmp_path: Path) -> None:
    place = scenes(tmp_path / "day", 40, 0)
    named, bare = (
        measured(data, tmp_path / str(number), "multilabel", model=MODEL).score("map")
        for number, data in enumerate(({"day": place}, place))
    )
    assert named.title == "mAP"
    assert named.value == bare.value == named.columns["day"].value
    assert list(bare.columns) == ["iid"]


def test_a_set_without_any_class_is_named(tmp_path: Path) -> None:
    data = {"day": scenes(tmp_path / "day", 20, 0), "night": scenes(tmp_path / "night", 20, 1)}
    rows = (data["night"] / "labels.csv").read_text().splitlines()
    emptied = [rows[0], *(row.partition(",")[0] + "," for row in rows[1:])]
    (data["night"] / "labels.csv").write_text("\n".join(emptied))
    run = measured(data, tmp_path / "run", "multilabel", model=MODEL)
    with pytest.raises(ScoreError, match="None of the 20 images of night has any of the classes"):
        run.score("map")
    assert set(run.scores().withheld) == {"map", "weighted_map"}


def test_anomalies_of_scenes(tmp_path: Path) -> None:
    data = {"known": scenes(tmp_path / "day", 60, 0), "noise": "anomaly:rademacher(count=30)"}
    run = measured(data, tmp_path / "run", "multilabel-ood", model=MODEL)
    assert run.score("auroc").title == "AUROC (MaxLogit)"
    found = run.detect(["max_logit", "typicality", "lof", "logit_avg", "isolation_forest"])
    assert len({row.detector for row in found.rows}) == 5
    with pytest.raises(ScoreError, match="of several classes a picture"):
        run.detect(["kl_matching"])


def test_calibration_is_that_of_the_stored_columns(run: Run, known: Path) -> None:
    found = run.calibrate(["ece", "nll", "brier"], temperature=True, replicates=100)
    (row,) = found.rows
    keys, values = logits(run)["known"]
    place = {name: number for number, name in enumerate(CLASSES)}
    truth = np.array([place[key.partition("/")[0]] for key in keys])
    assert row.images == COUNT
    assert row.values["NLL"].value == pytest.approx(sklearn.log_loss(truth, shares(values)))
    brier = np.square(shares(values) - np.eye(3)[truth]).sum(axis=1).mean()
    assert row.values[found.measures[2]].value == pytest.approx(brier)
    assert found.scaled is not None
    assert found.scaled.temperature.value > 0
    assert found.scaled.images < COUNT


def shares(values: np.ndarray) -> np.ndarray:
    found = np.exp(values.astype(float) - values.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def test_calibration_without_logits_reads_the_columns(known: Path, tmp_path: Path) -> None:
    run = measured(known, tmp_path / "run", "clean", model=MODEL)
    found = run.calibrate(replicates=0)
    kept = measured(known, tmp_path / "kept", "clean", model=MODEL, keep=["logits"])
    other = kept.calibrate(replicates=0)
    for row, same in zip(found.rows, other.rows, strict=True):
        for title, number in row.values.items():
            assert number.value == pytest.approx(same.values[title].value, abs=1e-6)
    with pytest.raises(ScoreError, match="--keep logits"):
        run.calibrate(temperature=True)
    with pytest.raises(ScoreError, match="evaluate a suite such as ood"):
        run.detect()


def test_what_cannot_be_measured_is_refused(known: Path, foreign: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="sets known pictures, the first set, against unknown"):
        measured({"known": known}, None, "ood", model=MODEL)
    with pytest.raises(SourceError, match="must not be called mean"):
        measured({"known": known, "mean": foreign}, None, "ood", model=MODEL)
    with pytest.raises(SourceError, match="and no --clean"):
        measured({"a": known, "b": foreign}, None, "ood", model=MODEL, clean=known)
    run = measured({"a": known, "b": foreign}, tmp_path / "run", "ood", model=MODEL)
    with pytest.raises(ScoreError, match="have no baseline"):
        run.scores(baseline="alexnet")
    with pytest.raises(SpecError, match="no measure of separation 'mce'"):
        run.score("mce")
    few = measured({"a": known, "b": foreign}, tmp_path / "few", "ood", model=MODEL, limit=24)
    with pytest.raises(ScoreError, match="too few to fit detectors"):
        few.detect(["kl_matching"])
    with pytest.raises(RunError, match="keep"):
        measured(known, tmp_path / "run", "clean", model=MODEL)
    half = measured({"a": known, "b": foreign}, tmp_path / "s1", "ood", model=MODEL, share=(1, 2))
    with pytest.raises(ScoreError, match="images of a are measured; finish the run"):
        half.score("auroc")
    scores = half.scores()
    assert scores == ()
    assert list(scores.withheld) == ["auroc", "aupr", "fpr"]
    assert all("finish the run" in why for why in scores.withheld.values())


def test_the_commands(run: Run, tmp_path: Path, capsys: Any) -> None:
    from brittle.cli import main

    place = str(run.path)
    assert main(["detect", place, "--detector", "msp", "--detector", "energy", "--against", "msp",
                 "--replicates", "100", "--plot", str(tmp_path / "plots")]) == 0  # fmt: skip
    said = capsys.readouterr()
    assert "AUROC in %, higher is better" in said.out
    assert "against MSP" in said.out
    names = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert "roc-foreign.png" in names
    assert "scores-noise-energy.png" in names
    assert main(["calibrate", place, "--temperature", "--replicates", "0", "--plot",
                 str(tmp_path / "plots")]) == 0  # fmt: skip
    said = capsys.readouterr()
    assert "logits divided by a temperature of" in said.out
    assert (tmp_path / "plots" / "response-rate.png").is_file()
    assert main(["score", place, "--score", "fpr(recall=0.8)", "--replicates", "0"]) == 0
    assert "FPR80 (MSP)" in capsys.readouterr().out
    assert main(["table", place, "--replicates", "0"]) == 0
    assert "FPR95 (MSP)" in capsys.readouterr().out

"""What is measured: equal in memory and from disk, resumable, never twice, never by luck."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brittle import store
from brittle._build import build
from brittle._evaluate import evaluate
from brittle._merge import merge
from brittle._run import Run
from brittle.errors import (
    LabelError,
    ModelError,
    RunError,
    ScoreError,
    SourceError,
    SpecError,
)
from brittle.labels import known
from brittle.models import Settings, open_model
from brittle.outcomes import MISSING, UNLABELLED
from brittle.sources import open_source
from brittle.store import Store
from tests.helpers.runs import CLASSES, MODEL, SUITE, measured, parts, pictures, ranks, suite
from tests.helpers.shared import shared

GRID = [
    "clean",
    "gaussian_noise(severity=2)",
    "gaussian_noise(severity=5)",
    "contrast(severity=2)",
    "contrast(severity=5)",
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return pictures(tmp_path / "src")


@pytest.fixture
def small(tmp_path: Path) -> str:
    return suite(tmp_path / "suites")


def test_every_image_meets_every_condition_once(source: Path, small: str, tmp_path: Path) -> None:
    run = measured(source, tmp_path / "run", small)
    found = ranks(run)
    keys = [item.key for item in open_source(source).items]
    assert set(found) == {(key, condition) for key in keys for condition in GRID}
    assert len(run.predictions()) == len(found)
    (outcome,) = run.outcomes().values()
    assert outcome.keys == tuple(keys)
    assert list(outcome.conditions) == GRID
    assert all(len(digest) == 64 for digest in outcome.digests)
    for row, key in enumerate(keys):
        for column, condition in enumerate(GRID):
            assert outcome.ranks[row, column] == found[key, condition]


def test_the_predictions_are_the_models_own(source: Path, small: str, tmp_path: Path) -> None:
    """An independent path: corrupt, JPEG, predict and sort by hand."""
    import brittle
    from brittle import editions
    from brittle.codec import decode_jpeg, encode_jpeg

    run = measured(source, tmp_path / "run", small)
    model = open_model(MODEL, Settings(classes=CLASSES))
    table = run.predictions().to_pylist()
    opened = open_source(source)
    items = {item.key: item for item in opened.items}
    edition = editions.get("imagenet-64")
    for row in table:
        item = items[row["key"]]
        pixels = edition.prepare(opened.load(item))
        if row["condition"] != "clean":
            pixels = brittle.corrupt(
                pixels, row["condition"], edition="imagenet-64", key=item.key, seed=0
            )
            pixels = decode_jpeg(encode_jpeg(pixels, 85))
        logits = model.predict(pixels[None]).logits[0]
        order = np.argsort(-logits, kind="stable").tolist()
        assert row["top_classes"] == order
        assert row["rank"] == order.index(CLASSES.index(item.label or ""))
        assert row["label"] == item.label
        np.testing.assert_allclose(row["max_logit"], logits.max(), rtol=1e-5)


@pytest.mark.parametrize("layout", ["folder", "npy", "shards"])
def test_a_built_set_gives_the_predictions_of_memory(
    layout: str, source: Path, small: str, tmp_path: Path
) -> None:
    # Arrays hold the pixels themselves, so no JPEG stands between them and the model.
    generated = measured(source, tmp_path / "generated", small, jpeg=layout != "npy")
    build(source, tmp_path / "set", suite=small, clean=True, layout=layout, shard=3)
    read = measured(tmp_path / "set", tmp_path / "read", small)
    assert [cell[1:] for cell in read.suite().cells] == [c[1:] for c in generated.suite().cells]
    assert read.suite().facts["pixels"] == "read"
    assert generated.suite().facts["pixels"] == "generated"
    assert {cell.set for cell in read.suite().cells}.isdisjoint(
        cell.set for cell in generated.suite().cells
    )
    if layout == "npy":  # arrays have rows and no keys
        order = [item.key for item in open_source(source).items]
        found = {(order[int(key)], name): rank for (key, name), rank in ranks(read).items()}
    else:
        found = ranks(read)
    assert found == ranks(generated)


def test_published_folders_are_recognised_below_their_archives(
    source: Path, small: str, tmp_path: Path
) -> None:
    build(source, tmp_path / "set", suite=small, layout="folder")
    built = tmp_path / "set"
    for name in ("manifest.json", "manifest.parquet"):
        (built / name).unlink()
    for above, name in (("noise", "gaussian_noise"), ("digital", "contrast")):
        (built / above).mkdir()
        (built / name).rename(built / above / name)
    run = measured(built, tmp_path / "run", small)
    assert [cell.condition for cell in run.suite().cells] == GRID[1:]
    assert run.suite().facts["pixels"] == "read"
    generated = ranks(measured(source, None, small))
    assert ranks(run) == {place: rank for place, rank in generated.items() if place[1] != "clean"}

    again = measured(built, tmp_path / "run", small, clean=source)
    assert [cell.condition for cell in again.suite().cells] == GRID
    assert ranks(again) == generated


LACKS = "ignore:.* lacks .* of the corruptions of"


@pytest.mark.filterwarnings(LACKS)
def test_published_arrays_are_recognised(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    place = tmp_path / "CIFAR-10-C"
    place.mkdir()
    images = rng.integers(0, 256, (5 * 6, 32, 32, 3), dtype=np.uint8)
    np.save(place / "fog.npy", images)
    np.save(place / "labels.npy", np.tile(np.arange(6), 5))
    run = evaluate("linear:random(classes=10)", suite="cifar10-c", data=place, batch=4)
    assert [cell.condition for cell in run.suite().cells] == [
        f"fog(severity={severity})" for severity in range(1, 6)
    ]
    (outcome,) = run.outcomes().values()
    assert outcome.labels == known("cifar10")[:6]
    model = open_model("linear:random(classes=10)", Settings())
    logits = model.predict(images).logits
    expected = [
        sorted(range(10), key=lambda c: -row[c]).index(number % 6)
        for number, row in enumerate(logits)
    ]
    np.testing.assert_array_equal(outcome.ranks.T.reshape(-1), expected)


@pytest.mark.filterwarnings(LACKS)
def test_a_partial_download_measures_what_is_there(
    source: Path, small: str, tmp_path: Path
) -> None:
    build(source, tmp_path / "set", suite=None, edition="imagenet-64", conditions=[GRID[3]])
    run = measured(tmp_path / "set", None, small)
    assert [cell.condition for cell in run.suite().cells] == [GRID[3]]


def test_sets_that_are_not_whole_are_refused(source: Path, small: str, tmp_path: Path) -> None:
    build(source, tmp_path / "set", suite=small, layout="folder")
    for name in ("manifest.json", "manifest.parquet"):
        (tmp_path / "set" / name).unlink()
    next((tmp_path / "set" / "contrast" / "5").rglob("*.JPEG")).unlink()
    with pytest.raises(SourceError, match=r"5 holds 10 images and .* 11\. All conditions"):
        measured(tmp_path / "set", None, small)


def test_a_set_without_the_suites_conditions_is_refused(
    source: Path, small: str, tmp_path: Path
) -> None:
    build(source, tmp_path / "set", suite=small, layout="folder")
    other = suite(tmp_path, "other", SUITE.replace('["gaussian_noise", "contrast"]', '["snow"]'))
    with pytest.raises(SourceError, match="holds none of the conditions of the suite other"):
        measured(tmp_path / "set", None, other)


def test_packed_archives_are_named(small: str, tmp_path: Path) -> None:
    (tmp_path / "noise.tar").write_bytes(b"")
    with pytest.raises(SourceError, match="unpack it there"):
        measured(tmp_path, None, small)


def test_a_set_of_another_edition_is_refused(source: Path, small: str, tmp_path: Path) -> None:
    build(source, tmp_path / "set", suite=None, edition="any", conditions=GRID[1:2])
    with pytest.raises(SourceError, match="edition any, and imagenet-64 is measured"):
        measured(tmp_path / "set", None, small)


class StoppedError(Exception):
    """Ends a run like a kill, at a part."""


def stop_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    real, left = Store.put, [count]

    def put(self: Store, *args: Any) -> None:
        if not left[0]:
            raise StoppedError
        left[0] -= 1
        real(self, *args)

    monkeypatch.setattr(Store, "put", put)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_stopped_run_goes_on_to_the_same_bytes(
    count: int, source: Path, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = measured(source, tmp_path / "whole", small)
    with monkeypatch.context() as patched:
        stop_after(patched, count)
        with pytest.raises(StoppedError):
            measured(source, tmp_path / "run", small)
    assert len(list((tmp_path / "run" / "parts").rglob("*.parquet"))) == count
    half = Run.open(tmp_path / "run")
    assert sum(half.missing().values()) == (11 - 4 * count) * 5
    (outcome,) = half.outcomes().values()
    assert (outcome.ranks == MISSING).sum() == (11 - 4 * count) * 5
    resumed = measured(source, tmp_path / "run", small)
    assert parts(resumed) == parts(whole)
    assert resumed.missing() == {}


class Counting:
    """A model that counts the pictures that it was given."""

    def __init__(self) -> None:
        self.count = 0
        self._model = open_model(MODEL, Settings())

    def __call__(self, batch: Any) -> Any:
        self.count += len(batch)
        return self._model.predict(batch).logits


@pytest.mark.filterwarnings("ignore:The weights of")
def test_only_what_is_missing_is_measured(source: Path, small: str, tmp_path: Path) -> None:
    model = Counting()
    options: dict[str, Any] = {"model": model}
    measured(source, tmp_path / "run", small, **options)
    # Whenever there is work: the pictures of the first shard, and one of them alone.
    examined = 4 + 1
    assert model.count == 55 + examined
    measured(source, tmp_path / "run", small, **options)
    assert model.count == 55 + examined
    more = suite(tmp_path, "more", SUITE.replace("[2, 5]", "[2, 3, 5]"))
    run = measured(source, tmp_path / "run", [small, more], **options)
    assert model.count == 55 + 22 + 2 * examined
    assert run.suites == ("small", "more")
    assert len(run.suite("more").cells) == 7
    assert run.missing("more") == {}
    free = measured(
        source,
        tmp_path / "run",
        None,
        conditions=["fog(severity=3)"],
        edition="imagenet-64",
        **options,
    )
    assert model.count == 55 + 22 + 11 + 3 * examined
    assert [cell.role for cell in free.suite("conditions").cells] == ["clean", "free"]


def test_weights_that_cannot_be_seen_are_said(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small, model=Counting())
    with pytest.warns(UserWarning, match="nothing says that it is the model that began"):
        measured(source, tmp_path / "run", small, model=Counting())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "linear:random(classes=3, size=64, seed=1)"}, r"model digest.*model kind"),
        ({"seed": 1}, r"seed \(0 there, 1 asked for\)"),
        ({"shard": 8}, "shard"),
        ({"keep": ["logits"]}, "keep"),
    ],
)
def test_another_run_is_not_mixed_in(
    options: dict[str, Any], said: str, source: Path, small: str, tmp_path: Path
) -> None:
    measured(source, tmp_path / "run", small)
    before = parts(tmp_path / "run")
    with pytest.raises(RunError, match=f"is a run of something else: .*{said}.*another folder"):
        measured(source, tmp_path / "run", small, **options)
    assert parts(tmp_path / "run") == before


def test_other_images_under_one_suite_are_refused(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small)
    other = pictures(tmp_path / "other", 5)
    with pytest.raises(RunError, match="measured the suite small on other images"):
        measured(other, tmp_path / "run", small)


def test_a_picture_that_changes_on_the_way_is_refused(
    source: Path, small: str, tmp_path: Path
) -> None:
    opened = open_source(source)
    victim = source / opened.items[-1].name

    def model(batch: Any) -> Any:
        victim.write_bytes((source / opened.items[0].name).read_bytes())
        return open_model(MODEL, Settings()).predict(batch).logits

    with pytest.raises(SourceError, match="has changed since the run began"):
        measured(source, tmp_path / "run", small, model=model, workers=1)


def test_a_second_process_is_refused(source: Path, small: str, tmp_path: Path) -> None:
    with (
        Store(tmp_path / "run"),
        pytest.raises(RunError, match=r"Another process is working on .*; wait for it"),
    ):
        measured(source, tmp_path / "run", small)
    assert not (tmp_path / "run").exists()


def test_a_folder_of_something_else_is_left_alone(source: Path, small: str, tmp_path: Path) -> None:
    before = sorted(source.rglob("*"))
    with pytest.raises(RunError, match="holds other files; give a new folder"):
        measured(source, source, small)
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(RunError, match="is a file"):
        measured(source, file, small)
    assert sorted(source.rglob("*")) == before


def test_what_is_refused_leaves_no_folder(source: Path, small: str, tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="3 labels of the images are not among"):
        measured(source, tmp_path / "run", small, classes=("a", "b", "c"))
    assert not (tmp_path / "run" / store.JSON).exists()


@pytest.mark.parametrize("count", [2, 3])
def test_shares_merge_to_the_whole(count: int, source: Path, small: str, tmp_path: Path) -> None:
    whole = measured(source, tmp_path / "whole", small)
    places = [tmp_path / f"share{number}" for number in range(1, count + 1)]
    for number, place in enumerate(places, start=1):
        measured(source, place, small, share=(number, count))
    first = merge(places[:1], tmp_path / "merged")
    assert first.missing()
    joined = merge(places, tmp_path / "merged")
    assert parts(joined) == parts(whole)
    assert joined.missing() == {}
    assert ranks(joined) == ranks(whole)
    assert joined.info["share"] is None
    assert len(joined.info["sessions"]) == count
    # The whole goes on like any other run.
    more = suite(tmp_path, "more", SUITE.replace("[2, 5]", "[3]"))
    assert measured(source, tmp_path / "merged", more).missing("more") == {}


def test_shares_of_different_runs_do_not_merge(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "one", small, share=(1, 2))
    measured(source, tmp_path / "seed", small, share=(2, 2), seed=5)
    with pytest.raises(RunError, match=r"something else: seed \(0 there, 5 asked for\)"):
        merge([tmp_path / "one", tmp_path / "seed"], tmp_path / "out")
    other = "linear:random(classes=3, size=64, seed=3)"
    measured(source, tmp_path / "model", small, share=(2, 2), model=other)
    with pytest.raises(RunError, match="something else: model digest"):
        merge([tmp_path / "one", tmp_path / "model"], tmp_path / "out2")
    record = json.loads((tmp_path / "one" / "run.json").read_text())
    record["versions"]["contrast"] += 1
    measured(source, tmp_path / "two", small, share=(2, 2))
    (tmp_path / "one" / "run.json").write_text(json.dumps(record))
    with pytest.raises(RunError, match="contrast has version 1 here and 2 there"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out3")
    with pytest.raises(RunError, match="is not a run"):
        merge([tmp_path / "src"], tmp_path / "out4")


def test_shares_that_overlap_must_agree(source: Path, small: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        measured(source, tmp_path / name, small, share=(1, 2))
    merged = merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out")
    assert sum(merged.missing().values()) == 4 * 5
    part = next((tmp_path / "two" / "parts").rglob("*.parquet"))
    table = pq.read_table(part)
    pq.write_table(table, part, compression="gzip")
    again = merge([tmp_path / "one", tmp_path / "two"], tmp_path / "again")
    assert ranks(again) == ranks(merged)
    other = pa.array(np.asarray(table["rank"]) + 1)
    pq.write_table(table.set_column(table.column_names.index("rank"), "rank", other), part)
    with pytest.raises(RunError, match="differ; they are not of one run"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out2")


def test_workers_and_batches_change_nothing(source: Path, small: str, tmp_path: Path) -> None:
    first = measured(source, tmp_path / "a", small, workers=1, batch=1)
    second = measured(source, tmp_path / "b", small, workers=3, batch=7)
    assert ranks(first) == ranks(second)
    one, other = (
        run.predictions(columns=["log_sum_exp"])["log_sum_exp"].to_numpy()
        for run in (first, second)
    )
    np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_batch_that_does_not_fit_is_halved(source: Path, small: str, tmp_path: Path) -> None:
    from brittle.errors import OutOfMemoryError

    sizes = []

    def model(batch: Any) -> Any:
        sizes.append(len(batch))
        # The examination before the work takes up to eight.
        if len(sizes) > 2 and len(batch) > 3:
            raise OutOfMemoryError("full")
        return open_model(MODEL, Settings()).predict(batch).logits

    run = measured(source, tmp_path / "a", small, model=model, batch=16)
    assert max(sizes[2:]) == 16
    assert run.info["sessions"][-1]["batch"] == 2
    assert ranks(run) == ranks(measured(source, tmp_path / "b", small))


def test_a_model_without_room_for_one_picture_says_so(
    source: Path, small: str, tmp_path: Path
) -> None:
    from brittle.errors import OutOfMemoryError

    calls = []

    def model(batch: Any) -> Any:
        calls.append(len(batch))
        if len(calls) > 2:
            raise OutOfMemoryError("full")
        return open_model(MODEL, Settings()).predict(batch).logits

    with pytest.raises(ModelError, match="no room for a single picture"):
        measured(source, tmp_path / "a", small, model=model)


def test_prepared_pictures_are_not_resized_by_the_way(
    source: Path, small: str, tmp_path: Path
) -> None:
    larger = "linear:random(classes=3, size=96)"
    with pytest.raises(ModelError, match=r"takes 96x96, and imagenet-64 is 64x64.*--resize"):
        measured(source, tmp_path / "run", small, model=larger)
    run = measured(source, tmp_path / "run", small, model=larger, resize=True)
    assert all(cell.set.endswith("-resized") for cell in run.suite().cells)


def test_an_edition_of_any_size_is_prepared_by_the_model(source: Path, small: str) -> None:
    with pytest.warns(UserWarning, match="96x80, and the severities .* --edition imagenet-64"):
        run = measured(source, None, small, edition="any")
    assert run.suites == ("small(edition=any)",)
    assert run.suite().edition == "any"
    assert not any(cell.set.endswith("-resized") for cell in run.suite().cells)


def test_lossless_pictures_are_another_set(source: Path, small: str) -> None:
    plain, lossless = (measured(source, None, small, jpeg=jpeg) for jpeg in (True, False))
    (one,), (other,) = plain.outcomes(), lossless.outcomes()
    assert one != other
    assert lossless.info["sets"][other]["facts"]["jpeg"] is None


def test_upright_pictures_are_another_set(source: Path, small: str) -> None:
    (one,), (other,) = (measured(source, None, small, exif=exif).outcomes() for exif in (0, 1))
    assert one != other


def test_a_limit_takes_a_sample_that_keys_decide(source: Path, small: str, tmp_path: Path) -> None:
    run = measured(source, None, small, limit=5)
    (outcome,) = run.outcomes().values()
    assert len(outcome.keys) == 5
    whole = ranks(measured(source, None, small))
    assert ranks(run).items() <= whole.items()
    build(source, tmp_path / "set", suite=small, clean=True)
    read = measured(tmp_path / "set", None, small, limit=5)
    assert ranks(read) == ranks(run)


def test_logits_and_features_are_kept_when_asked_for(source: Path, small: str) -> None:
    run = measured(source, None, small, keep=["logits", "features"])
    table = run.predictions()
    logits = np.array(table["logits"].to_pylist(), np.float32)
    assert logits.shape == (55, 3)
    features = np.array(table["features"].to_pylist(), np.float32)
    assert features.shape == (55, 64 * 64 * 3)
    np.testing.assert_allclose(logits.max(axis=1), table["max_logit"].to_numpy(), rtol=1e-6)
    plain = ranks(measured(source, None, small))
    assert ranks(run) == plain


def test_pictures_without_labels_are_refused_before_the_work(small: str, tmp_path: Path) -> None:
    bare = pictures(tmp_path / "bare", labelled=False)
    with pytest.raises(SourceError, match="None of the 11 pictures has a label"):
        measured(bare, tmp_path / "run", small)
    assert not (tmp_path / "run" / store.JSON).exists()


def test_a_picture_without_a_label_is_measured_and_has_no_rank(
    source: Path, small: str, tmp_path: Path
) -> None:
    next((source / "n00").iterdir()).rename(source / "lost.png")
    with pytest.warns(UserWarning, match="1 of 11 pictures have no label"):
        run = measured(source, None, small)
    (outcome,) = run.outcomes().values()
    lost = outcome.keys.index("lost")
    assert (outcome.ranks[lost] == UNLABELLED).all()
    assert (outcome.ranks[:lost] >= 0).all()


def test_in_memory_pictures_may_be_of_any_size(small: str) -> None:
    rng = np.random.default_rng(0)
    images = [rng.integers(0, 256, (60 + n, 90, 3), dtype=np.uint8) for n in range(5)]
    run = measured((images, [0, 1, 2, 0, 1]), None, small)
    (outcome,) = run.outcomes().values()
    assert outcome.labels == ("n00", "n01", "n02", "n00", "n01")
    named = measured((images, ["n00", "n01", "n02", "n00", "n01"]), None, small)
    assert ranks(named) == ranks(run)


def test_shifts_have_a_set_each(tmp_path: Path) -> None:
    data = {
        name: pictures(tmp_path / name, 4 + n) for n, name in enumerate(("day", "night", "rain"))
    }
    run = measured(data, None, "shifts")
    assert [(cell.role, cell.group) for cell in run.suite().cells] == [
        ("iid", "day"),
        ("shift", "night"),
        ("shift", "rain"),
    ]
    assert [len(outcome.keys) for outcome in run.outcomes().values()] == [4, 5, 6]
    with pytest.raises(SourceError, match=r"compares named sets.*--data iid=DIR"):
        measured(data["day"], None, "shifts")


def imagenet(tmp_path: Path, wnids: Any, count: int = 3) -> Path:
    for wnid in wnids:
        pictures(tmp_path / "made", count)
        (tmp_path / "made" / "n00").rename(tmp_path / "made" / wnid)
        for rest in ("n01", "n02"):
            for file in (tmp_path / "made" / rest).iterdir():
                file.unlink()
            (tmp_path / "made" / rest).rmdir()
    return tmp_path / "made"


THOUSAND = "linear:random(classes=1000, size=32)"


def test_two_hundred_classes_are_judged_among_themselves(tmp_path: Path) -> None:
    """On the adversarial photographs, and on their clean counterpart too."""
    inside, outside = known("imagenet-a")[3], known("imagenet")[0]
    assert outside not in known("imagenet-a")
    hard = imagenet(tmp_path / "a", [inside])
    val = imagenet(tmp_path / "val", [inside, outside], 6)
    run = evaluate(THOUSAND, suite="imagenet-a", data=hard, clean=val, batch=4)
    assert [(cell.role, cell.group) for cell in run.suite().cells] == [
        ("shift", "imagenet-a"),
        ("iid", "iid"),
    ]
    assert [len(outcome.keys) for outcome in run.outcomes().values()] == [1, 2]
    for outcome in run.outcomes().values():
        assert set(outcome.labels) == {inside}
    counted = {known("imagenet").index(name) for name in known("imagenet-a")}
    for row in run.predictions().to_pylist():
        assert set(row["top_classes"]) <= counted
    everything = evaluate(THOUSAND, suite="clean", data=hard, batch=4)
    (all_of_them,) = everything.outcomes().values()
    (masked, _) = run.outcomes().values()
    assert (masked.ranks[0] <= all_of_them.ranks[0]).all()
    assert masked.ranks[0] < all_of_them.ranks[0]
    with pytest.raises(
        LabelError, match=f"1 label of the images is not among the subset imagenet-a: {outside}"
    ):
        evaluate(THOUSAND, suite="imagenet-a", data=val, batch=4)


def test_numbered_folders_of_the_new_photographs_are_indices(tmp_path: Path) -> None:
    run = evaluate(THOUSAND, suite="imagenet-v2", data=imagenet(tmp_path, ["17", "903"]), batch=4)
    (outcome,) = run.outcomes().values()
    assert set(outcome.labels) == {known("imagenet")[17], known("imagenet")[903]}


def test_outputs_that_nobody_names_are_refused(source: Path, small: str) -> None:
    with pytest.raises(LabelError, match=r"gives 3 outputs and does not name them.*--classes"):
        measured(source, None, small, classes=None)


def test_the_suites_list_names_as_many_outputs(tmp_path: Path) -> None:
    data = imagenet(tmp_path, [known("imagenet")[5]])
    assert evaluate(THOUSAND, suite="clean", data=data).classes == known("imagenet")
    with pytest.raises(LabelError, match="gives 10 outputs and does not name them"):
        evaluate("linear:random(classes=10, size=32)", suite="clean", data=data)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"keep": ["rank"]},
            r"keep is a list of logits, features, ranking, samples; got \['rank'\]",
        ),
        ({"share": (4, 3)}, "1 <= i <= n; got 4 of 3"),
        ({"batch": 0}, "batch must be a whole number of at least 1"),
        ({"workers": 0}, "workers must be a whole number of at least 1"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"extra": True}, "None of the suites has extra parts"),
        ({"conditions": "fog"}, r"conditions is a list of texts; write \['fog'\]"),
        ({"limit": 0}, "limit must be a whole number of at least 1"),
    ],
)
def test_nonsense_is_refused(
    options: dict[str, Any], said: str, source: Path, small: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError, match=said):
        measured(source, tmp_path / "run", small, **options)


def test_a_suite_that_is_named_twice_is_refused(source: Path, small: str) -> None:
    with pytest.raises(SpecError, match="named twice"):
        measured(source, None, [small, small])


def test_missing_data_are_refused(source: Path, small: str) -> None:
    with pytest.raises(
        SourceError, match=r"no suite among those asked for 'smal'\. Did you mean small"
    ):
        measured({"smal": source}, None, small)
    with pytest.raises(SourceError, match="no data for the suite small"):
        measured({"shifts": source}, None, [small, "shifts"])
    with pytest.raises(SourceError, match="--clean is for data that hold corrupted files only"):
        measured(source, None, small, clean=source)


def test_suites_take_their_data_by_name(source: Path, small: str, tmp_path: Path) -> None:
    other = suite(tmp_path, "other")
    run = measured({"": source, "other": pictures(tmp_path / "more", 4)}, None, [small, other])
    sizes = {name: [len(o.keys) for o in run.outcomes(name).values()] for name in run.suites}
    assert sizes == {"small": [11], "other": [4]}
    with pytest.raises(RunError, match="holds 2 suites; say which one: small, other"):
        run.suite()
    with pytest.raises(RunError, match=r"no suite in this run 'smal'.*Did you mean small"):
        run.suite("smal")


def test_a_run_without_a_folder_lives_as_long_as_its_object(source: Path, small: str) -> None:
    run = measured(source, None, small)
    path = run.path
    assert path.is_dir()
    del run
    assert not path.exists()


def test_the_record_says_what_was_measured(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["format"] == "brittle-run"
    assert record["format_version"] == 1
    assert record["spec"] == record["name"] == MODEL
    assert record["model"]["kind"] == MODEL
    assert record["model"]["size"] == [64, 64]
    assert len(record["model"]["digest"]) == 64
    assert record["versions"] == {"gaussian_noise": 1, "contrast": 1}
    (entry,) = record["sets"].values()
    assert entry["edition"] == "imagenet-64"
    assert entry["facts"]["jpeg"] == 85
    (session,) = record["sessions"]
    assert session["predictions"] == session["of"] == 55
    assert session["made_with"]["brittle"]
    assert record["facts"]["size"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not the record of a run"),
        (
            '{"format": "brittle-run", "format_version": 99}',
            "format version 99; this brittle reads",
        ),
    ],
)
def test_a_strange_record_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunError, match=said):
        Run.open(tmp_path)


def test_a_damaged_part_is_named(source: Path, small: str, tmp_path: Path) -> None:
    run = measured(source, tmp_path / "run", small)
    part = sorted((tmp_path / "run" / "parts").rglob("*.parquet"))[1]
    whole = part.read_bytes()
    part.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RunError, match=f"{part.name} cannot be read.*Remove it"):
        run.outcomes()
    part.unlink()
    assert measured(source, tmp_path / "run", small).missing() == {}
    assert part.read_bytes() == whole


def test_a_wrong_order_of_classes_is_suspected(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (120, 8, 8, 3), dtype=np.uint8)
    true = [f"c{number % 40:02d}" for number in range(120)]
    where = {image.tobytes(): number % 40 for number, image in enumerate(images)}

    def model(batch: Any) -> Any:
        # The first picture of a batch must get the same outputs alone.
        return np.eye(40, dtype=np.float32)[[where[image.tobytes()] for image in batch]]

    names = sorted(set(true))
    options: dict[str, Any] = {"data": (images, true), "conditions": ["clean"], "batch": 8}
    with pytest.warns(UserWarning, match="gives=probabilities"):
        right = evaluate(model, classes=names, **options)
    assert right.score("clean_error").value == 0
    shifted = [*names[1:], names[0]]
    with pytest.warns(UserWarning, match=r"0.0% of the clean pictures .* by guessing \(2.5%\)"):
        evaluate(lambda batch: 3 * model(batch), classes=shifted, **options)


# One name stands for one thing, and what is not what it must be is said.


def cifar_arrays(place: Path, *, labels: Any = range(6), blocks: int = 1, seed: int = 0) -> Path:
    place.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    images = rng.integers(0, 256, (6 * blocks, 32, 32, 3), dtype=np.uint8)
    np.save(place / ("images.npy" if blocks == 1 else "fog.npy"), images)
    np.save(place / "labels.npy", np.tile(np.array(labels), blocks))
    return place


@pytest.mark.filterwarnings(LACKS)
def test_published_indices_are_the_sets_in_whatever_order_a_model_has(tmp_path: Path) -> None:
    place = cifar_arrays(tmp_path / "c", blocks=5)
    turned = known("cifar10")[::-1]
    run = evaluate("linear:random(classes=10)", suite="cifar10-c", data=place, classes=turned)
    (outcome,) = run.outcomes().values()
    assert outcome.labels == known("cifar10")[:6]
    straight = evaluate("linear:random(classes=10)", suite="cifar10-c", data=place)
    assert not np.array_equal(outcome.ranks, next(iter(straight.outcomes().values())).ranks)


@pytest.mark.filterwarnings(LACKS)
@pytest.mark.filterwarnings("ignore:frost")
def test_arrays_with_indices_are_generated_from_and_paired(tmp_path: Path) -> None:
    clean = cifar_arrays(tmp_path / "clean")
    model = "linear:random(classes=10)"
    made = evaluate(model, suite="cifar10-c", data=clean)
    assert next(iter(made.outcomes().values())).labels == known("cifar10")[:6]
    read = evaluate(
        model, suite="cifar10-c", data=cifar_arrays(tmp_path / "c", blocks=5), clean=clean
    )
    assert [cell.role for cell in read.suite().cells] == ["clean"] + ["grid"] * 5
    other = cifar_arrays(tmp_path / "other", labels=[5, 4, 3, 2, 1, 0])
    with pytest.raises(SourceError, match=r"calls 00000 'dog', and the corrupted set 'airplane'"):
        evaluate(model, suite="cifar10-c", data=tmp_path / "c", clean=other)


def test_other_class_names_are_another_run(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small)
    turned = (CLASSES[2], CLASSES[0], CLASSES[1])
    with pytest.raises(RunError, match="other class names: 'n02' stands where 'n00' stood"):
        measured(source, tmp_path / "run", small, classes=turned)


def test_another_preparation_is_another_run(source: Path, small: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from brittle.models import torch_model

    torch.manual_seed(0)
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64 * 64 * 3, 3))
    one, other = (torch_model(network, size=64, mean=[m] * 3, std=[1] * 3) for m in (0, 0.5))
    assert one.digest == other.digest
    measured(source, tmp_path / "run", small, model=one)
    with pytest.raises(RunError, match="something else: model mean"):
        measured(source, tmp_path / "run", small, model=other)
    with pytest.raises(RunError, match="something else: model precision"):
        measured(source, tmp_path / "run", small, model=one, precision="bfloat16")


def test_weights_may_lie_elsewhere(source: Path, small: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        weights = {"w": rng.normal(size=(64 * 64 * 3, 3)).astype(np.float32), "b": np.zeros(3)}
        rng = np.random.default_rng(0)
        np.savez(tmp_path / name / "net.npz", **weights)
    models = [f"linear:{tmp_path / name / 'net.npz'}" for name in ("one", "two")]
    measured(source, tmp_path / "run", small, model=models[0])
    assert measured(source, tmp_path / "run", small, model=models[1]).missing() == {}


def test_an_opened_model_follows_settings_or_refuses_them(source: Path, small: str) -> None:
    opened_model = open_model(MODEL, Settings())
    run = measured(source, None, small, model=opened_model)
    assert run.classes == CLASSES
    with pytest.raises(ModelError, match="cannot follow precision=float16"):
        measured(source, None, small, model=opened_model, precision="float16")


@pytest.mark.filterwarnings(LACKS)
def test_a_suite_has_one_source(source: Path, small: str, tmp_path: Path) -> None:
    for count, name in ((11, "gaussian_noise"), (7, "contrast")):
        build(
            pictures(tmp_path / f"src{count}", count),
            tmp_path / name,
            suite=None,
            edition="imagenet-64",
            conditions=[f"{name}(severity={severity})" for severity in (2, 5)],
        )
    measured(tmp_path / "gaussian_noise", tmp_path / "run", small)
    said = r"suite small on other images or pixels: .* \(7 images\) and .* \(11 images\)"
    with pytest.raises(RunError, match=said):
        measured(tmp_path / "contrast", tmp_path / "run", small)
    with pytest.raises(RunError, match="measured the suite small on other images or pixels"):
        measured(source, tmp_path / "run", small)


def test_a_suite_that_lost_conditions_has_changed(source: Path, tmp_path: Path) -> None:
    own = suite(tmp_path, "own")
    measured(source, tmp_path / "run", own)
    grown = suite(tmp_path, "own", SUITE.replace("[2, 5]", "[2, 3, 5]"))
    assert len(measured(source, tmp_path / "run", grown).suite().cells) == 7
    changed = suite(tmp_path, "own", SUITE.replace("[2, 5]", "[3]"))
    with pytest.raises(RunError, match="The suite own has changed since"):
        measured(source, tmp_path / "run", changed)


@pytest.mark.filterwarnings(LACKS)
def test_a_download_that_grows_is_the_same_set(source: Path, small: str, tmp_path: Path) -> None:
    build(source, tmp_path / "set", suite=small, layout="folder")
    for name in ("manifest.json", "manifest.parquet"):
        (tmp_path / "set" / name).unlink()
    (tmp_path / "set" / "contrast").rename(tmp_path / "later")
    first = measured(tmp_path / "set", tmp_path / "run", small)
    assert len(first.suite().cells) == 2
    (tmp_path / "later").rename(tmp_path / "set" / "contrast")
    grown = measured(tmp_path / "set", tmp_path / "run", small)
    assert len(grown.suite().cells) == 4
    assert grown.missing() == {}
    for file in (tmp_path / "set" / "contrast" / "5").rglob("*.JPEG"):
        file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(RunError, match=r"other files of contrast\(severity=5\)"):
        measured(tmp_path / "set", tmp_path / "run", small)


def test_shares_of_other_images_do_not_merge(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "one", small, share=(1, 2))
    measured(pictures(tmp_path / "other", 9), tmp_path / "two", small, share=(2, 2))
    with pytest.raises(RunError, match="measured the suite small on other images or pixels"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out")
    measured(source, tmp_path / "three", small, share=(2, 2), jpeg=False)
    with pytest.raises(RunError, match="on other images or pixels"):
        merge([tmp_path / "one", tmp_path / "three"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_overlapping_company_does_not_merge(source: Path, small: str, tmp_path: Path) -> None:
    more = suite(tmp_path, "more", SUITE.replace("[2, 5]", "[2, 3, 5]"))
    measured(source, tmp_path / "one", small)
    measured(source, tmp_path / "two", more)
    with pytest.raises(RunError, match="both hold clean of the same images"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_in_a_record_lead_nowhere_else(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small)
    path = tmp_path / "run" / "run.json"
    text = path.read_text()
    (name,) = json.loads(text)["sets"]
    path.write_text(text.replace(name, "../../pwned"))
    with pytest.raises(RunError, match=r"names a set '\.\./\.\./pwned'"):
        merge([tmp_path / "run"], tmp_path / "out")
    path.write_text('{"format": "brittle-run", "format_version": 1}')
    with pytest.raises(RunError, match="lacks 'model'"):
        Run.open(tmp_path / "run")


def test_a_disk_that_refuses_is_said(source: Path, small: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"The run .* stopped: .*repeat the command"):
        measured(source, tmp_path / "file" / "run", small)


def test_a_damaged_scan_is_made_again(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small)
    (scan,) = (tmp_path / "run" / ".brittle").glob("scan-*.parquet")
    scan.write_bytes(b"PAR1 nonsense")
    assert measured(source, tmp_path / "run", small).missing() == {}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"shard": (1, 2)}, "shard must be a whole number"),
        ({"batch": "8"}, "batch must be a whole number"),
        ({"limit": "3"}, "limit must be a whole number"),
        ({"share": 3}, r"A share is \(i, n\)"),
        ({"keep": None}, "keep is a list"),
    ],
)
def test_options_of_other_types_are_refused(
    options: dict[str, Any], said: str, source: Path, small: str
) -> None:
    with pytest.raises(SpecError, match=said):
        measured(source, None, small, **options)


def test_data_of_other_types_are_refused(source: Path, small: str) -> None:
    images = np.zeros((2, 64, 64, 3), np.uint8)
    for data in (images, [images, [0, 1]], (images,)):
        with pytest.raises(SourceError, match=r"in memory a tuple \(images, labels\)"):
            measured(data, None, small)
    with pytest.raises(SourceError, match="2 pictures and 0 labels"):
        measured((images, []), None, small)
    run = measured(source, None, small)
    with pytest.raises(ScoreError, match=r"no column 'rnk'\. Did you mean rank"):
        run.predictions(columns=["rnk"])
    assert run.predictions(columns=["rank", "set"]).column_names == ["rank", "set"]


def test_what_would_be_ignored_is_refused(source: Path, small: str, tmp_path: Path) -> None:
    build(source, tmp_path / "set", suite=small, clean=True)
    with pytest.raises(SourceError, match="holds the clean pictures as well; leave --clean out"):
        measured(tmp_path / "set", None, small, clean=tmp_path / "nowhere")
    with pytest.raises(SourceError, match="leave --exif out"):
        measured(tmp_path / "set", None, small, exif=True)
    with pytest.raises(SpecError, match="takes photographs as they are; leave --edition out"):
        evaluate(THOUSAND, suite="imagenet-a", data=source, edition="imagenet-64")


def test_a_sample_takes_its_clean_counterpart_along(
    source: Path, small: str, tmp_path: Path
) -> None:
    build(source, tmp_path / "set", suite=small)
    run = measured(tmp_path / "set", None, small, clean=source, limit=3)
    assert [len(outcome.keys) for outcome in run.outcomes().values()] == [3, 3]


def test_folders_named_like_corruptions_are_classes_if_said(tmp_path: Path) -> None:
    for name in ("fog", "snow"):
        pictures(tmp_path / "made", 3)
        (tmp_path / "src" / name).mkdir(parents=True)
        (tmp_path / "made" / "n00").rename(tmp_path / "src" / name / "1")
    model = "linear:random(classes=2, size=64)"
    run = evaluate(
        model, data=tmp_path / "src", kind="folder", classes=("fog", "snow"),
        conditions=["contrast(severity=3)"], edition="imagenet-64",
    )  # fmt: skip
    (outcome,) = run.outcomes().values()
    assert set(outcome.labels) == {"fog", "snow"}


def test_few_classes_are_not_suspected(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (200, 8, 8, 3), dtype=np.uint8)
    true = ["a" if image.mean() < 127.5 else "b" for image in images]
    true[:70] = ["b" if name == "a" else "a" for name in true[:70]]

    def model(batch: Any) -> Any:
        light = batch.reshape(len(batch), -1).mean(axis=1) / 255 - 0.5
        return np.stack([-light, light], axis=1)

    run = evaluate(model, data=(images, true), conditions=["clean"], classes=("a", "b"))
    assert run.score("clean_error").value == 35


def test_large_pictures_do_not_pile_up() -> None:
    """Fewer conditions at once, and then fewer workers, for pictures that would fill the memory."""
    from brittle.measuring.predict import IN_FLIGHT, Todo, bounded

    class Feed:
        class edition:  # noqa: N801
            side = None

        largest = (3000, 4000)
        frames = None

    class Model:
        size = None

    conditions = tuple(map(str, range(76)))
    todo = [Todo("x", Feed(), number, range(64), conditions) for number in range(3)]  # type: ignore[arg-type]
    workers, at_once = bounded(64, todo, Model())  # type: ignore[arg-type]
    assert (2 * workers + 2) * at_once * 3000 * 4000 * 3 <= IN_FLIGHT
    Model.size = (224, 224)  # type: ignore[assignment]
    assert bounded(2, todo, Model()) == (2, 76)  # type: ignore[arg-type]


def test_what_a_set_lacks_is_said_before_the_work(source: Path, small: str, tmp_path: Path) -> None:
    build(source, tmp_path / "set", suite=small, layout="folder")
    for name in ("manifest.json", "manifest.parquet"):
        (tmp_path / "set" / name).unlink()
    shutil.rmtree(tmp_path / "set" / "contrast" / "5")
    with pytest.warns(UserWarning, match=r"lacks 1 of the .* of small: contrast at severity 5\."):
        measured(tmp_path / "set", None, small)
    shutil.rmtree(tmp_path / "set" / "contrast")
    with pytest.warns(UserWarning, match=r"lacks 1 of the .* of small: contrast\."):
        measured(tmp_path / "set", None, small)


@pytest.mark.skipif(not shared("reference", "frost").is_dir(), reason="needs the ice photographs")
def test_the_photographs_frost_takes_the_place_of_procedural_ice(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    icy = suite(tmp_path, "icy", SUITE.replace('"contrast"', '"frost"'))
    monkeypatch.delenv("BRITTLE_ASSETS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.warns(UserWarning, match="the published ice photographs are not here"):
        first = measured(source, tmp_path / "run", icy)
    assert {cell.group for cell in first.suite().cells} >= {"frost(texture=procedural)"}
    monkeypatch.setenv("BRITTLE_ASSETS", str(shared("reference", "frost")))
    then = measured(source, tmp_path / "run", icy)
    assert [cell.group for cell in then.suite().cells].count("frost") == 2
    assert not any("procedural" in cell.group for cell in then.suite().cells)
    assert then.missing() == {}


def test_models_have_short_names_unless_named(source: Path, small: str, tmp_path: Path) -> None:
    assert measured(source, tmp_path / "run", small).model == MODEL
    assert measured(source, tmp_path / "run", small, name="mine").model == "mine"
    assert measured(source, tmp_path / "run", small).model == "mine"


def test_parts_are_small_where_there_are_few_images(
    source: Path, small: str, tmp_path: Path
) -> None:
    run = measured(source, tmp_path / "run", small, shard=None)
    assert run.info["shard"] == 4
    assert measured(source, tmp_path / "run", small, shard=None).info["shard"] == 4
    from brittle._evaluate import shard_of

    assert [shard_of(count) for count in (1, 64, 500, 50_000)] == [4, 4, 31, 64]


# What a run is begun with, and what its suites stand for, does not change under way.


def test_other_code_with_the_same_weights_is_another_run(
    source: Path, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two_nets.py").write_text(
        "import torch\n"
        "from brittle.models import torch_model\n"
        "class Net(torch.nn.Module):\n"
        "    def __init__(self, sign):\n"
        "        super().__init__()\n"
        "        torch.manual_seed(0)\n"
        "        self.last, self.sign = torch.nn.Linear(64 * 64 * 3, 3), sign\n"
        "    def forward(self, x):\n"
        "        return self.sign * self.last(x.flatten(1))\n"
        "def a(): return torch_model(Net(1), size=64, mean=[0.5] * 3, std=[1] * 3)\n"
        "def b(): return torch_model(Net(-1), size=64, mean=[0.5] * 3, std=[1] * 3)\n"
    )
    measured(source, tmp_path / "run", small, model="python:two_nets:a")
    with pytest.raises(RunError, match="something else: model kind"):
        measured(source, tmp_path / "run", small, model="python:two_nets:b")


def test_versions_of_every_suite_are_kept(source: Path, small: str, tmp_path: Path) -> None:
    other = suite(tmp_path, "other", SUITE.replace('"contrast"', '"fog"'))
    run = measured(source, tmp_path / "run", [small, other])
    assert set(run.info["versions"]) == {"gaussian_noise", "contrast", "fog"}
    assert set(run.suite("other").facts["versions"]) == {"gaussian_noise", "fog"}


def test_a_suite_of_shifts_has_one_set_in_distribution(tmp_path: Path) -> None:
    data = {name: pictures(tmp_path / name, 4 + n) for n, name in enumerate("abc")}
    measured({"iid": data["a"], "night": data["b"]}, tmp_path / "run", "shifts")
    with pytest.raises(RunError, match="measured the suite shifts on other images"):
        measured({"base": data["c"], "fog": data["b"]}, tmp_path / "run", "shifts")
    with pytest.raises(RunError, match=r"in-distribution in one place|on other images"):
        measured({"night": data["b"], "iid": data["a"]}, tmp_path / "run", "shifts")
    more = {"iid": data["a"], "night": data["b"], "rain": data["c"]}
    run = measured(more, tmp_path / "run", "shifts")
    assert [cell.group for cell in run.suite().cells] == ["iid", "night", "rain"]


def test_a_changed_list_of_conditions_is_refused(source: Path, tmp_path: Path) -> None:
    text = 'about = "x"\nedition = "imagenet-64"\nconditions = ["fog(severity=3)"]\n'
    measured(source, tmp_path / "run", suite(tmp_path, "mine", text))
    changed = suite(tmp_path, "mine", text.replace("fog", "contrast"))
    with pytest.raises(RunError, match="The suite mine has changed"):
        measured(source, tmp_path / "run", changed)


@pytest.mark.skipif(not shared("reference", "frost").is_dir(), reason="needs the ice photographs")
@pytest.mark.filterwarnings("ignore:frost")
def test_procedural_ice_does_not_take_over(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    icy = suite(tmp_path, "icy", SUITE.replace('"contrast"', '"frost"'))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BRITTLE_ASSETS", str(shared("reference", "frost")))
    measured(source, tmp_path / "run", icy)
    measured(source, tmp_path / "one", icy, share=(1, 2))
    monkeypatch.delenv("BRITTLE_ASSETS")
    with pytest.raises(RunError, match=r"measured frost, and now it would be frost\(texture="):
        measured(source, tmp_path / "run", icy)
    measured(source, tmp_path / "two", icy, share=(2, 2))
    for shares in (("one", "two"), ("two", "one")):
        with pytest.raises(RunError, match="now it would be frost"):
            merge([tmp_path / name for name in shares], tmp_path / "out")


def test_numbers_of_numpy_are_numbers(source: Path, small: str) -> None:
    run = measured(source, None, small, seed=np.int64(1), batch=np.int32(4), shard=np.int8(4))
    assert run.info["seed"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": 5}, "name must be a text; got 5"),
        ({"edition": 3}, "edition must be a text"),
        ({"kind": 3}, "kind must be a text"),
        ({"conditions": [1]}, "conditions must be texts"),
    ],
)
def test_texts_are_texts(options: dict[str, Any], said: str, source: Path, small: str) -> None:
    with pytest.raises(SpecError, match=said):
        measured(source, None, small, **options)
    with pytest.raises(SpecError, match="suite must be texts"):
        measured(source, None, 3)


def test_an_opened_model_keeps_the_settings_that_nobody_changes(source: Path, small: str) -> None:
    torch = pytest.importorskip("torch")
    from brittle.models import torch_model

    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64 * 64 * 3, 3))
    normal: dict[str, Any] = {"size": 64, "mean": [0.5] * 3, "std": [1] * 3}
    low = torch_model(network, settings=Settings(precision="bfloat16"), **normal)
    run = measured(source, None, small, model=low)
    assert run.info["facts"]["precision"] == "bfloat16"
    tapped = torch_model(network, settings=Settings(features=True), **normal)
    assert "features" in measured(source, None, small, model=tapped, keep=["features"]).info["keep"]


def test_options_of_paths_do_not_go_with_open_sources(source: Path, small: str) -> None:
    for options in ({"exif": True}, {"kind": "folder"}, {"split": "train"}):
        with pytest.raises(SourceError, match="these data are open already"):
            measured(open_source(source), None, small, **options)


def test_a_sample_holds_for_the_counterpart_of_photographs(tmp_path: Path) -> None:
    wnid = known("imagenet-a")[3]
    hard, val = (imagenet(tmp_path / name, [wnid], 30 + n) for n, name in enumerate("ab"))
    run = evaluate(THOUSAND, suite="imagenet-a", data=hard, clean=val, limit=3, batch=4)
    assert {len(outcome.keys) for outcome in run.outcomes().values()} == {3}
    assert [cell.role for cell in run.suite().cells] == ["shift", "iid"]


def test_facts_that_cannot_be_kept_are_refused(source: Path, small: str) -> None:
    model = open_model(MODEL, Settings())
    model.facts = {**model.facts, "mean": np.zeros(3)}
    with pytest.raises(ModelError, match="facts of the model cannot be kept"):
        measured(source, None, small, model=model)


def test_an_own_suite_may_not_be_called_conditions(source: Path, tmp_path: Path) -> None:
    own = suite(tmp_path, "conditions")
    with pytest.raises(SpecError, match="named twice"):
        measured(source, None, own, conditions=["fog(severity=3)"])

"""What is measured: equal in memory and from disk, resumable, never twice, never by luck."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brittle import store
from brittle._build import build
from brittle._evaluate import evaluate
from brittle._merge import merge
from brittle._run import Run
from brittle.errors import LabelError, ModelError, RunError, SourceError, SpecError
from brittle.labels import known
from brittle.models import Settings, open_model
from brittle.outcomes import MISSING, UNLABELLED
from brittle.sources import open_source
from brittle.store import Store
from tests.helpers.runs import CLASSES, MODEL, SUITE, measured, parts, pictures, ranks, suite

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
    examined = 4 + 1  # the first shard, and one of it alone
    assert model.count == 55 + examined
    measured(source, tmp_path / "run", small, **options)
    assert model.count == 55 + examined
    more = suite(tmp_path, "more", SUITE.replace("[2, 5]", "[2, 3, 5]"))
    run = measured(source, tmp_path / "run", [small, more], **options)
    assert model.count == 55 + 22 + examined
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
    assert model.count == 55 + 22 + 11 + examined
    assert [cell.role for cell in free.suite("conditions").cells] == ["clean", "free"]


def test_weights_that_cannot_be_seen_are_said(source: Path, small: str, tmp_path: Path) -> None:
    measured(source, tmp_path / "run", small, model=Counting())
    with pytest.warns(UserWarning, match="nothing says that it is the model that began"):
        measured(source, tmp_path / "run", small, model=Counting())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "linear:random(classes=3, size=64, seed=1)"}, "model digest.*model spec"),
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
    with pytest.raises(RunError, match="with version 1 of contrast, the others with 2"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out3")
    with pytest.raises(RunError, match="is not a run"):
        merge([tmp_path / "src"], tmp_path / "out4")


def test_shares_that_overlap_must_agree(source: Path, small: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        measured(source, tmp_path / name, small, share=(1, 2))
    merged = merge([tmp_path / "one", tmp_path / "two"], tmp_path / "out")
    assert sum(merged.missing().values()) == 4 * 5
    part = next((tmp_path / "two" / "parts").rglob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-1] + b"x")
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


def test_unlabelled_images_are_measured_and_have_no_rank(small: str, tmp_path: Path) -> None:
    bare = pictures(tmp_path / "bare", labelled=False)
    run = measured(bare, None, small)
    (outcome,) = run.outcomes().values()
    assert (outcome.ranks == UNLABELLED).all()


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


def imagenet(tmp_path: Path, wnids: Any) -> Path:
    for wnid in wnids:
        pictures(tmp_path / "made", 3)
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
    val = imagenet(tmp_path / "val", [inside, outside])
    run = evaluate(THOUSAND, suite="imagenet-a", data=hard, clean=val, batch=4)
    assert [(cell.role, cell.group) for cell in run.suite().cells] == [
        ("shift", "imagenet-a"),
        ("iid", "iid"),
    ]
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
    with pytest.raises(LabelError, match=f"not among the subset imagenet-a: {outside}"):
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
        ({"keep": ["rank"]}, r"keep is a list of logits and features; got \['rank'\]"),
        ({"share": (4, 3)}, "1 <= i <= n; got 4 of 3"),
        ({"batch": 0}, "batch must be a whole number of at least 1"),
        ({"workers": 0}, "workers must be a whole number of at least 1"),
        ({"seed": 1.5}, "The seed must be a whole number"),
        ({"extra": True}, "None of the suites has extra corruptions"),
        ({"conditions": "fog"}, r"conditions is a list of texts; write \['fog'\]"),
        ({"limit": 0}, "A sample has at least 1 picture"),
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
    with pytest.raises(SourceError, match="no data for the suite small"):
        measured({"other": source}, None, small)
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
    assert record["model"]["spec"] == MODEL
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
    with pytest.warns(UserWarning, match=r"0.0% of the clean pictures .* guessing among 40"):
        evaluate(lambda batch: 3 * model(batch), classes=shifted, **options)

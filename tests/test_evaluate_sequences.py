"""Sequences: frames without labels, in memory as from disk, and what is scored of them."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brittle
from brittle import films, store
from brittle._build import build
from brittle._merge import merge
from brittle._run import Run
from brittle._verify import verify
from brittle.errors import BuildError, RunError, ScoreError, SourceError, SpecError
from brittle.measuring import predict
from brittle.sequences import sequence
from brittle.sources import open_source
from brittle.store import Store
from tests.helpers.runs import CLASSES, measured, parts, pictures, suite

SUITE = """\
about = "Three perturbations."
edition = "imagenet-64"
layout = "films"
perturbations = ["gaussian_noise", "gaussian_noise(strength=2)", "tilt", "translate"]
scores = ["mean_flip_probability", "mean_top5_distance"]
"""
WIDE = "linear:random(classes=12, size=64)"
COUNTS = {"gaussian_noise": 31, "gaussian_noise(strength=2)": 31, "tilt": 31, "translate": 31}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return pictures(tmp_path / "src", 9, labelled=False)


@pytest.fixture
def small(tmp_path: Path) -> str:
    return suite(tmp_path / "suites", text=SUITE)


def run_of(source: Any, out: Path | None, chosen: Any, **options: Any) -> Run:
    return measured(source, out, chosen, **{"model": WIDE, "classes": None, **options})


def top(run: Run) -> dict[tuple[str, str, int], list[int]]:
    table = run.predictions(columns=["key", "condition", "frame", "top_classes"]).to_pydict()
    rows = zip(table["key"], table["condition"], table["frame"], strict=True)
    found = dict(zip(rows, table["top_classes"], strict=True))
    assert len(found) == len(table["key"])
    return found


def test_every_frame_of_unlabelled_pictures_is_measured_once(
    source: Path, small: str, tmp_path: Path
) -> None:
    run = run_of(source, tmp_path / "run", small)
    keys = [item.key for item in open_source(source).items]
    wanted = {(k, c, f) for k in keys for c, count in COUNTS.items() for f in range(count)}
    assert set(top(run)) == wanted
    assert run.missing() == {}
    assert run.classes == tuple(map(str, range(12)))
    entry = next(iter(run.info["sets"].values()))
    assert entry["frames"] == {name: "first" if "noise" in name else "previous" for name in COUNTS}
    assert entry["facts"]["codec_skipped"] is True


def test_the_predictions_are_the_models_own(source: Path, small: str, tmp_path: Path) -> None:
    """An independent path: move, predict and sort by hand."""
    found = top(run_of(source, tmp_path / "run", small, seed=3))
    model = brittle.open_model(WIDE)
    opened = open_source(source)
    for item in opened.items[:3]:
        for name in COUNTS:
            asked = sequence(name, edition="imagenet-64")
            frames = np.stack(list(asked.frames(opened.load(item), seed=3, key=item.key)))
            logits = model.predict(frames).logits
            ranking = np.argsort(-logits, axis=1, kind="stable")[:, :5]
            for number, row in enumerate(ranking.tolist()):
                assert found[item.key, name, number] == row


def by_hand(run: Run, name: str, difficulty: int = 1) -> tuple[float, float]:
    """FP in percent and uT5D, with plain loops over the stored rows."""
    rows = top(run)
    keys = sorted({key for key, _, _ in rows})
    flips, moved = [], []
    for key in keys:
        listed = [rows[key, name, n] for n in range(COUNTS[name])]
        pairs = (
            [(listed[0], one) for one in listed[1:]]
            if "noise" in name
            else list(zip(listed, listed[difficulty:], strict=False))
        )
        flips.append(np.mean([one[0] != other[0] for one, other in pairs]))
        moved.append(
            np.mean(
                [
                    sum(abs(i - (o.index(c) if c in o else 5)) for i, c in enumerate(one))
                    for one, o in pairs
                ]
            )
        )
    return 100 * float(np.mean(flips)), float(np.mean(moved))


@pytest.mark.parametrize("difficulty", [1, 2])
def test_scores_are_those_of_plain_loops(
    source: Path, small: str, tmp_path: Path, difficulty: int
) -> None:
    run = run_of(source, tmp_path / "run", small)
    fp, distance = run.scores(difficulty=difficulty)
    noise = "gaussian_noise" if difficulty == 1 else "gaussian_noise(strength=2)"
    assert set(fp.columns) == {noise, "tilt", "translate"}
    wanted = {name: by_hand(run, name, difficulty) for name in fp.columns}
    assert any(flips for flips, _ in wanted.values())
    for name, (flips, moved) in wanted.items():
        assert fp.columns[name].value == pytest.approx(flips, abs=1e-9)
        assert distance.columns[name].value == pytest.approx(moved, abs=1e-9)
    assert fp.value == pytest.approx(np.mean([one for one, _ in wanted.values()]))
    assert distance.value == pytest.approx(np.mean([two for _, two in wanted.values()]))
    assert fp.low <= fp.value <= fp.high
    assert ("difficulty 2" in fp.title) == (difficulty == 2)
    assert "no codec" in fp.title
    assert fp.images == 9


def test_a_difficulty_without_its_noise_is_refused(
    source: Path, small: str, tmp_path: Path
) -> None:
    run = run_of(source, tmp_path / "run", small)
    with pytest.raises(ScoreError, match="difficulty 3 needs gaussian_noise at strength 3"):
        run.score("mean_flip_probability", difficulty=3)
    with pytest.raises(ScoreError, match=r"mFR needs all 10 perturbations.* shot_noise"):
        run.score("mFR", baseline="alexnet")
    with pytest.raises(ScoreError, match="needs clean images"):
        run.score("clean_error")


def test_the_zipf_distance_reads_the_ranking(source: Path, small: str, tmp_path: Path) -> None:
    plain = run_of(source, tmp_path / "plain", small)
    with pytest.raises(ScoreError, match="--keep ranking"):
        plain.score("mean_zipf_distance")
    found = {
        name: run_of(source, tmp_path / name, small, keep=[name]).score("mean_zipf_distance")
        for name in ("ranking", "logits")
    }
    assert found["ranking"].columns == found["logits"].columns
    run = Run.open(tmp_path / "ranking")
    table = run.predictions(columns=["key", "condition", "frame", "ranking"]).to_pylist()
    rows = {(r["key"], r["condition"], r["frame"]): r["ranking"] for r in table}
    wanted = []
    for key in {key for key, _, _ in rows}:
        for one, other in zip(range(30), range(1, 31), strict=True):
            first, second = rows[key, "tilt", one], rows[key, "tilt", other]
            wanted.append(
                sum(
                    abs(1 / (i + 1) - 1 / (second.index(c) + 1)) / (i + 1)
                    for i, c in enumerate(first)
                )
            )
    assert found["ranking"].columns["tilt"].value == pytest.approx(np.mean(wanted))


def test_rankings_are_read_once_for_all_perturbations(
    source: Path, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(source, tmp_path / "run", small, keep=["ranking"])
    read: list[Path] = []
    usual = store.read_table

    def noted(path: Path, columns: Any = None) -> Any:
        read.extend([path] if "ranking" in (columns or ()) else [])
        return usual(path, columns)

    monkeypatch.setattr(store, "read_table", noted)
    plain = run.score("mean_zipf_distance")
    assert sorted(read) == sorted((tmp_path / "run" / "parts").rglob("*.parquet"))
    # At difficulty 2 the noise of strength 2 is compared with its first frame as ever.
    apart = run.score("mean_zipf_distance", difficulty=2)
    assert apart.columns["tilt"].value > plain.columns["tilt"].value
    assert list(apart.columns) == ["gaussian_noise(strength=2)", "tilt", "translate"]


@pytest.mark.parametrize("layout", ["frames", "npy", "films"])
def test_memory_is_disk(source: Path, small: str, tmp_path: Path, layout: str) -> None:
    """A set that was built and read gives the predictions of memory; of films, of the codec."""
    made = build(source, tmp_path / "set", suite=small, layout=layout, seed=5, shard=4)
    assert made.conditions == 4
    assert verify(tmp_path / "set").ok
    memory = run_of(source, tmp_path / "a", small, seed=5, codec=layout == "films")
    disk = run_of(tmp_path / "set", tmp_path / "b", small, seed=5)
    one, other = top(memory), top(disk)
    if layout == "npy":
        keys = {f"{n:05d}": item.key for n, item in enumerate(open_source(source).items)}
        other = {(keys[key], name, n): row for (key, name, n), row in other.items()}
    assert one == other
    assert disk.suite().facts["pixels"] == "read"
    # What was stored without loss is no more the published form than what never left the memory.
    title = disk.score("mean_flip_probability").title
    assert ("no codec" in title) == (layout != "films")
    # Without the manifest the same set is found by its names.
    for name in ("manifest.json", "manifest.parquet"):
        (tmp_path / "set" / name).unlink()
    again = run_of(tmp_path / "set", tmp_path / "c", small, seed=5)
    assert top(again) == top(disk)


def test_the_codec_changes_frames_and_is_another_run(
    source: Path, small: str, tmp_path: Path
) -> None:
    run_of(source, tmp_path / "run", small)
    through = run_of(source, tmp_path / "codec", small, codec=True)
    assert top(through) != top(Run.open(tmp_path / "run"))
    assert "no codec" not in through.score("mean_flip_probability").title
    with pytest.raises(RunError, match="other images or pixels"):
        run_of(source, tmp_path / "run", small, codec=True)
    with pytest.raises(SpecError, match="stored without a codec"):
        run_of(source, None, None, perturbations=["tilt"], edition="any", codec=True)


def test_a_stopped_run_goes_on(
    source: Path, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run_of(source, tmp_path / "whole", small)
    put, count = Store.put, 0

    def stop(self: Store, *given: Any) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise KeyboardInterrupt
        put(self, *given)

    monkeypatch.setattr(Store, "put", stop)
    with pytest.raises(KeyboardInterrupt):
        run_of(source, tmp_path / "run", small)
    monkeypatch.undo()
    half = Run.open(tmp_path / "run")
    assert set(half.missing()) == set(COUNTS)
    with pytest.raises(ScoreError, match="not measured on every image"):
        half.score("mean_flip_probability")
    again = run_of(source, tmp_path / "run", small)
    assert parts(again) == parts(whole)
    assert again.info["sessions"][-1]["predictions"] == 5 * sum(COUNTS.values())


def test_another_perturbation_computes_only_what_is_missing(source: Path, tmp_path: Path) -> None:
    usual = {"edition": "imagenet-64"}
    run_of(source, tmp_path / "run", None, perturbations=["tilt"], **usual)
    run = run_of(source, tmp_path / "run", None, perturbations=["tilt", "brightness"], **usual)
    assert run.info["sessions"][-1]["predictions"] == 9 * 31
    assert {cell.condition for cell in run.suite().cells} == {"tilt", "brightness"}
    assert run.info["versions"] == {"perturbation:tilt": 1, "perturbation:brightness": 1}
    with pytest.raises(SpecError, match="tilt is asked for twice"):
        run_of(source, None, None, perturbations=["tilt", "tilt"], **usual)


def test_shares_merge_to_the_whole(source: Path, small: str, tmp_path: Path) -> None:
    whole = run_of(source, tmp_path / "whole", small)
    shares = [tmp_path / f"share{n}" for n in (1, 2)]
    for number, path in enumerate(shares, 1):
        run_of(source, path, small, share=(number, 2))
    merged = merge(shares, tmp_path / "merged")
    assert parts(merged) == parts(whole)
    assert [s.number for s in merged.scores()] == [s.number for s in whole.scores()]


def test_labels_need_not_be_the_models(small: str, tmp_path: Path) -> None:
    labelled = pictures(tmp_path / "labelled", 9)
    run = run_of(labelled, tmp_path / "run", small)
    assert set(run.predictions().to_pydict()["label"]) == set(CLASSES)
    assert run.score("mean_flip_probability").images == 9


def test_corruptions_and_perturbations_of_one_name_in_one_run(tmp_path: Path) -> None:
    source = pictures(tmp_path / "src", 9)
    run = measured(
        source,
        tmp_path / "run",
        None,
        conditions=["gaussian_noise(severity=2)"],
        perturbations=["gaussian_noise"],
        edition="imagenet-64",
    )
    assert set(run.suites) == {"conditions", "perturbations"}
    assert run.score("top1_error", suite="conditions").images == 9
    assert run.score("mean_flip_probability", suite="perturbations").images == 9


def test_a_baseline_of_ones_own_and_a_comparison(source: Path, small: str, tmp_path: Path) -> None:
    old = run_of(source, tmp_path / "old", small)
    other = "linear:random(classes=12, size=64, seed=1)"
    new = run_of(source, tmp_path / "new", small, model=other)
    found = brittle.compare(old, new, gates=["mean_flip_probability:100"])
    change = next(c for c in found.changes if c.name == "mean_flip_probability")
    step = change.step
    assert step.difference.value == pytest.approx(step.new.value - step.old.value)
    assert step.new.value == new.score("mean_flip_probability").value
    assert found.passed
    assert len(found.flips) == 0
    assert brittle.compare(old, old).changes[0].step.difference == (0, 0, 0)
    moved = max(found.changes[0].columns.values(), key=lambda one: one.difference.low)
    if moved.difference.low > 0:
        assert moved.p < 0.05


def test_classes_alone_give_flips_and_no_distance(source: Path, small: str, tmp_path: Path) -> None:
    inner = brittle.open_model(WIDE)

    def foremost(batch: np.ndarray) -> np.ndarray:
        return inner.predict(batch).logits.argmax(axis=1)

    from brittle.models import Settings
    from brittle.models._function import wrap

    settings = Settings(classes=tuple(map(str, range(12))))
    params = {"gives": "classes", "size": 64}
    model = wrap(foremost, settings, params=params)
    run = run_of(source, tmp_path / "run", small, model=model)
    whole = run_of(source, tmp_path / "whole", small)
    name = "mean_flip_probability"
    assert run.score(name).columns == whole.score(name).columns
    with pytest.raises(ScoreError, match="mean top-5 distance needs the order of the classes"):
        run.score("mean_top5_distance")
    # The table shows the flips, and says by name what there is not.
    table = run.table()
    assert "uT5D" not in table
    assert "mean_top5_distance is not given: mean top-5 distance needs the order" in table
    with pytest.raises(brittle.BrittleError, match="the classes must be named"):
        run_of(source, None, small, model=wrap(foremost, Settings(), params=params))


def test_which_sequences_flip_and_where(source: Path, small: str, tmp_path: Path) -> None:
    run = run_of(source, tmp_path / "run", small)
    found = run.unsteady()
    assert found
    shares = [one.flips / one.of for one in found]
    assert shares == sorted(shares, reverse=True)
    rows = top(run)
    for one in found[:10]:
        assert len(one.frames) == one.flips
        for frame in one.frames:
            first = 0 if "noise" in one.condition else frame - 1
            classes = [rows[one.key, one.condition, number][0] for number in (first, frame)]
            assert classes[0] != classes[1]
    total = sum(one.flips for one in found if one.condition == "tilt")
    share = run.score("mean_flip_probability").columns["tilt"].value
    assert share == pytest.approx(100 * total / (9 * 30))
    assert run.unsteady(most=2) == found[:2]


def test_films_of_ones_own(tmp_path: Path) -> None:
    pytest.importorskip("av")
    rng = np.random.default_rng(0)
    kept = {}
    for name, count in (("a", 9), ("b", 6)):
        frames = np.clip(
            rng.integers(60, 180, (1, 64, 64, 3)) + rng.integers(-40, 40, (count, 64, 64, 3)),
            0,
            255,
        ).astype(np.uint8)
        path = tmp_path / "clips" / f"{name}.mp4"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(films.encoded(iter(frames), grain=True))
        kept[name] = np.stack(list(films.decoded(str(path))))
    run = run_of(tmp_path / "clips", tmp_path / "run", "footage")
    model = brittle.open_model(WIDE)
    wanted = []
    for frames in kept.values():
        classes = model.predict(frames).logits.argmax(axis=1)
        wanted.append(np.mean(classes[1:] != classes[:-1]))
    score = run.score("mean_flip_probability")
    assert score.columns["footage"].value == pytest.approx(100 * np.mean(wanted))
    assert len(run.predictions()) == 15
    strided = run_of(tmp_path / "clips", tmp_path / "half", "footage", stride=2)
    assert len(strided.predictions()) == 5 + 3
    assert list(strided.score("mean_flip_probability").columns) == ["footage(stride=2)"]
    # No perturbation made them, so nothing published is missed.
    assert strided.score("mean_flip_probability").title == "mean flip probability"
    assert strided.score("mean_flip_probability").notes == ()
    with pytest.raises(SourceError, match=r"b.mp4 has 1 frame at this stride"):
        run_of(tmp_path / "clips", None, "footage", stride=8)
    with pytest.raises(SourceError, match="holds no films"):
        run_of(pictures(tmp_path / "src", 3), None, "footage")
    (tmp_path / "clips" / "c.mp4").write_bytes(b"no film")
    with pytest.raises(brittle.BrittleError, match=r"c.mp4 is no film that can be read"):
        run_of(tmp_path / "clips", None, "footage")


def test_a_film_that_lost_frames_is_named(source: Path, small: str, tmp_path: Path) -> None:
    pytest.importorskip("av")
    build(source, tmp_path / "set", suite=small)
    path = tmp_path / "set" / "tilt" / "image_003.mp4"
    frames = list(films.decoded(str(path)))
    path.write_bytes(films.encoded(iter(frames[:30]), grain=False))
    with pytest.raises(
        SourceError, match="tilt of image_003 has 30 frames, and imagenet-64 has 31"
    ):
        run_of(tmp_path / "set", None, small)
    path.write_bytes(films.encoded(iter([*frames, *frames[:1]]), grain=False))
    with pytest.raises(SourceError, match="tilt of image_003 has 32 frames"):
        run_of(tmp_path / "set", None, small)


def test_a_film_that_is_too_long_to_be_held_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("av")
    (tmp_path / "clips").mkdir()
    for name, count in (("a", 3), ("b", 90), ("c", 20)):
        frames = np.random.default_rng(count).integers(0, 256, (count, 64, 64, 3), dtype=np.uint8)
        path = tmp_path / "clips" / f"{name}.mp4"
        path.write_bytes(films.encoded(iter(frames), grain=True))
    whole = run_of(tmp_path / "clips", tmp_path / "whole", "footage")
    # Room for ten frames: the first film fits, and its length says nothing of the others'.
    monkeypatch.setattr(predict, "IN_FLIGHT", 40 * 64 * 64 * 3)
    decoded, add = films.decoded, predict._Rows.add
    made = taken = waiting = 0

    def counted(*given: Any, **options: Any) -> Any:
        nonlocal made
        for pixels in decoded(*given, **options):
            made += 1
            yield pixels

    def take(self: Any, *given: Any) -> int:
        nonlocal taken, waiting
        waiting, taken = max(waiting, made - taken), taken + 1
        return add(self, *given)

    monkeypatch.setattr(films, "decoded", counted)
    monkeypatch.setattr(predict._Rows, "add", take)
    small = run_of(tmp_path / "clips", tmp_path / "small", "footage")
    assert parts(small) == parts(whole)
    # The model is examined on the first frame of each film.
    assert made == taken + 3 == 3 + 90 + 20 + 3
    assert waiting <= 3 + 3 + 1


def test_published_folders_and_arrays(source: Path, tmp_path: Path) -> None:
    """Names as published: archives unpacked side by side, strengths by number."""
    text = SUITE.replace('"films"', '"frames"')
    chosen = suite(tmp_path / "suites", text=text)
    build(source, tmp_path / "set", suite=chosen, seed=5)
    root = tmp_path / "published"
    for group, archive in (("gaussian_noise", "noise"), ("gaussian_noise_2", "noise"),
                           ("tilt", "digital"), ("translate", "digital")):  # fmt: skip
        shutil.copytree(tmp_path / "set" / group, root / archive / group)
    run = run_of(root, tmp_path / "run", chosen, seed=5)
    assert top(run) == top(run_of(tmp_path / "set", tmp_path / "built", chosen, seed=5))
    shutil.rmtree(root / "digital" / "tilt" / "image_003")
    with pytest.raises(SourceError, match="only one of them has image_003"):
        run_of(root, None, chosen)
    shutil.rmtree(root / "digital" / "tilt")
    with pytest.warns(UserWarning, match="lacks 1 of the sequences of small: tilt"):
        less = run_of(root, tmp_path / "less", chosen)
    assert {cell.condition for cell in less.suite().cells} == set(COUNTS) - {"tilt"}
    (root / "noise" / "gaussian_noise" / "image_000" / "30.png").unlink()
    with (
        pytest.warns(UserWarning, match="lacks 1 of the sequences"),
        pytest.raises(SourceError, match="gaussian_noise of image_000 has 30 frames"),
    ):
        run_of(root, None, chosen)


def test_a_set_holds_pictures_or_sequences(source: Path, small: str, tmp_path: Path) -> None:
    for options in ({"conditions": ["clean"]}, {"clean": True}):
        with pytest.raises(BuildError, match="build perturbations apart"):
            build(source, tmp_path / "set", suite=small, **options)  # type: ignore[arg-type]
    with pytest.raises(BuildError, match=r"folder cannot hold sequences; use one of films, fra"):
        build(source, tmp_path / "set", suite=small, layout="folder")
    with pytest.raises(BuildError, match=r"films cannot hold pictures; use one of folder"):
        build(source, tmp_path / "set", suite=None, conditions=["clean"], layout="films")
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("layout", ["frames", "npy", "films"])
def test_a_set_is_the_same_whatever_the_workers(source: Path, tmp_path: Path, layout: str) -> None:
    made = [
        build(
            source, tmp_path / f"set{workers}", suite=None, perturbations=["tilt", "shot_noise"],
            edition="imagenet-64", layout=layout, shard=4, workers=workers,
        ).fingerprint
        for workers in (1, 3)
    ]  # fmt: skip
    assert made[0] == made[1]


def test_the_record_can_be_read(source: Path, small: str, tmp_path: Path) -> None:
    run_of(source, tmp_path / "run", small)
    record = json.loads((tmp_path / "run" / store.JSON).read_text())
    assert record["format_version"] == 1
    (name,) = record["sets"]
    assert name.startswith("imagenet-64-frames-")


def test_of_frames_there_is_no_clean_counterpart(source: Path, small: str) -> None:
    with pytest.raises(SourceError, match="leave --clean out"):
        run_of(source, None, small, clean=source)
    with pytest.raises(SpecError, match="strength must be"):
        run_of(source, None, None, perturbations=["gaussian_noise(strength=9)"])
    with pytest.raises(SpecError, match="stride must be a whole number"):
        run_of(source, None, small, stride=0)

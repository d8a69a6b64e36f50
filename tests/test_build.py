import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brittle import _build as module
from brittle import _survey, manifest
from brittle._build import BuildReport, build
from brittle.errors import BuildError, SourceError, SpecError
from brittle.layouts._work import Work
from brittle.sources import open_source
from tests.layouts import pictures


def make(source: Any, out: Path, **options: Any) -> BuildReport:
    usual = {"suite": None, "conditions": pictures.CONDITIONS, "workers": 1, "shard": 2}
    return build(source, out, **{**usual, **options})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return pictures.folder(tmp_path / "src")


def stop_after(monkeypatch: pytest.MonkeyPatch, shards: int) -> None:
    """Let a build die like a process once so many shards are done."""
    real = Work.end

    def end(self: Work, number: int, rows: Any) -> None:
        if number >= shards:
            raise KeyboardInterrupt
        real(self, number, rows)

    monkeypatch.setattr(Work, "end", end)


def test_manifest_says_what_the_set_is(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    report = make(source, out, seed=3)
    found = json.loads((out / "manifest.json").read_text())
    plan = found["plan"]
    assert found["format"] == "brittle-set"
    assert plan["seed"] == 3
    assert plan["generation"] == "brittle-1"
    assert plan["edition"] == "any"
    assert plan["layout"] == "folder"
    assert plan["images"] == 5
    assert plan["classes"] == ["n00", "n01"]
    assert [c["name"] for c in plan["conditions"]] == list(pictures.CONDITIONS)
    assert plan["conditions"][0] == {
        "name": "gaussian_noise(severity=1)",
        "group": "gaussian_noise",
        "severity": 1,
    }
    assert set(plan["versions"]) == {"gaussian_noise", "glass_blur", "fog", "jpeg_compression"}
    assert found["fingerprint"] == report.fingerprint
    assert (report.images, report.conditions, report.files) == (5, 4, 20)
    assert str(tmp_path) not in (out / "manifest.json").read_text()
    (rows,) = manifest.rows(out)
    for row in rows.to_pylist():
        data = (out / row["path"]).read_bytes()
        assert (row["size"], row["sha256"]) == (len(data), hashlib.sha256(data).digest())
    assert rows.column("key").to_pylist()[:5] == ["n00/image_0"] * 4 + ["n00/image_2"]
    assert rows.column("label").to_pylist()[0] == "n00"
    assert report.bytes == sum(rows.column("size").to_pylist())


def test_working_state_is_gone_and_a_second_run_finds_the_set_complete(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = make(source, out)
    assert not (out / ".brittle").exists()
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    again = make(source, out)
    assert again == first._replace(complete=True, resumed=5)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_fingerprint_depends_on_pixels_seed_and_conditions_but_not_on_the_place(
    source: Path, tmp_path: Path
) -> None:
    first = make(source, tmp_path / "a").fingerprint
    moved = tmp_path / "elsewhere"
    shutil.copytree(source, moved)
    assert make(moved, tmp_path / "b", workers=3).fingerprint == first
    assert make(source, tmp_path / "c", seed=1).fingerprint != first
    assert make(source, tmp_path / "d", conditions=pictures.CONDITIONS[:3]).fingerprint != first
    cv2.imwrite(str(moved / "n00" / "image_0.png"), pictures.picture(99))
    assert make(moved, tmp_path / "e").fingerprint != first


def test_an_image_gets_the_same_bytes_in_another_company(source: Path, tmp_path: Path) -> None:
    make(source, tmp_path / "all")
    shutil.rmtree(source / "n00")
    make(source, tmp_path / "some")
    some, whole = pictures.tree(tmp_path / "some"), pictures.tree(tmp_path / "all")
    same = [name for name in some if not name.startswith("manifest")]
    assert len(same) == 8
    assert {name: some[name] for name in same} == {name: whole[name] for name in same}


@pytest.mark.parametrize("layout", ["folder", "npy", "shards"])
def test_a_stopped_build_resumes_to_the_same_bytes(
    layout: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make(source, tmp_path / "whole", layout=layout)
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            make(source, out, layout=layout)
    assert not (out / "manifest.json").exists()
    resumed = make(source, out, layout=layout)
    assert resumed.resumed == 4
    assert resumed.fingerprint == whole.fingerprint
    assert pictures.tree(out) == pictures.tree(tmp_path / "whole")


def test_a_resume_reads_the_source_once_only(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    scans = []
    real = _survey.scan

    def scan(*args: Any, **options: Any) -> Any:
        scans.append(1)
        return real(*args, **options)

    monkeypatch.setattr(_survey, "scan", scan)
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            make(source, out)
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            make(source, out)
    assert len(scans) == 1
    touched = source / "n00" / "image_0.png"
    os.utime(touched, ns=(0, 0))
    assert make(source, out).resumed == 4
    assert len(scans) == 2


@pytest.mark.parametrize("layout", ["folder", "npy", "shards"])
def test_a_finished_shard_whose_files_are_damaged_is_done_again(
    layout: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(source, tmp_path / "whole", layout=layout)
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            make(source, out, layout=layout)
    first = {
        "folder": "glass_blur/3/n00/image_0.png",
        "npy": "glass_blur/glass_blur.npy.partial",
        "shards": "glass_blur/3/000000.tar",
    }[layout]
    size = (out / first).stat().st_size
    with open(out / first, "r+b") as stream:
        if layout == "npy":
            stream.seek(200)
            stream.write(b"zeros after a power cut")
        else:
            stream.truncate(size - 1)
    assert make(source, out, layout=layout).resumed == 2
    assert pictures.tree(out) == pictures.tree(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": 1}, r"seed \(0 there, 1 asked for\)"),
        ({"edition": "imagenet-64"}, r"edition \(any there, imagenet-64 asked for\)"),
        ({"conditions": pictures.CONDITIONS[:3]}, r"conditions \(fog.* there only, nothing asked"),
        ({"layout": "shards"}, r"layout \(folder there, shards asked for\)"),
        ({"exif": True}, r"exif \(false there, true asked for\)"),
    ],
)
@pytest.mark.parametrize("layout", ["folder", "npy"])
@pytest.mark.parametrize("finished", [True, False])
def test_another_plan_in_the_same_folder_is_refused(
    changed: dict[str, Any],
    said: str,
    layout: str,
    finished: bool,
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "out"
    said = said.replace("folder there", f"{layout} there")
    if finished:
        make(source, out, layout=layout)
    else:
        with monkeypatch.context() as patch:
            stop_after(patch, 1)
            with pytest.raises(KeyboardInterrupt):
                make(source, out, layout=layout)
    before = {k: v for k, v in pictures.tree(out).items() if "scan.parquet" not in k}
    with pytest.raises(BuildError, match=said):
        make(source, out, **{"layout": layout, **changed})
    after = {k: v for k, v in pictures.tree(out).items() if "scan.parquet" not in k}
    assert after == before


def test_another_shard_size_matters_to_an_unfinished_set_only(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            make(source, out)
    with pytest.raises(BuildError, match=r"shard \(2 there, 3 asked for\)"):
        make(source, out, shard=3)
    make(source, out)
    assert make(source, out, shard=3).complete


def test_a_part_of_another_version_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    make(source, out)
    found = json.loads((out / "manifest.json").read_text())
    found["plan"]["versions"]["glass_blur"] = 0
    (out / "manifest.json").write_text(json.dumps(found))
    with pytest.raises(BuildError, match="versions"):
        make(source, out)


@pytest.mark.parametrize("finished", [True, False])
def test_a_changed_source_is_noticed(
    finished: bool, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    if finished:
        make(source, out)
    else:
        with monkeypatch.context() as patch:
            stop_after(patch, 1)
            with pytest.raises(KeyboardInterrupt):
                make(source, out)
    cv2.imwrite(str(source / "n00" / "image_0.png"), pictures.picture(99))
    with pytest.raises(BuildError, match="source"):
        make(source, out)


def test_an_image_that_changes_behind_the_scan_stops_the_build(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            make(source, out)
    path = source / "n01" / "image_3.png"
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(BuildError, match=r"n01/image_3\.png has changed since the build began"):
        make(source, out)


def test_broken_images_are_listed_or_left_out_by_name(source: Path, tmp_path: Path) -> None:
    (source / "n00" / "bad.png").write_bytes(b"no picture")
    out = tmp_path / "out"
    with pytest.raises(SourceError, match=r"n00/bad\.png"):
        make(source, out)
    assert not out.exists()
    report = make(source, out, skip_broken=True)
    assert report.skipped == ("n00/bad.png",)
    assert report.images == 5
    assert json.loads((out / "manifest.json").read_text())["skipped"] == ["n00/bad.png"]
    (source / "n00" / "bad.png").unlink()
    assert make(source, tmp_path / "clean").fingerprint == report.fingerprint


def test_wrong_sizes_are_refused_before_the_work(source: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"32x32 as they are; n00/image_0 is 48x40.*any"):
        make(source, tmp_path / "out", edition="cifar-32")
    assert not (tmp_path / "out").exists()


def test_other_peoples_files_are_left_alone(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("x")
    with pytest.raises(BuildError, match="no brittle build has made"):
        make(source, out)
    assert [path.name for path in out.iterdir()] == ["thesis.tex"]
    with pytest.raises(BuildError, match="is a file"):
        make(source, out / "thesis.tex")


def test_a_set_inside_its_source_is_refused(source: Path, tmp_path: Path) -> None:
    for out in (source, source / "n00" / "out"):
        with pytest.raises(BuildError, match="inside its source"):
            make(source, out)
    assert not (source / "n00" / "out").exists()


def test_a_second_process_is_refused(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Work(out), pytest.raises(BuildError, match="Another process is building"):
        make(source, out)
    assert make(source, out).images == 5


def test_nonsense_is_refused(source: Path, tmp_path: Path) -> None:
    refused: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (BuildError, "1 worker or more", lambda: make(source, tmp_path / "o", workers=0)),
        (BuildError, "1 image or more", lambda: make(source, tmp_path / "o", shard=0)),
        (SpecError, "no layout 'floder'", lambda: make(source, tmp_path / "o", layout="floder")),
        (SpecError, "no edition", lambda: make(source, tmp_path / "o", edition="x")),
        (SpecError, "no suite", lambda: make(source, tmp_path / "o", suite="x")),
        (SpecError, "seed", lambda: make(source, tmp_path / "o", seed=1.5)),
        (BuildError, "give a suite", lambda: make(source, tmp_path / "o", extra=True)),
        (BuildError, "no condition", lambda: make(source, tmp_path / "o", conditions=[])),
        (SourceError, "nothing at", lambda: make(tmp_path / "none", tmp_path / "o")),
    ]
    for kind, message, call in refused:
        with pytest.raises(kind, match=message):
            call()
    assert not (tmp_path / "o").exists()


def test_a_full_disk_leaves_a_resumable_build(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"

    def full(self: Work, number: int, rows: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Work, "end", full)
        with pytest.raises(BuildError, match=r"No space left on device.*repeat the command"):
            make(source, out)
    assert make(source, out).images == 5


def test_opencv_threads_are_restored(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    real = module._Image.__call__

    def call(self: Any, index: int) -> Any:
        seen.append(cv2.getNumThreads())
        return real(self, index)

    monkeypatch.setattr(module._Image, "__call__", call)
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    try:
        make(source, tmp_path / "out")
        assert cv2.getNumThreads() == 2
    finally:
        cv2.setNumThreads(before)
    assert seen == [1] * 5


def test_a_suite_with_its_own_edition_and_layout(tmp_path: Path) -> None:
    suite = tmp_path / "tiny.toml"
    suite.write_text(
        'about = "x"\nedition = "cifar-32"\nlayout = "npy"\n'
        'corruptions = ["contrast"]\nseverities = [2, 4]\nextra = ["brightness"]\n'
    )
    source = pictures.folder(tmp_path / "src", 3, height=32, width=32)
    out = tmp_path / "out"
    report = build(open_source(source), out, suite=str(suite), extra=True, workers=1)
    assert report.conditions == 4
    assert np.load(out / "contrast.npy").shape == (6, 32, 32, 3)
    assert np.load(out / "brightness.npy").shape == (6, 32, 32, 3)
    assert json.loads((out / "manifest.json").read_text())["plan"]["suite"] == "tiny"


@pytest.mark.parametrize("layout", ["folder", "npy", "shards"])
def test_a_complete_set_that_has_lost_a_file_is_made_whole_again(
    layout: str, source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    made = make(source, out, layout=layout)
    before = pictures.tree(out)
    next(p for p in sorted(out.rglob("*")) if p.suffix in (".png", ".npy", ".tar")).unlink()
    again = make(source, out, layout=layout)
    assert not again.complete
    assert again.fingerprint == made.fingerprint
    assert pictures.tree(out) == before
    assert make(source, out, layout=layout).complete

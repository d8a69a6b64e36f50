import tarfile
from pathlib import Path

import pytest

from brittle._build import build
from brittle.errors import BuildError
from brittle.layouts import shards
from tests.layouts import pictures


def made(source: Path, out: Path) -> Path:
    build(
        source,
        out,
        suite=None,
        edition="imagenet-64",
        conditions=["contrast(severity=2)"],
        layout="shards",
        shard=3,
        workers=1,
    )
    return out / "contrast" / "2"


def test_members_and_headers(tmp_path: Path) -> None:
    place = made(pictures.folder(tmp_path / "src"), tmp_path / "out")
    assert sorted(path.name for path in place.iterdir()) == [
        "000000.tar",
        "000001.tar",
        "classes.txt",
    ]
    with tarfile.open(place / "000001.tar") as archive:
        entries = archive.getmembers()
        assert [entry.name for entry in entries] == [
            "n01/image_1.cls",
            "n01/image_1.jpg",
            "n01/image_3.cls",
            "n01/image_3.jpg",
        ]
        assert archive.extractfile(entries[0]).read() == b"1"  # type: ignore[union-attr]
    for entry in entries:
        about = entry.mtime, entry.uid, entry.gid, entry.uname, entry.mode
        assert about == (0, 0, 0, "", 0o644)


def test_dots_are_kept_out_of_keys_since_webdataset_cuts_there(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 1)
    (source / "n00" / "image_0.png").rename(source / "n00" / "a.b.png")
    with tarfile.open(made(source, tmp_path / "out") / "000000.tar") as archive:
        assert archive.getnames() == ["n00/a_b.cls", "n00/a_b.jpg"]


def test_two_images_of_one_member_are_refused(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 1)
    data = (source / "n00" / "image_0.png").read_bytes()
    for name in ("a.b.png", "a_b.png"):
        (source / "n00" / name).write_bytes(data)
    with pytest.raises(BuildError, match=r"n00/a\.b and n00/a_b would both be stored as 'n00/a_b'"):
        made(source, tmp_path / "out")


def test_long_and_foreign_names_survive(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 1)
    name = "ü" * 100
    (source / "n00" / "image_0.png").rename(source / "n00" / f"{name}.png")
    with tarfile.open(made(source, tmp_path / "out") / "000000.tar") as archive:
        assert archive.getnames() == [f"n00/{name}.cls", f"n00/{name}.jpg"]


def test_pictures_too_large_to_hold_go_to_disk_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pictures.folder(tmp_path / "src")
    made(source, tmp_path / "held")
    monkeypatch.setattr(shards, "HELD", 1)
    made(source, tmp_path / "spooled")
    assert pictures.tree(tmp_path / "held") == pictures.tree(tmp_path / "spooled")

from pathlib import Path

import pytest

from brittle.cli import main
from tests.layouts import pictures

FREE = ["--condition", "contrast(severity=1)", "--workers", "1"]


def test_builds_and_then_finds_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = pictures.folder(tmp_path / "src"), tmp_path / "out"
    assert main(["build", str(source), "-o", str(out), *FREE]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith("5 images x 1 conditions, 5 files, ")
    assert lines[1].startswith("fingerprint ")
    assert "building: 5 of 5 images" in said.err
    assert main(["build", str(source), "-o", str(out), *FREE, "-q"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [f"{out} is already complete", *lines]
    assert said.err == ""


def test_every_option_reaches_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import brittle._build
    from brittle._build import BuildReport

    got = {}

    def build(source: str, out: str, **options: object) -> BuildReport:
        got.update(options, source=source, out=out)
        return BuildReport(Path(out), 1, 1, 1, 1, ("a",), "f", 0, False)

    monkeypatch.setattr(brittle._build, "build", build)
    words = (
        "build S -o O --suite cifar10-c --extra --edition any --layout npy --condition a "
        "--condition b -p tilt --seed 4 --workers 3 --shard-size 5 --skip-broken "
        "--kind cifar --exif --split train --clean -q"
    )
    assert main(words.split()) == 0
    assert got == {
        "source": "S",
        "out": "O",
        "suite": "cifar10-c",
        "extra": True,
        "edition": "any",
        "layout": "npy",
        "conditions": ["a", "b"],
        "perturbations": ["tilt"],
        "seed": 4,
        "workers": 3,
        "shard": 5,
        "skip_broken": True,
        "kind": "cifar",
        "exif": True,
        "split": "train",
        "clean": True,
        "quiet": True,
    }
    assert main(["build", "S", "-o", "O"]) == 0
    assert (got["suite"], got["conditions"]) == ("imagenet-c", [])
    assert main(["build", "S", "-o", "O", "--condition", "a"]) == 0
    assert got["suite"] is None


def test_skipped_images_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = pictures.folder(tmp_path / "src")
    (source / "bad.png").write_bytes(b"x")
    words = ["build", str(source), "-o", str(tmp_path / "out"), *FREE]
    assert main(words) == 2
    assert "bad.png" in capsys.readouterr().err
    assert main([*words, "--skip-broken"]) == 0
    assert "left out 1 broken images: bad.png" in capsys.readouterr().out


def test_a_missing_folder_of_assets_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["build", str(tmp_path), "-o", str(tmp_path / "o"), "--assets", str(tmp_path / "no")]
    assert main(words) == 2
    assert "no folder" in capsys.readouterr().err

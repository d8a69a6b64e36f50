from pathlib import Path

import pytest

from brittle._build import build
from brittle.cli import main
from brittle.cli.verify import SHOWN
from tests.layouts import pictures


def test_exit_codes_and_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    build(
        pictures.folder(tmp_path / "src"),
        out,
        suite=None,
        conditions=["contrast(severity=1)"],
        workers=1,
    )
    assert main(["verify", str(out), "-q"]) == 0
    assert capsys.readouterr().out == "5 files are as they were built\n"

    place = out / "contrast" / "1"
    (place / "n00" / "image_0.png").rename(place / "moved.png")
    (place / "n00" / "image_2.png").unlink()
    (place / "n01" / "image_1.png").write_bytes(b"x")
    for number in range(SHOWN + 3):
        (place / f"new_{number:02}").write_text("x")
    assert main(["verify", str(out), "-q"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "altered contrast/1/n01/image_1.png"
    assert lines[1] == "missing contrast/1/n00/image_2.png"
    assert lines[2] == "extra contrast/1/new_00"
    assert lines[-2] == "extra and 3 more; --all lists them"
    assert lines[-1] == "renamed contrast/1/n00/image_0.png -> contrast/1/moved.png"
    assert main(["verify", str(out), "-q", "--all"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == len(lines) + 2

    (out / "manifest.json").unlink()
    assert main(["verify", str(out), "-q"]) == 2
    assert "not a set" in capsys.readouterr().err

"""What the command line says of a run that was stopped."""

import shutil
from pathlib import Path
from typing import Any

from brittle.cli import main
from tests.helpers.runs import CLASSES, pictures, suite


def test_it_says_how_far_it_has_come_and_goes_on(tmp_path: Path, capsys: Any) -> None:
    source, run = pictures(tmp_path / "photos", 9), tmp_path / "run"
    names = tmp_path / "names.txt"
    names.write_text("\n".join(CLASSES))
    command = [
        "evaluate", "linear:random(classes=3, size=64)", "--suite", suite(tmp_path),
        "--data", str(source), "--classes", str(names), "--shard-size", "3", "-o", str(run),
    ]  # fmt: skip
    assert main(command) == 0
    assert "evaluating, resumed" not in capsys.readouterr().err
    lost = sorted((run / "parts").rglob("*.parquet"))[-1]
    kept = lost.read_bytes()
    lost.unlink()
    assert main(["score", str(run)]) == 2
    err = capsys.readouterr().err
    assert f"6 of 9 images are measured in {run}" in err
    assert "The same brittle evaluate goes on where it stopped" in err
    assert main(command) == 0
    assert "evaluating, resumed" in capsys.readouterr().err
    assert lost.read_bytes() == kept
    assert main(["score", str(run), "--replicates", "100"]) == 0
    shutil.rmtree(run)

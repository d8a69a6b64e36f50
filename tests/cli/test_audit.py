import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from brittle import assets
from brittle._audit import audit
from brittle._audit_files import as_csv, as_json, as_markdown, as_text
from brittle.cli import main


@pytest.fixture(autouse=True)
def own_assets() -> Any:
    yield
    assets.use(None)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    root = tmp_path / "photos"
    root.mkdir()
    for number in range(4):
        noise = np.random.default_rng(number).integers(0, 256, (6, 7, 3), np.uint8)
        Image.fromarray(noise).resize((60, 50)).save(root / f"{number}.png")
    return root


def args(photos: Path, *more: str) -> list[str]:
    small = ["--edition", "imagenet-64", "--corruption", "fog", "--corruption", "contrast", "-q"]
    return ["audit", str(photos), *small, *more]


def test_every_format_goes_to_stdout(photos: Path, capsys: Any) -> None:
    found = audit(photos, corruptions=["fog", "contrast"], edition="imagenet-64", seed=2, sample=3)
    forms = {"text": as_text, "md": as_markdown, "csv": as_csv, "json": as_json}
    for form, write in forms.items():
        assert main(args(photos, "--sample", "3", "--seed", "2", "--format", form)) == 0
        said = capsys.readouterr()
        assert said.out.rstrip("\n") == write(found).rstrip("\n")
        assert said.err == ""


def test_files(photos: Path, tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    out = tmp_path / "out"
    assert main(args(photos, "-o", str(out))) == 0
    assert sorted(path.name for path in out.iterdir()) == ["audit.csv", "audit.json", "audit.png"]
    assert "audit.png" in capsys.readouterr().err
    with open(out / "audit.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 10
    assert len(json.loads((out / "audit.json").read_text())["keys"]) == 4


def test_without_matplotlib_nothing_is_measured_for_files(
    photos: Path, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(args(photos, "-o", str(tmp_path / "out"))) == 2
    said = capsys.readouterr()
    assert 'pip install "brittle[plot]"' in said.err
    assert said.out == ""
    assert main(args(photos)) == 0
    assert "MS-SSIM" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--corruption", "fgo"], "Did you mean fog"),
        (["--edition", "cifar-32"], "32x32"),
        (["--workers", "0"], "workers must be at least 1"),
        (["--sample", "-1"], "at least 1 picture; got -1"),
    ],
)
def test_refusals(photos: Path, capsys: Any, options: list[str], message: str) -> None:
    assert main(args(photos, *options)) == 2
    assert message in capsys.readouterr().err

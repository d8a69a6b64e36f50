"""The audit: its numbers, its sample, its files."""

import csv
import itertools
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from brittle import _audit_files
from brittle._audit import Audit, Score, audit
from brittle._audit_plot import spread
from brittle.conditions import condition
from brittle.editions import get
from brittle.errors import ImageError, MissingExtraError, SourceError, SpecError
from brittle.likeness.ms_ssim import ms_ssim
from brittle.likeness.psnr import psnr
from brittle.sources import Item, open_source
from brittle.sources._chosen import chosen


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Six smooth pictures; the last is grey, so that saturate leaves it alone."""
    root = tmp_path / "photos"
    for number in range(6):
        noise = np.random.default_rng(number).integers(0, 256, (6, 7, 3), np.uint8)
        image = Image.fromarray(noise).resize((60, 50), Image.Resampling.BICUBIC)
        image = image.convert("L").convert("RGB") if number == 5 else image
        place = root / f"c{number % 2}" / f"{number}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        image.save(place)
    return root


def test_numbers_are_those_of_the_metrics(photos: Path) -> None:
    found = audit(photos, corruptions=["fog"], severities=[2], edition="imagenet-64", seed=7)
    source = open_source(photos)
    expected = []
    for item in source.items:
        clean = get("imagenet-64").prepare(source.load(item))
        made = condition("fog", edition="imagenet-64", severity=2)
        foggy = made.apply(clean, seed=7, key=item.key)
        expected.append((ms_ssim(clean, foggy), psnr(clean, foggy)))
    numbers = np.array(expected)
    (score,) = found.scores
    assert score[:3] == ("fog", 2, "fog(severity=2)")
    assert score.ms_ssim == pytest.approx(numbers[:, 0].mean(), abs=1e-12)
    assert score.psnr == pytest.approx(numbers[:, 1].mean(), abs=1e-12)
    errors = numbers.std(axis=0, ddof=1) / math.sqrt(6)
    assert (score.ms_ssim_error, score.psnr_error) == pytest.approx(tuple(errors), abs=1e-12)
    assert found[:3] == ("imagenet-64", 7, ("c0/0", "c0/2", "c0/4", "c1/1", "c1/3", "c1/5"))


def test_every_corruption_and_severity_is_measured(photos: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("BRITTLE_ASSETS", str(photos))
    with pytest.warns(UserWarning, match="frost"):
        found = audit(photos, edition="imagenet-64", sample=1)
    cells = [(score.corruption, score.severity) for score in found.scores]
    assert len(set(cells)) == 19 * 5
    assert [severity for _, severity in cells[:5]] == [1, 2, 3, 4, 5]
    assert cells[0][0] == "gaussian_noise"
    assert all(0 <= score.ms_ssim <= 1 for score in found.scores)
    assert all(math.isnan(score.ms_ssim_error) for score in found.scores)
    labels = {score.label for score in found.scores}
    assert "frost(texture=procedural)" in labels
    assert "fog" in labels


def test_workers_and_order_do_not_matter(photos: Path) -> None:
    options: dict[str, Any] = {
        "corruptions": ["snow", "fog"],
        "edition": "imagenet-64",
        "sample": 4,
    }
    alone = audit(photos, workers=1, **options)
    assert audit(photos, workers=3, **options) == alone
    source = open_source(photos)
    object.__setattr__(source, "items", source.items[::-1])
    assert audit(source, workers=1, **options).keys == alone.keys


def test_the_sample_goes_by_key() -> None:
    items = [Item(f"k{number}", None, f"k{number}.png") for number in range(100)]
    first = chosen(items, 10, 0)
    assert len(first) == 10
    assert chosen(items[::-1], 10, 0) == first
    # Twenty more pictures push some out; none of the old ones comes in.
    more = chosen(items + [Item(f"n{n}", None, "n.png") for n in range(20)], 10, 0)
    assert {item for item in more if item.key[0] == "k"} <= set(first)
    assert chosen(items, 10, 1) != first
    assert set(chosen(items, None, 0)) == set(chosen(items, 1000, 0)) == set(items)


def test_unchanged_pictures_are_counted_and_left_out_of_psnr(photos: Path) -> None:
    some = audit(photos, corruptions=["saturate"], severities=[1], edition="imagenet-64")
    assert some.scores[0].unchanged == 1
    assert math.isfinite(some.scores[0].psnr)
    assert "*" in _audit_files.as_text(some)
    none = audit(photos, corruptions=["fog"], severities=[0], edition="imagenet-64")
    (score,) = none.scores
    assert (score.condition, score.unchanged, score.psnr) == ("clean", 6, math.inf)
    assert score.ms_ssim == 1
    assert json.loads(_audit_files.as_json(none))["scores"][0]["psnr"] is None


def test_more_damage_is_less_alike(photos: Path) -> None:
    found = audit(photos, corruptions=["gaussian_noise"], edition="imagenet-64")
    for numbers in zip(*((s.ms_ssim, s.psnr) for s in found.scores), strict=True):
        assert list(numbers) == sorted(numbers, reverse=True)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"corruptions": []}, SpecError, "at least one corruption"),
        ({"corruptions": "fog"}, SpecError, r"\['fog'\]"),
        ({"corruptions": ["fog", "fog"]}, SpecError, "named twice"),
        ({"corruptions": ["fgo"]}, SpecError, "Did you mean fog"),
        ({"sample": 0}, SpecError, "at least 1 picture; got 0"),
        ({"workers": 0}, SpecError, "workers must be at least 1"),
        ({"edition": "cifar-32"}, ImageError, r"png: .*32x32"),
    ],
)
def test_refusals(photos: Path, options: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        audit(photos, **{"corruptions": ["fog"], **options})


def test_broken_and_small_pictures_are_named(photos: Path) -> None:
    Image.new("RGB", (10, 40)).save(photos / "c0" / "tiny.png")
    with pytest.raises(ImageError, match=r"^c0/tiny.png: .*at least 11 x 11"):
        audit(photos, corruptions=["contrast"], edition="any")
    (photos / "c0" / "tiny.png").write_bytes(b"no picture")
    with pytest.raises(ImageError, match=r"^c0/tiny.png"):
        audit(photos, corruptions=["contrast"], edition="any")


def test_nothing_to_audit() -> None:
    with pytest.raises(SourceError, match="no images"):
        chosen([], 5, 0)


FOUND = Audit(
    "any",
    3,
    ("a", "b"),
    (
        Score("fog", 1, "fog(severity=1)", 0.9, 0.0125, 20.0, 1.5, 0),
        Score("fog", 5, "fog(severity=5)", 0.5, 0.02, math.inf, math.nan, 2),
        Score("frost", 1, "frost(severity=1, texture=procedural)", 0.8, math.nan, 18.0, 0.5, 0),
        Score("frost", 5, "frost(severity=5, texture=procedural)", 0.4, 0.01, 9.0, 0.25, 0),
    ),
)


def test_text() -> None:
    lines = _audit_files.as_text(FOUND).splitlines()
    assert lines[0] == (
        "MS-SSIM to the clean picture by severity (1 is equal); "
        "edition any, seed 3, mean of 2 pictures"
    )
    assert lines[1].split() == ["corruption", "1", "5"]
    assert lines[2].split() == ["fog", "0.900", "±0.013", "0.500", "±0.020"]
    assert lines[3].split() == ["frost(texture=procedural)", "0.800", "0.400", "±0.010"]
    assert lines[7].split() == ["fog", "20.00", "±1.50", "inf*"]


def test_markdown_is_two_tables() -> None:
    lines = _audit_files.as_markdown(FOUND).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert tables[:2] == ["| corruption | 1 | 5 |", "| --- | ---: | ---: |"]
    assert len(tables) == 8
    assert {line.count("|") for line in tables} == {4}


def test_csv_and_json_hold_every_digit() -> None:
    rows = list(csv.DictReader(_audit_files.as_csv(FOUND).splitlines()))
    assert len(rows) == 4
    assert (rows[0]["edition"], rows[0]["seed"], rows[0]["images"]) == ("any", "3", "2")
    assert float(rows[0]["ms_ssim_error"]) == 0.0125
    whole = json.loads(_audit_files.as_json(FOUND))
    assert whole["format"] == "brittle-audit/1"
    assert (whole["edition"], whole["seed"], whole["keys"]) == ("any", 3, ["a", "b"])
    assert whole["scores"][2]["condition"] == "frost(severity=1, texture=procedural)"
    assert whole["scores"][1]["psnr"] is None


def test_the_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    paths = _audit_files.write(FOUND, tmp_path / "new")
    assert [path.name for path in paths] == ["audit.csv", "audit.json", "audit.png"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [p.name for p in paths]
    with Image.open(paths[2]) as page:
        assert page.format == "PNG"
        colours = page.convert("RGB").getcolors(2**24)
    # The lines of the two corruptions in the first two colours of the palette.
    assert {(0, 0x72, 0xB2), (0xD5, 0x5E, 0)} <= {colour for _, colour in colours}


def test_without_matplotlib_the_install_command_is_named(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "brittle\[plot\]"'):
        _audit_files.write(FOUND, tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert _audit_files.as_text(FOUND)


@pytest.mark.parametrize(
    "heights", [[], [0.5], [0.5, 0.5, 0.5], [0.99, 1.0, 0.98], [0.0, 0.01], [0.2, 0.9, 0.5, 0.25]]
)
def test_labels_stand_apart_in_their_order(heights: list[float]) -> None:
    placed = spread(heights, 0.06)
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in placed)
    ordered = sorted(placed)
    assert all(b - a >= 0.06 - 1e-9 for a, b in itertools.pairwise(ordered))
    for a, first in zip(heights, placed, strict=True):
        for b, second in zip(heights, placed, strict=True):
            assert (a < b) <= (first < second)

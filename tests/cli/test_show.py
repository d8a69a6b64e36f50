from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from brittle import assets
from brittle._example import example_picture
from brittle.cli import main
from brittle.corruptions import CORRUPTIONS
from brittle.rows import fields
from brittle.sheet import contact_sheet


@pytest.fixture(autouse=True)
def own_assets() -> Any:
    yield
    assets.use(None)


@pytest.mark.parametrize("name", CORRUPTIONS.names())
def test_every_corruption_has_its_page(name: str, capsys: Any) -> None:
    assert main(["show", name]) == 0
    page = capsys.readouterr().out
    part = CORRUPTIONS.load(name)
    assert page.startswith(f"{name}: {part.group}, ")
    assert f"version {part.version}" in page
    assert part.citation in page
    assert part.about in page
    for field, limit in fields(part.row).items():
        assert f"  {field}: " in page
        assert str(limit.limit) in page


def test_the_severities_of_all_editions(capsys: Any) -> None:
    assert main(["show", "fog"]) == 0
    page = capsys.readouterr().out
    assert "severities of imagenet-224, any\n  1: amount=1.5, decay=2\n" in page
    assert "severities of imagenet-64, tiny-imagenet-64\n" in page
    assert page.count("\n  5: amount=") == 4
    assert main(["show", "fog", "--edition", "tiny-imagenet-64"]) == 0
    assert capsys.readouterr().out.count("\n  5: amount=") == 1


def test_the_strip_of_the_default_picture(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "fog.png"
    assert main(["show", "fog", "-o", str(out), "--seed", "2"]) == 0
    assert capsys.readouterr().out.endswith(f"\n{out}\n")
    expected = contact_sheet(example_picture(), ["fog"], seed=2, key="example")
    with Image.open(out) as page:
        assert np.array_equal(page, expected)


def test_the_strip_of_a_picture(tmp_path: Path) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (300, 260, 3), np.uint8)
    Image.fromarray(picture).save(tmp_path / "cat.png")
    out = tmp_path / "strip.png"
    args = ["show", "snow", "--picture", str(tmp_path / "cat.png"), "--edition", "imagenet-64"]
    assert main([*args, "-o", str(out)]) == 0
    expected = contact_sheet(picture, ["snow"], edition="imagenet-64", key="cat")
    with Image.open(out) as page:
        assert np.array_equal(page, expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["fgo"], "Did you mean fog"),
        (["fog", "--edition", "imagenet"], "There is no edition"),
        (["fog", "--picture", "cat.png"], "-o"),
        (["fog", "-o", "strip.jpg"], ".png"),
        (["fog", "-o", "{tmp}/strip.png", "--picture", "{tmp}/none.png"], "nothing at"),
    ],
)
def test_refusals(tmp_path: Path, capsys: Any, options: list[str], message: str) -> None:
    assert main(["show", *(option.replace("{tmp}", str(tmp_path)) for option in options)]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

from pathlib import Path

import pytest
from PIL import Image

from brittle._build import build
from brittle.errors import BuildError
from tests.layouts import pictures


def test_published_names_and_jpeg_settings(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(
        pictures.folder(tmp_path / "src", 2),
        out,
        suite=None,
        edition="imagenet-224",
        conditions=["contrast(severity=2)"],
        clean=True,
        workers=1,
    )
    assert sorted(pictures.tree(out)) == [
        "clean/n00/image_0.png",
        "clean/n01/image_1.png",
        "contrast/2/n00/image_0.JPEG",
        "contrast/2/n01/image_1.JPEG",
        "manifest.json",
        "manifest.parquet",
    ]
    with Image.open(out / "contrast/2/n00/image_0.JPEG") as image:
        assert image.size == (224, 224)
        tables = image.quantization  # type: ignore[attr-defined]
        sampling = [(layer[1], layer[2]) for layer in image.layer]  # type: ignore[attr-defined]
    assert sampling == [(2, 2), (1, 1), (1, 1)]
    standard = tmp_path / "q85.jpg"
    Image.new("RGB", (8, 8)).save(standard, quality=85)
    with Image.open(standard) as image:
        assert tables == image.quantization  # type: ignore[attr-defined]


def test_two_images_of_one_name_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 2)
    deep = source / "n00" / "deep"
    deep.mkdir()
    (deep / "image_0.png").write_bytes((source / "n00" / "image_0.png").read_bytes())
    with pytest.raises(BuildError, match=r"n00/deep/image_0 and n00/image_0 would both be stored"):
        build(source, tmp_path / "out", suite=None, conditions=["contrast(severity=2)"], workers=1)
    assert not (tmp_path / "out").exists()

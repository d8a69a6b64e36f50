from pathlib import Path

import numpy as np
import pytest

from brittle._build import build
from brittle.conditions import condition
from brittle.errors import BuildError
from brittle.sources import open_source
from tests.layouts import pictures

GRID = [f"contrast(severity={severity})" for severity in range(1, 6)]


def test_cifar_form(tmp_path: Path) -> None:
    """Severities in blocks, labels repeated, class names in index order, clean images apart."""
    images = np.stack([pictures.picture(number, 32, 32) for number in range(6)])
    labels = np.array([2, 0, 1, 1, 2, 0])
    (tmp_path / "src").mkdir()
    np.save(tmp_path / "src" / "test.npy", images)
    np.save(tmp_path / "src" / "labels.npy", labels)
    (tmp_path / "src" / "classes.txt").write_text("ship\ncat\naxolotl\n")
    out = tmp_path / "out"
    build(
        tmp_path / "src",
        out,
        suite=None,
        edition="cifar-32",
        conditions=GRID,
        clean=True,
        layout="npy",
        workers=1,
        shard=4,
    )
    made = np.load(out / "contrast.npy")
    assert made.dtype == np.uint8
    assert made.shape == (30, 32, 32, 3)
    for block, text in enumerate(GRID):
        part = condition(text, edition="cifar-32")
        wanted = [part.apply(x, seed=0, key=f"{row:05d}") for row, x in enumerate(images)]
        np.testing.assert_array_equal(made[6 * block : 6 * block + 6], wanted)
    np.testing.assert_array_equal(np.load(out / "labels.npy"), np.tile(labels, 5))
    assert (out / "classes.txt").read_text() == "ship\ncat\naxolotl\n"
    np.testing.assert_array_equal(np.load(out / "clean" / "clean.npy"), images)
    np.testing.assert_array_equal(np.load(out / "clean" / "labels.npy"), labels)
    assert open_source(out / "contrast.npy").classes == ("ship", "cat", "axolotl")


def test_an_array_of_fewer_severities_lies_apart_with_its_own_labels(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(
        pictures.folder(tmp_path / "src"),
        out,
        suite=None,
        conditions=[*GRID, "fog(severity=2)"],
        layout="npy",
        workers=1,
    )
    assert np.load(out / "fog" / "fog.npy").shape == (5, 40, 48, 3)
    assert np.load(out / "fog" / "labels.npy").shape == (5,)
    assert np.load(out / "labels.npy").shape == (25,)


def test_different_sizes_are_refused_unless_prepared(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 2)
    pictures.folder(source, 1, height=41)
    with pytest.raises(BuildError, match="different sizes"):
        build(source, tmp_path / "out", suite=None, conditions=GRID, layout="npy", workers=1)
    assert not (tmp_path / "out").exists()
    build(
        source,
        tmp_path / "out",
        suite=None,
        conditions=GRID,
        layout="npy",
        edition="imagenet-64",
        workers=1,
    )
    assert np.load(tmp_path / "out" / "contrast.npy").shape == (10, 64, 64, 3)


def test_some_images_without_label_are_refused(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 2)
    pictures.folder(source, 1, labelled=False)
    with pytest.raises(BuildError, match="1 of 3 images have no label, such as image_0"):
        build(source, tmp_path / "out", suite=None, conditions=GRID, layout="npy", workers=1)

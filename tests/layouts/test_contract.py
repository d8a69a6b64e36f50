"""Every layout, found by discovery: what is written reads back to the pixels in memory."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from brittle import editions
from brittle._build import build
from brittle._verify import verify
from brittle.codec import decode_jpeg, encode_jpeg
from brittle.conditions import condition
from brittle.layouts import LAYOUTS, Cell, cells
from brittle.sources import Source, open_source
from tests.layouts import pictures

PICTURES = [name for name in LAYOUTS.names() if "pictures" in LAYOUTS.load(name).holds]

READERS: dict[str, Callable[[Path, Cell], Source]] = {
    "folder": lambda out, cell: open_source(out / cell.place, kind="folder"),
    "shards": lambda out, cell: open_source(out / cell.place, kind="shards"),
    "npy": lambda out, cell: open_source(
        out / f"{cell.group}.npy"
        if (out / f"{cell.group}.npy").is_file()
        else out / cell.group / f"{cell.group}.npy",
        kind="arrays",
    ),
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("edition", ["imagenet-64", "any"])
def test_reads_back_to_the_pixels_in_memory(name: str, edition: str, tmp_path: Path) -> None:
    assert name in READERS, f"say in READERS how the layout {name} is read"
    source = open_source(pictures.folder(tmp_path / "src"))
    out = tmp_path / "out"
    build(
        source,
        out,
        suite=None,
        edition=edition,
        conditions=pictures.CONDITIONS,
        clean=True,
        layout=name,
        seed=7,
        shard=2,
        workers=2,
    )
    used = editions.get(edition)
    placed = cells(condition(text, edition=edition) for text in ("clean", *pictures.CONDITIONS))
    count = len(source.items)
    compared = 0
    for cell in placed:
        back = READERS[name](out, cell)
        block = (cell.severity or 1) - 1 if name == "npy" and cell.group == "gaussian_noise" else 0
        if name == "npy":
            assert len(back.items) == count * (2 if cell.group == "gaussian_noise" else 1)
        else:
            assert [item.key for item in back.items] == [item.key for item in source.items]
        for at, item in enumerate(source.items):
            stored = back.items[block * count + at]
            assert stored.label == item.label
            wanted = cell.condition.apply(used.prepare(source.load(item)), seed=7, key=item.key)
            if used.jpeg is not None and name != "npy" and cell.name != "clean":
                wanted = decode_jpeg(encode_jpeg(wanted, used.jpeg, optimize=True))
            np.testing.assert_array_equal(back.load(stored), wanted)
            compared += 1
    assert compared == 5 * count
    assert verify(out).ok


@pytest.mark.parametrize("name", PICTURES)
def test_bytes_do_not_depend_on_workers(name: str, tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src")
    trees = []
    for workers in (1, 4):
        out = tmp_path / f"out{workers}"
        build(
            source,
            out,
            suite=None,
            edition="imagenet-64",
            conditions=pictures.CONDITIONS,
            layout=name,
            shard=2,
            workers=workers,
        )
        trees.append(pictures.tree(out))
    assert trees[0] == trees[1]
    assert len(trees[0]) > 4


@pytest.mark.parametrize("name", PICTURES)
def test_shard_size_is_in_the_fingerprint_only_where_it_shows(name: str, tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src")
    prints = {
        build(
            source,
            tmp_path / f"out{shard}",
            suite=None,
            edition="imagenet-64",
            conditions=pictures.CONDITIONS[:2],
            layout=name,
            shard=shard,
            workers=1,
        ).fingerprint
        for shard in (1, 3, 64)
    }
    assert len(prints) == (3 if LAYOUTS.load(name).sharded else 1)


@pytest.mark.parametrize("name", PICTURES)
def test_unlabelled_images(name: str, tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", labelled=False)
    out = tmp_path / "out"
    build(source, out, suite=None, conditions=["contrast(severity=1)"], layout=name, workers=1)
    (cell,) = cells([condition("contrast(severity=1)")])
    back = READERS[name](out, cell)
    assert len(back.items) == 5
    assert {item.label for item in back.items} == {None}
    assert verify(out).ok

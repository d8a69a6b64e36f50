"""What every kind of source must do; the kinds are found, and each must have an example."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from brittle.errors import BrittleError, SourceError
from brittle.labels import many
from brittle.sources import FAMILY, Item, Source, open_source, scan
from tests.sources.examples import EXAMPLES, MANY, SPECS, UNLABELLED, write

KINDS = FAMILY.names()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def place(kind: str, tmp_path: Path) -> Path:
    if kind in SPECS:
        return Path(SPECS[kind])
    assert kind in EXAMPLES, f"add an example of the source '{kind}' to tests/sources/examples.py"
    return EXAMPLES[kind](tmp_path / "data")


@pytest.fixture
def source(place: Path) -> Source:
    return open_source(place)


def test_there_is_no_example_without_a_kind() -> None:
    assert EXAMPLES.keys() | SPECS.keys() == set(KINDS)
    assert not EXAMPLES.keys() & SPECS.keys()
    assert set(KINDS) > MANY


def test_is_recognised(kind: str, source: Source) -> None:
    assert source.kind == kind


def test_is_recognised_by_no_other(kind: str, place: Path) -> None:
    others = [name for name in KINDS if name not in (kind, "folder")]
    assert [name for name in others if FAMILY.load(name).recognises(place)] == []


def test_recognising_what_is_not_there_is_false(kind: str, tmp_path: Path) -> None:
    assert FAMILY.load(kind).recognises(tmp_path / "absent") is False


def test_says_its_layout_in_one_line(kind: str) -> None:
    layout = FAMILY.load(kind).layout
    assert layout
    assert "\n" not in layout


def test_keys_are_unique_posix_and_inside(source: Source) -> None:
    keys = [item.key for item in source.items]
    assert len(set(keys)) == len(keys) > 1
    for key in keys:
        assert "\\" not in key
        assert not {"", ".", ".."} & set(key.split("/"))


def test_items_come_in_the_order_of_their_keys(source: Source) -> None:
    # For arrays the five digits make the published order the same.
    assert list(source.items) == sorted(source.items, key=lambda item: item.key)


def test_labels_are_names_of_classes(kind: str, source: Source) -> None:
    if kind in UNLABELLED:
        assert {item.label for item in source.items} == {None}
        assert source.classes == ()
        return
    found = {item.label or "" for item in source.items}
    if kind in MANY:
        found = {name for text in found for name in many.split(text)}
        assert any(many.SEPARATOR in (item.label or "") for item in source.items)
    assert found <= set(source.classes)
    assert len(set(source.classes)) == len(source.classes) > 1


def test_loads_new_rgb_pixels(source: Source) -> None:
    for item in source.items:
        image = source.load(item)
        assert image.dtype == np.uint8
        assert image.ndim == 3
        assert image.shape[2] == 3
        assert image.flags.c_contiguous
        assert image.flags.writeable
        image[:] = 0
        assert source.load(item).any()


def test_decode_of_read_is_load(source: Source) -> None:
    for item in source.items:
        data = source.read(item)
        assert isinstance(data, bytes)
        np.testing.assert_array_equal(source.decode(item, data), source.load(item))


def test_eight_threads_load_the_same(source: Source) -> None:
    alone = [source.load(item) for item in source.items]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(source.load, source.items * 6))
    for at, image in enumerate(together):
        np.testing.assert_array_equal(image, alone[at % len(alone)])


def test_scan_does_not_depend_on_workers_or_place(kind: str, place: Path, tmp_path: Path) -> None:
    here = scan(open_source(place))
    elsewhere = place
    if kind not in SPECS:
        elsewhere = tmp_path / "another" / "place"
        shutil.copytree(place, elsewhere)
    there = scan(open_source(elsewhere), workers=4)
    assert here == there
    assert here.broken == ()
    assert here.items == open_source(place).items


def test_opens_the_same_each_time(place: Path) -> None:
    one, two = open_source(place), open_source(place)
    assert one.items == two.items
    assert one.classes == two.classes


def test_a_foreign_item_is_refused(source: Source) -> None:
    with pytest.raises(BrittleError, match="no-such-item"):
        source.read(Item("no-such-item", None, "no-such-item"))


def test_repr_is_short(kind: str, source: Source) -> None:
    assert repr(source).startswith(f"<{kind} source of {len(source.items)} images")
    assert len(repr(source)) < 200 + len(str(source.root))


def test_an_empty_folder_says_what_was_looked_for(kind: str, tmp_path: Path) -> None:
    write(tmp_path / "notes.md", "nothing here")
    with pytest.raises(SourceError, match=r"looked for|There is no |looked there"):
        open_source(tmp_path, kind=kind)


def test_a_missing_path_is_refused(kind: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"There is nothing at .*absent"):
        open_source(tmp_path / "absent", kind=kind)

from pathlib import Path

import numpy as np
import pytest

import brittle
from brittle.cli import main
from brittle.errors import BrittleError, SourceError, SpecError
from brittle.sources import Item, open_source, scan
from brittle.sources._decode import decode


def test_keys_count_and_sizes() -> None:
    source = open_source("anomaly:blobs(count=18, side=20, seed=3)")
    assert len(source.items) == 18
    assert source.items[17] == Item("blobs-00017", None, "blobs[17]")
    assert source.load(source.items[17]).shape == (20, 20, 3)
    assert source.kind == "anomaly"
    assert not source.upright
    assert len(open_source("anomaly:uniform(side=2)").items) == 1000


def test_a_picture_depends_on_nothing_but_seed_anomaly_key_and_side() -> None:
    few = open_source("anomaly:gaussian(count=3, side=16, seed=1)")
    many = open_source("anomaly:gaussian(seed=1, count=900, side=16, std=0.5)")
    assert many.items[:3] == few.items
    assert all(np.array_equal(few.load(i), many.load(i)) for i in few.items[::-1])
    first = few.items[0]
    for other in (
        "anomaly:gaussian(count=3, side=16, seed=2)",
        "anomaly:gaussian(count=3, side=16, seed=1, std=0.4)",
    ):
        assert not np.array_equal(open_source(other).load(first), few.load(first))
    pictures = [few.load(item) for item in few.items]
    assert not np.array_equal(pictures[0], pictures[1])


def test_what_is_read_names_the_picture() -> None:
    texts = set()
    specs = (
        "blobs(count=2, side=16)",
        "blobs(count=2, side=17)",
        "blobs(count=2, side=16, seed=1)",
        "blobs(count=2, side=16, sigma=2)",
        "uniform(count=2, side=16)",
    )
    for spec in specs:
        source = open_source(f"anomaly:{spec}")
        texts |= {source.read(item) for item in source.items}
    assert len(texts) == 2 * len(specs)
    same = open_source("anomaly:blobs(side=16, count=2, seed=0, cells=32)")
    assert {same.read(item) for item in same.items} < texts
    prints = {scan(open_source(f"anomaly:{spec}")).fingerprint for spec in specs}
    assert len(prints) == len(specs)


def test_the_text_of_another_picture_is_refused() -> None:
    one, other = (open_source(f"anomaly:uniform(count=2, side={side})") for side in (8, 9))
    with pytest.raises(SourceError, match=r"uniform\[0\] is not the picture that"):
        one.decode(one.items[0], other.read(other.items[0]))


@pytest.mark.parametrize("key", ["blobs-00001", "uniform-00002", "uniform-1", "uniform", "-00001"])
def test_items_of_others_are_refused(key: str) -> None:
    source = open_source("anomaly:uniform(count=2, side=8)")
    with pytest.raises(SourceError, match=f"'{key}' is not an item of"):
        source.read(Item(key, None, key))


def test_the_side_is_the_openers_unless_it_is_said() -> None:
    source = open_source("anomaly:blobs(count=1)", side=48)
    assert source.load(source.items[0]).shape == (48, 48, 3)
    own = open_source("anomaly:blobs(count=1, side=20)", side=48)
    assert own.load(own.items[0]).shape == (20, 20, 3)
    with pytest.raises(SourceError, match=r"write anomaly:blobs\(count=1, side=224\)"):
        open_source("anomaly:blobs(count=1)")


def test_a_side_leaves_files_as_they_are(tmp_path: Path) -> None:
    from tests.sources.examples import folder

    source = open_source(folder(tmp_path), side=48)
    assert source.load(source.items[0]).shape == (5, 7, 3)


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("blob(side=8)", SpecError, r"no synthetic anomaly 'blob'. Did you mean blobs\?"),
        ("blobs(side=8, count=0)", SpecError, "count=0; it must be a whole number of at least 1 a"),
        ("blobs(side=8, count=100001)", SpecError, "at most 100000"),
        ("blobs(side=8.5)", SpecError, "side=8.5; it must be a whole number of at least 1"),
        ("blobs(side=0)", SpecError, "side=0; it must be"),
        ("blobs(side=8, seed=x)", SpecError, "seed='x'; it must be a whole number"),
        ("blobs(side=8, cell=3)", SpecError, r"blobs: There is no parameter 'cell'"),
        ("uniform(side=8, std=3)", SpecError, "uniform takes no parameters; leave std out"),
        ("blobs(side=8", SpecError, "is not a spec"),
        ("", SpecError, "is not a spec"),
    ],
)
def test_what_names_no_pictures_says_why(spec: str, error: type[BrittleError], said: str) -> None:
    with pytest.raises(error, match=said):
        open_source(f"anomaly:{spec}")


def test_too_many_pixels_are_refused_before_any_is_made() -> None:
    with pytest.raises(SourceError, match="10x10 have more than the 99 pixels"):
        open_source("anomaly:blobs(side=10)", max_pixels=99)


def test_a_folder_of_that_name_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.sources.examples import folder

    monkeypatch.chdir(tmp_path)
    folder(tmp_path / "anomaly:mine")
    assert open_source("anomaly:mine").kind == "folder"


def test_a_split_of_it_is_refused() -> None:
    with pytest.raises(SourceError, match="it is read as anomaly, and it has one part"):
        open_source("anomaly:blobs(side=8)", split="train")


def test_it_can_be_built_resumed_and_verified(tmp_path: Path) -> None:
    out = tmp_path / "set"
    spec = "anomaly:blobs(count=3, side=32)"
    made = brittle.build(spec, out, suite=None, conditions=["fog(decay=2, severity=1)"], clean=True)
    assert (made.images, made.conditions, made.complete) == (3, 2, False)
    assert brittle.build(
        spec, out, suite=None, conditions=["fog(decay=2, severity=1)"], clean=True
    ).complete
    assert brittle.verify(out).ok
    source = open_source(spec)
    files = sorted(out.glob("clean*/**/blobs-00001.png"))
    assert len(files) == 1
    clean = decode(files[0].read_bytes(), name="x", max_pixels=10**6)
    assert np.array_equal(clean, source.load(source.items[1]))


def test_it_can_be_corrupted_from_the_command_line(tmp_path: Path) -> None:
    spec = "anomaly:rademacher(count=2, side=16)"
    assert (
        main(["corrupt", spec, "-c", "contrast(severity=2)", "-o", str(tmp_path / "out"), "-q"])
        == 0
    )
    assert len(list((tmp_path / "out").rglob("rademacher-*.png"))) == 2

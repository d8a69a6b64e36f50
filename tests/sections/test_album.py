"""Pictures on the page are those that the model saw: the oracle is a model that notes its input."""

import shutil

import numpy as np
import pytest

from brittle import Run, build, open_source
from brittle.conditions import CLEAN
from brittle.errors import SourceError
from brittle.sections._album import Album
from tests.helpers import runs as small
from tests.sections.runs import labelled, measured, network


def shown(run):
    """(key, condition) -> the set, for every picture of a run."""
    rows = run.predictions(columns=["key", "condition"]).to_pydict()
    return dict(zip(zip(rows["key"], rows["condition"], strict=True), rows["set"], strict=True))


def known(pictures):
    return {picture.tobytes() for picture in pictures}


@pytest.mark.parametrize("options", [{}, {"jpeg": False}, {"seed": 7}, {"limit": 9}])
def test_made_pictures_are_those_that_the_model_saw(tmp_path, options):
    seen = []
    run, source = measured(tmp_path, model=network(seen=seen), **options)
    album, saw = Album([source]), known(seen)
    found = shown(run)
    assert {condition for _, condition in found} > {CLEAN, "glass_blur(severity=5)"}
    pictures = [album.picture(run, name, key, one) for (key, one), name in found.items()]
    assert known(pictures) <= saw
    assert len(known(pictures)) == len(found)


def test_read_pictures_are_those_of_the_files(tmp_path):
    source = labelled(tmp_path / "pictures", 8)
    suite = small.suite(tmp_path / "suites")
    build(source, suite=suite, out=tmp_path / "set")
    seen = []
    run = small.measured(tmp_path / "set", tmp_path / "run", suite, model=network(seen=seen),
                         clean=source)  # fmt: skip
    found = shown(run)
    assert len(set(found.values())) == 2
    album = Album([source, tmp_path / "set"])
    pictures = [album.picture(run, name, key, one) for (key, one), name in found.items()]
    assert known(pictures) <= known(seen)
    assert len(known(pictures)) == len(found)
    read = next(name for (_, one), name in found.items() if one != CLEAN)
    with pytest.raises(SourceError, match="holds no corrupted set"):
        Album([source]).picture(run, read, next(iter(found))[0], "contrast(severity=2)")


def test_another_built_set_is_refused(tmp_path):
    suite = small.suite(tmp_path / "suites")
    for name, count in (("one", 8), ("two", 9)):
        build(labelled(tmp_path / name, count), suite=suite, out=tmp_path / f"{name}-set")
    run = small.measured(tmp_path / "one-set", tmp_path / "run", suite, model=network(),
                         clean=tmp_path / "one")  # fmt: skip
    (key, one), name = next(item for item in shown(run).items() if item[0][1] != CLEAN)
    Album([tmp_path / "one-set"]).picture(run, name, key, one)
    with pytest.raises(SourceError, match="is another set than was measured"):
        Album([tmp_path / "two-set"]).picture(run, name, key, one)


def test_a_changed_picture_is_refused(tmp_path):
    run, source = measured(tmp_path)
    (key, condition), name = next(iter(shown(run).items()))
    path = source / f"{key}.png"
    other = next(one for one in source.rglob("*.png") if one != path)
    shutil.copy(other, path)
    with pytest.raises(SourceError, match="has changed since the run began"):
        Album([source]).picture(run, name, key, condition)


def test_a_picture_that_is_not_there_is_refused_by_name(tmp_path):
    run, source = measured(tmp_path)
    (key, condition), name = next(iter(shown(run).items()))
    (source / f"{key}.png").unlink()
    with pytest.raises(SourceError, match=f"has no picture {key}"):
        Album([source]).picture(run, name, key, condition)
    with pytest.raises(SourceError, match="There are no data to look in"):
        Album().picture(run, name, key, condition)


def test_any_place_that_has_it_will_do(tmp_path):
    run, source = measured(tmp_path)
    (tmp_path / "empty" / "n00").mkdir(parents=True)
    shutil.copy(next(source.rglob("*.png")), tmp_path / "empty" / "n00" / "strange.png")
    (key, condition), name = next(iter(shown(run).items()))
    album = Album([tmp_path / "empty", open_source(source)])
    assert album.picture(run, name, key, condition).shape == (64, 64, 3)
    assert album
    assert not Album()


def test_another_version_of_a_corruption_is_refused(tmp_path):
    run, source = measured(tmp_path)
    run.info["versions"]["contrast"] = 99
    key, name = next((key, name) for (key, _), name in shown(run).items())
    with pytest.raises(SourceError, match="contrast has version 1 here and 99 in the run"):
        Album([source]).picture(run, name, key, "contrast(severity=2)")
    Album([source]).picture(run, name, key, CLEAN)


def test_another_texture_of_frost_is_refused(tmp_path, monkeypatch):
    """Frost of photographs that are not here must not be shown as procedural ice."""
    (tmp_path / "none").mkdir()
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path / "none"))
    run, source = measured(tmp_path)
    key, name = next((key, name) for (key, _), name in shown(run).items())
    with pytest.raises(SourceError, match="its ice photographs are missing"):
        Album([source]).picture(run, name, key, "frost(severity=2)")


def test_an_open_source_that_turns_pictures_is_refused(tmp_path):
    run, source = measured(tmp_path)
    (key, condition), name = next(iter(shown(run).items()))
    with pytest.raises(SourceError, match="open it with exif=False"):
        Album([open_source(source, exif=True)]).picture(run, name, key, condition)


def test_arrays_in_memory(tmp_path):
    pictures = np.random.default_rng(0).integers(0, 256, (6, 64, 64, 3), dtype=np.uint8)
    from brittle.sources._memory import in_memory

    labels = ["n00", "n01", "n02"] * 2
    run = small.measured(
        (pictures, labels), tmp_path / "run", small.suite(tmp_path), model=network()
    )
    album = Album([in_memory(pictures, labels, classes=None)])
    name = run.suite().cells[0].set
    key = run.outcomes()[name].keys[4]
    assert np.array_equal(album.picture(Run.open(run.path), name, key, CLEAN), pictures[4])

import subprocess
import sys
from pathlib import Path

import pytest

import brittle.sources
from brittle.errors import SourceError, SpecError
from brittle.sources import open_source
from tests.sources import examples


def test_exports_are_there_and_sorted() -> None:
    names = brittle.sources.__all__
    assert all(hasattr(brittle.sources, name) for name in names)

    def rank(name: str) -> tuple[int, str]:
        return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

    assert names == sorted(names, key=rank)


def test_import_is_light() -> None:
    heavy = "{'numpy', 'PIL', 'cv2', 'tarfile', 'brittle.sources.folder'}"
    code = f"import sys, brittle.sources; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_kind_gets_a_hint(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"There is no source 'foldr'. Did you mean folder\?"):
        open_source(tmp_path, kind="foldr")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"There is nothing at .*photos; give a folder"):
        open_source(tmp_path / "photos")


def test_a_name_that_no_system_takes_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        open_source(tmp_path / ("x" * 5000))


def test_text_paths_are_paths(tmp_path: Path) -> None:
    examples.folder(tmp_path)
    assert open_source(str(tmp_path)).items == open_source(tmp_path).items


def test_a_kind_may_be_forced(tmp_path: Path) -> None:
    examples.tiny(tmp_path)
    assert open_source(tmp_path / "val", kind="folder").classes == ("images",)
    assert open_source(tmp_path / "val").classes == ("n02", "n01")


def test_two_kinds_at_once_must_be_told_apart(tmp_path: Path) -> None:
    examples.tiny(tmp_path)
    examples.cifar_10(tmp_path)
    with pytest.raises(SourceError, match="could be read as cifar or as tiny; say which"):
        open_source(tmp_path)
    assert open_source(tmp_path, kind="tiny").kind == "tiny"


def test_a_split_that_is_not_there_is_refused(tmp_path: Path) -> None:
    place = examples.folder(tmp_path / "pictures")
    with pytest.raises(
        SourceError, match=r"no split 'train': it is read as folder, and it has one"
    ):
        open_source(place, split="train")
    batches = examples.cifar_10(tmp_path / "batches")
    with pytest.raises(SourceError, match=r"no split 'val'.*its splits are test and train"):
        open_source(batches, split="val")


def test_no_pixels_at_all_is_no_limit(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="max_pixels is 0"):
        open_source(tmp_path, max_pixels=0)


def test_a_file_of_another_sort_is_refused(tmp_path: Path) -> None:
    film = examples.write(tmp_path / "film.mp4", b"film")
    with pytest.raises(SourceError, match=r"film.mp4 is not a source of images: give a folder"):
        open_source(film)

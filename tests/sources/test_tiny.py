from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brittle.errors import SourceError
from brittle.sources import Item, open_source, scan
from tests.sources.examples import encoded, tiny, write


def test_labels_come_from_the_table(tmp_path: Path) -> None:
    source = open_source(tiny(tmp_path))
    assert source.items == (
        Item("n01/val_2", "n01", "images/val_2.JPEG"),
        Item("n02/val_0", "n02", "images/val_0.JPEG"),
        Item("n02/val_10", "n02", "images/val_10.JPEG"),
    )
    assert source.classes == ("n02", "n01")


def test_pixels_are_of_the_named_file(tmp_path: Path) -> None:
    source = open_source(tiny(tmp_path))
    with Image.open(tmp_path / "val" / "images" / "val_0.JPEG") as image:
        np.testing.assert_array_equal(source.load(source.items[1]), np.asarray(image))


def test_the_root_and_its_val_are_the_same(tmp_path: Path) -> None:
    tiny(tmp_path)
    one, two = open_source(tmp_path), open_source(tmp_path / "val")
    assert one.root == two.root == tmp_path / "val"
    assert (one.items, one.classes) == (two.items, two.classes)
    assert scan(one) == scan(two)


def test_without_a_list_classes_are_in_abc_order(tmp_path: Path) -> None:
    tiny(tmp_path)
    (tmp_path / "wnids.txt").unlink()
    assert open_source(tmp_path).classes == ("n01", "n02")


def test_classes_without_images_stay_in_the_list(tmp_path: Path) -> None:
    tiny(tmp_path)
    write(tmp_path / "wnids.txt", "n03\nn02\nn01\n")
    assert open_source(tmp_path).classes == ("n03", "n02", "n01")


def test_images_that_nobody_annotated_are_named(tmp_path: Path) -> None:
    tiny(tmp_path)
    for number in range(30, 38):
        write(tmp_path / "val" / "images" / f"val_{number}.JPEG", encoded(1, "JPEG"))
    with pytest.raises(SourceError, match=r"val_30.JPEG, .* and 3 more are in .*images but not in"):
        open_source(tmp_path)


def test_annotated_images_that_are_not_there_are_named(tmp_path: Path) -> None:
    tiny(tmp_path)
    (tmp_path / "val" / "images" / "val_2.JPEG").unlink()
    with pytest.raises(SourceError, match=r"^val_2.JPEG are in val_annotations.txt but not in"):
        open_source(tmp_path)


def test_the_table_cannot_lead_out(tmp_path: Path) -> None:
    tiny(tmp_path)
    write(tmp_path / "secret.png", encoded(1))
    table = tmp_path / "val" / "val_annotations.txt"
    table.write_text(table.read_text() + "../../secret.png\tn01\t0\t0\t1\t1\n")
    with pytest.raises(SourceError, match=r"^../../secret.png are in .* but not in"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    "line", ["val_0.JPEG n01", "val_0.JPEG\t", "\tn01", "", "a.JPEG\t..", "a\tb/c"]
)
def test_a_line_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    tiny(tmp_path)
    table = tmp_path / "val" / "val_annotations.txt"
    table.write_text(table.read_text() + line + "\nval_9.JPEG\tn01\t0\t0\t1\t1\n")
    with pytest.raises(SourceError, match="in line 4; it must be a file name, a tab, a wnid"):
        open_source(tmp_path)


def test_a_file_annotated_twice_is_refused(tmp_path: Path) -> None:
    tiny(tmp_path)
    table = tmp_path / "val" / "val_annotations.txt"
    table.write_text(table.read_text() + "val_0.JPEG\tn01\t0\t0\t1\t1\n")
    with pytest.raises(SourceError, match=r"has val_0.JPEG twice, again in line 4"):
        open_source(tmp_path)


def test_a_wnid_that_is_not_in_the_list_is_named(tmp_path: Path) -> None:
    tiny(tmp_path)
    write(tmp_path / "wnids.txt", "n02\n")
    with pytest.raises(SourceError, match=r"^n01 are classes in .* but not in .*wnids.txt"):
        open_source(tmp_path)


def test_an_empty_table(tmp_path: Path) -> None:
    write(tmp_path / "val_annotations.txt", "")
    with pytest.raises(SourceError, match="There are no images in"):
        open_source(tmp_path)

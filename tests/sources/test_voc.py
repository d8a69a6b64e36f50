from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brittle import labels
from brittle.errors import SourceError, SpecError
from brittle.sources import Item, open_source
from tests.sources.examples import annotation, encoded, voc, write


def test_labels_name_the_classes_of_the_objects(tmp_path: Path) -> None:
    source = open_source(voc(tmp_path))
    assert source.items == (
        Item("000003", "cat", "000003.jpg"),
        Item("000007", "", "000007.jpg"),
        Item("000012", "dog|person", "000012.jpg"),
    )
    assert source.classes == labels.known("voc")
    with Image.open(tmp_path / "JPEGImages" / "000012.jpg") as image:
        np.testing.assert_array_equal(source.load(source.items[2]), np.asarray(image))


def test_difficult_objects_count_by_option(tmp_path: Path) -> None:
    source = open_source(voc(tmp_path), kind="voc(difficult=true)")
    assert [item.label for item in source.items] == ["cat|chair", "sofa", "dog|person"]
    plain = open_source(tmp_path, kind="voc(difficult=false)")
    assert plain.items == open_source(tmp_path).items


def test_an_option_of_another_type_or_name_is_refused(tmp_path: Path) -> None:
    voc(tmp_path)
    with pytest.raises(SpecError, match="difficult must be a bool; got 1"):
        open_source(tmp_path, kind="voc(difficult=1)")
    with pytest.raises(SpecError, match=r"no parameter 'dificult'. Did you mean difficult\?"):
        open_source(tmp_path, kind="voc(dificult=true)")
    with pytest.raises(SpecError, match="The source folder: it takes none"):
        open_source(tmp_path, kind="folder(difficult=true)")


def test_splits(tmp_path: Path) -> None:
    voc(tmp_path)
    found = open_source(tmp_path, split="trainval")
    assert found.items == (Item("000099", "train", "000099.jpg"),)
    with pytest.raises(SourceError, match=r"no .*val.txt, .* there are test, trainval \(--split"):
        open_source(tmp_path, split="val")
    with pytest.raises(SourceError, match="its splits are test and train and trainval and val"):
        open_source(tmp_path, split="minival")


def test_classes_of_ones_own_come_in_abc_order(tmp_path: Path) -> None:
    voc(tmp_path)
    write(tmp_path / "Annotations" / "000003.xml", annotation(("zebra", 0), ("apple", 0)))
    assert open_source(tmp_path).classes == ("apple", "dog", "person", "zebra")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    voc(tmp_path)
    (tmp_path / "JPEGImages" / "000007.jpg").unlink()
    with pytest.raises(SourceError, match=r"000007 is in the split test but not in .*JPEGImages"):
        open_source(tmp_path)
    (tmp_path / "Annotations" / "000007.xml").unlink()
    write(tmp_path / "JPEGImages" / "000007.jpg", encoded(1, "JPEG"))
    with pytest.raises(SourceError, match=r"000007 is in the split test but not in .*Annotations"):
        open_source(tmp_path)


def test_a_list_cannot_lead_out_and_names_an_image_once(tmp_path: Path) -> None:
    voc(tmp_path / "in")
    place = tmp_path / "in" / "ImageSets" / "Main" / "test.txt"
    write(tmp_path / "secret.jpg", encoded(1, "JPEG"))
    write(place, "../../secret\n")
    with pytest.raises(SourceError, match=r"\.\./\.\./secret is in the split test but not in"):
        open_source(tmp_path / "in")
    write(place, "000003\n000003\n")
    with pytest.raises(SourceError, match="has 000003 twice"):
        open_source(tmp_path / "in")
    write(place, "\n")
    with pytest.raises(SourceError, match="There are no images in"):
        open_source(tmp_path / "in")


BOMB = """<!DOCTYPE annotation [<!ENTITY a "dog"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<annotation><object><name>&b;</name></object></annotation>"""
OUTSIDE = """<!DOCTYPE annotation SYSTEM "file:///etc/passwd">
<annotation><object><name>dog</name></object></annotation>"""


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_no_document_type_is_read(tmp_path: Path, text: str) -> None:
    voc(tmp_path)
    write(tmp_path / "Annotations" / "000003.xml", text)
    with pytest.raises(SourceError, match="declares a document type, which could expand into any"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<annotation><object>", "000003.xml is not a whole XML file"),
        ("", "is not a whole XML file"),
        ('<?xml version="1.0" encoding="big5"?><annotation/>', "is not a whole XML file"),
        ('<?xml version="1.0" encoding="rot13"?><annotation/>', "is not a whole XML file"),
        ("<annotation><object><name>&cat;</name></object></annotation>", "not a whole XML file"),
        ("<annotation><object><name/></object></annotation>", "object with the name '' and diff"),
        (annotation(("cat", 2)), "object with the name 'cat' and difficult '2'"),
    ],
)
def test_an_annotation_of_another_form_is_refused(tmp_path: Path, text: str, said: str) -> None:
    voc(tmp_path)
    write(tmp_path / "Annotations" / "000003.xml", text)
    with pytest.raises(SourceError, match=said):
        open_source(tmp_path)


def test_an_annotation_without_objects_has_no_class(tmp_path: Path) -> None:
    voc(tmp_path)
    write(tmp_path / "Annotations" / "000003.xml", "<annotation/>")
    assert open_source(tmp_path).items[0].label == ""


def test_names_of_parts_and_of_the_file_are_not_classes(tmp_path: Path) -> None:
    voc(tmp_path)
    text = "<annotation><name>folder</name><object><part><name>head</name></part><name>cow</name>"
    write(tmp_path / "Annotations" / "000003.xml", text + "</object></annotation>")
    assert open_source(tmp_path).items[0].label == "cow"

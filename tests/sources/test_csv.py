from pathlib import Path

import pytest

from brittle.errors import LabelError, SourceError, SpecError
from brittle.sources import Item, open_source
from tests.sources.examples import csv, encoded, write


def table(root: Path, text: str) -> Path:
    csv(root)
    return write(root / "labels.csv", text).parent


def test_labels_are_joined_in_one_column(tmp_path: Path) -> None:
    source = open_source(csv(tmp_path))
    assert source.items == (
        Item("0", "", "0.png"),
        Item("1", "bird", "1.png"),
        Item("2", "cat|dog", "2.png"),
    )
    assert source.classes == ("bird", "cat", "dog")


def test_a_column_a_class(tmp_path: Path) -> None:
    text = 'image,zebra,ant,"hot dog"\n0.png,1,0,1.0\n2.png,0,0,0.0\n'
    source = open_source(table(tmp_path, text))
    assert [(item.key, item.label) for item in source.items] == [("0", "hot dog|zebra"), ("2", "")]
    assert source.classes == ("zebra", "ant", "hot dog")
    assert source.ignored == 1


def test_options_name_the_columns_and_the_separator(tmp_path: Path) -> None:
    text = 'n,file,tags\n1,0.png,"a, b"\n2,1.png,b\n'
    place = table(tmp_path, text)
    source = open_source(place, kind='csv(image=file, labels=tags, separator=",")')
    assert [item.label for item in source.items] == ["a|b", "b"]
    with pytest.raises(SourceError, match="has no column lables; it has file, n, tags"):
        open_source(place, kind="csv(labels=lables)")
    with pytest.raises(SpecError, match=r"separator of csv.* is empty"):
        open_source(place, kind='csv(separator="")')


def test_blanks_around_names_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    text = "\ufeffimage , label\r\n 0.png , a | b \r\n\r\n1.png, \r\n"
    source = open_source(table(tmp_path, text))
    assert [item.label for item in source.items] == ["a|b", ""]


def test_images_may_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    write(tmp_path / "images" / "deep" / "a.png", encoded(1))
    write(tmp_path / "labels.csv", "image,labels\ndeep/a.png,x\n")
    write(tmp_path / "other.csv", "image,labels\ndeep/a.png,y\n")
    assert open_source(tmp_path).items == (Item("deep/a", "x", "deep/a.png"),)
    assert open_source(tmp_path / "other.csv").items[0].label == "y"
    other = tmp_path / "other"
    (tmp_path / "images").rename(other)
    named = open_source(tmp_path / "labels.csv", kind=f"csv(images={other})")
    assert named.items == (Item("deep/a", "x", "deep/a.png"),)


def test_a_table_beside_class_folders_is_none_of_the_sources_business(tmp_path: Path) -> None:
    write(tmp_path / "cat" / "a.png", encoded(1))
    write(tmp_path / "labels.csv", "image,labels\ncat/a.png,dog\n")
    assert open_source(tmp_path).items[0].label == "cat"
    assert open_source(tmp_path, kind="csv").items[0].label == "dog"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There are no images in .*: it is empty"),
        ("image,labels\n", "it has no row below the first"),
        ("image\n0.png\n", "has the columns image; one must hold the image and another its labels"),
        ("labels,x\n0.png,1\n", "has the columns labels, x; one must hold"),
        ("image,,labels\n0.png,a,b\n", "a column without a name, or two of one name"),
        ("image,a,a\n0.png,1,0\n", "a column without a name, or two of one name"),
        ("image,labels\n0.png\n", "line 2 has 1 cells; there are 2 columns"),
        ("image,labels\n0.png,a\n0.png,b\n", "line 3 has '0.png' again"),
        ("image,labels\n0.png,a||b\n", "labels 'a||b'; there must be a name on both sides"),
        ("image,a,b\n0.png,1,-1\n", "has '-1' for b; without a column named labels"),
        ("image,a,b\n0.png,1,\n", "has '' for b"),
        ("image,labels\nno.png,a\n", "no.png is in .*labels.csv but not among the files in"),
        ("image,labels\n../up.png,a\n", r"\.\./up.png is in .* but not among the files"),
        ("image,labels\nlabels.csv,a\n", "names labels.csv, no image by the suffix"),
        ('image,labels\n"0.png,a\n', "cannot be read as CSV in UTF-8"),
    ],
)
def test_a_table_of_another_form_is_refused(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path / "up.png", encoded(1))
    with pytest.raises(SourceError, match=said):
        open_source(table(tmp_path / "in", text))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    csv(tmp_path)
    write(tmp_path / "labels.csv", b"image,labels\n0.png,\xff\xfe\n")
    with pytest.raises(SourceError, match="cannot be read as CSV in UTF-8"):
        open_source(tmp_path)


def test_a_class_with_the_separator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="cannot be one of several class names"):
        open_source(table(tmp_path, "image,a|b\n0.png,1\n"))
    with pytest.raises(LabelError, match="cannot be one of several class names"):
        open_source(table(tmp_path, "image,labels\n0.png,a|b;c\n"), kind='csv(separator=";")')

import os
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from brittle.errors import SourceError
from brittle.sources import Item, open_source, scan
from tests.sources.examples import encoded, folder, pixels, write


def test_the_first_folder_is_the_label(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path))
    assert source.items == (
        Item("ant/c", "ant", "ant/c.tif"),
        Item("ant/d", "ant", "ant/d.bmp"),
        Item("ant/deep/er", "ant", "ant/deep/er.webp"),
        Item("zebra/a", "zebra", "zebra/a.png"),
        Item("zebra/b", "zebra", "zebra/b.JPEG"),
    )
    assert source.classes == ("ant", "zebra")


def test_the_pixels_are_of_the_items_own_file(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path))
    images = {item.key: source.load(item) for item in source.items}
    np.testing.assert_array_equal(images["zebra/a"], pixels(2))
    np.testing.assert_array_equal(images["ant/c"], pixels(4))


def test_images_in_the_root_have_no_label(tmp_path: Path) -> None:
    write(tmp_path / "b.png", encoded(1))
    write(tmp_path / "a.PNG", encoded(2))
    source = open_source(tmp_path)
    assert source.items == (Item("a", None, "a.PNG"), Item("b", None, "b.png"))
    assert source.classes == ()


def test_images_in_the_root_beside_labelled_ones(tmp_path: Path) -> None:
    folder(tmp_path)
    write(tmp_path / "loose.png", encoded(1))
    source = open_source(tmp_path)
    assert {item.key: item.label for item in source.items}["loose"] is None
    assert source.classes == ("ant", "zebra")


@pytest.mark.parametrize("ending", ["jpg", "JPEG", "Png", "webp", "BMP", "tif", "TIFF"])
def test_suffixes_in_any_case(tmp_path: Path, ending: str) -> None:
    write(tmp_path / f"a.{ending}", encoded(1))
    assert [item.key for item in open_source(tmp_path).items] == ["a"]


def test_hidden_things_are_skipped_and_others_counted(tmp_path: Path) -> None:
    before = open_source(folder(tmp_path)).items
    for name in (".hidden.png", ".cache/a.png", "ant/._c.tif", "ant/.brittle/x.jpg", "ant/.jpg"):
        write(tmp_path / name, encoded(1))
    write(tmp_path / "README.md", "read me")
    write(tmp_path / "ant" / "labels.csv", "a,b")
    source = open_source(tmp_path)
    assert source.items == before
    assert source.ignored == 2


def test_order_does_not_depend_on_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = open_source(folder(tmp_path)).items
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: sorted(real(path), reverse=True))
    assert open_source(tmp_path).items == before


def test_order_is_by_code_points(tmp_path: Path) -> None:
    for name in ("b", "B", "a", "ä", "a-b", "a/b", "Z"):
        write(tmp_path / "c" / f"{name}.png", encoded(1))
    keys = [item.key[2:] for item in open_source(tmp_path).items]
    assert keys == ["B", "Z", "a", "a-b", "a/b", "b", "ä"]


def test_twins_are_refused_with_both_names(tmp_path: Path) -> None:
    folder(tmp_path)
    write(tmp_path / "zebra" / "a.jpg", encoded(1))
    with pytest.raises(SourceError, match=r"zebra/a.jpg and zebra/a.png .* the key 'zebra/a'"):
        open_source(tmp_path)


def test_only_the_last_suffix_is_cut(tmp_path: Path) -> None:
    write(tmp_path / "v1.0" / "a.b.png", encoded(1))
    write(tmp_path / "v1.0" / "a.c.png", encoded(1))
    assert [item.key for item in open_source(tmp_path).items] == ["v1.0/a.b", "v1.0/a.c"]


def test_names_of_any_file_system_have_one_key(tmp_path: Path) -> None:
    name = "Käfer"
    for form in ("NFC", "NFD"):
        place = tmp_path / form
        write(place / unicodedata.normalize(form, name) / "é.png", encoded(1))
    one, two = (open_source(tmp_path / form) for form in ("NFC", "NFD"))
    assert one.items[0].name != two.items[0].name
    assert one.classes == two.classes == (name,)
    assert scan(one).fingerprint == scan(two).fingerprint


def test_names_that_are_no_text_still_work(tmp_path: Path) -> None:
    try:
        write(tmp_path / "a" / os.fsdecode(b"\xff\xfe.png"), encoded(1))
    except OSError:
        pytest.skip("this file system takes only text for names")
    assert len(scan(open_source(tmp_path)).items) == 1


def test_nothing_to_see_says_what_is_there(tmp_path: Path) -> None:
    write(tmp_path / "ant" / "a.gif", b"GIF89a")
    write(tmp_path / "notes", "x")
    with pytest.raises(SourceError) as caught:
        open_source(tmp_path)
    assert f"no images in {tmp_path}: looked there and below for" in str(caught.value)
    assert ".jpeg, .jpg, .png" in str(caught.value)
    assert "found 2 other files (.gif, without a suffix)" in str(caught.value)


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="found no files"):
        open_source(tmp_path)


def test_splits_do_not_become_classes(tmp_path: Path) -> None:
    folder(tmp_path / "train")
    folder(tmp_path / "val")
    with pytest.raises(SourceError, match=r"holds train, val, which would .* such as .*val\."):
        open_source(tmp_path)
    assert open_source(tmp_path / "val").classes == ("ant", "zebra")


def test_a_class_named_like_a_split_is_a_class(tmp_path: Path) -> None:
    write(tmp_path / "test" / "a.png", encoded(1))
    assert open_source(tmp_path).classes == ("test",)


def test_a_single_image(tmp_path: Path) -> None:
    path = write(tmp_path / "dog.1.png", encoded(6))
    write(tmp_path / "other.png", encoded(7))
    source = open_source(path)
    assert source.items == (Item("dog.1", None, "dog.1.png"),)
    np.testing.assert_array_equal(source.load(source.items[0]), pixels(6))


def test_options_reach_the_decoder(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    path = write(tmp_path / "a.jpg", encoded(1, "JPEG", exif=exif))
    for turned, shape in ((False, (5, 7, 3)), (True, (7, 5, 3))):
        source = open_source(path, exif=turned)
        assert source.load(source.items[0]).shape == shape
    with pytest.raises(SourceError, match="7 x 5, more than the 9 pixels"):
        scan(open_source(path, max_pixels=9))


def test_links_to_folders_are_followed(tmp_path: Path) -> None:
    folder(tmp_path / "real")
    (tmp_path / "view").mkdir()
    (tmp_path / "view" / "wasp").symlink_to(tmp_path / "real" / "ant")
    assert [item.key for item in open_source(tmp_path / "view").items] == [
        "wasp/c",
        "wasp/d",
        "wasp/deep/er",
    ]


def test_a_ring_of_links_is_refused(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "ant" / "again").symlink_to(tmp_path)
    with pytest.raises(SourceError, match="again is a link to a folder that holds it"):
        open_source(tmp_path)


def test_a_link_to_nothing_is_missed_in_the_scan(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "ant" / "gone.png").symlink_to(tmp_path / "nowhere.png")
    (tmp_path / "ant" / "self.png").symlink_to(tmp_path / "ant" / "self.png")
    with pytest.raises(SourceError, match=r"(?s)2 of 7.*ant/gone.png: it cannot be read"):
        scan(open_source(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_no_image(tmp_path: Path) -> None:
    folder(tmp_path)
    os.mkfifo(tmp_path / "ant" / "pipe.png")
    assert len(open_source(tmp_path).items) == 5


@pytest.mark.data
def test_the_imagenet_sample(shared: Path) -> None:
    source = open_source(shared / "images" / "imagenet-sample")
    assert len(source.items) == len(source.classes) == 200
    assert source.classes[0] == "n01440764"
    assert all(item.key.startswith(f"{item.label}/") for item in source.items)
    found = scan(source, workers=2)
    assert len(found.items) == 200

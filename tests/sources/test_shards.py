import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from brittle.errors import SourceError
from brittle.sources import Item, open_source, scan
from brittle.sources._sample import sample_key
from tests.sources.examples import encoded, pixels, shards, write, write_tar

PICTURE = encoded(1)


def labels(path: Path) -> list[str | None]:
    return [item.label for item in open_source(path).items]


def test_folders_in_the_archive_are_labels(tmp_path: Path) -> None:
    source = open_source(shards(tmp_path))
    assert source.items[0] == Item("n00/00", "n00", "data-000000.tar/n00/00.png")
    assert source.items[7] == Item("n01/13", "n01", "data-000001.tar/n01/13.png")
    assert source.classes == ("n00", "n01")
    np.testing.assert_array_equal(source.load(source.items[7]), pixels(13))


def test_one_archive(tmp_path: Path) -> None:
    shards(tmp_path)
    source = open_source(tmp_path / "data-000001.tar")
    assert [item.key for item in source.items] == ["n01/10", "n01/11", "n01/12", "n01/13"]


@pytest.mark.parametrize(
    "pattern", ["data-{000000..000001}.tar", "data-*.tar", "d{at}a-00000?.tar"]
)
def test_patterns(tmp_path: Path, pattern: str) -> None:
    shards(tmp_path)
    one, two = open_source(tmp_path), open_source(tmp_path / pattern)
    assert one.items == two.items
    assert scan(one) == scan(two)


def test_a_pattern_that_asks_for_too_much(tmp_path: Path) -> None:
    shards(tmp_path)
    with pytest.raises(SourceError, match=r"There is no file .*data-000002.tar, which the pattern"):
        open_source(tmp_path / "data-{000000..000004}.tar")


def test_the_order_does_not_depend_on_the_packing(tmp_path: Path) -> None:
    files = {f"n{number % 3}/{number}.png": encoded(number) for number in range(6)}
    write_tar(tmp_path / "one" / "all.tar", files)
    names = list(files)
    for number, part in enumerate((names[::-2], names[::2])):
        write_tar(tmp_path / "two" / f"{number}.tar", {name: files[name] for name in part})
    one, two = (scan(open_source(tmp_path / name)) for name in ("one", "two"))
    assert [item.key for item in one.items] == [item.key for item in two.items]
    assert one.fingerprint == two.fingerprint


def test_labels_as_text(tmp_path: Path) -> None:
    files = {"1.png": PICTURE, "1.cls": b"dog\n", "2.png": PICTURE, "2.cls": b"cat"}
    path = write_tar(tmp_path / "x.tar", files)
    assert labels(path) == ["dog", "cat"]
    assert open_source(path).classes == ("cat", "dog")


def test_labels_as_numbers(tmp_path: Path) -> None:
    files = {"1.png": PICTURE, "1.cls": b"10\n", "2.png": PICTURE, "2.cls": b"9"}
    path = write_tar(tmp_path / "x.tar", files)
    assert labels(path) == ["10", "9"]
    assert open_source(path).classes == tuple(map(str, range(11)))
    write(tmp_path / "classes.txt", "\n".join("abcdefghijk"))
    assert labels(path) == ["k", "j"]
    assert open_source(path).classes == tuple("abcdefghijk")
    write(tmp_path / "classes.txt", "a\nb\n")
    with pytest.raises(SourceError, match=r"holds 10; class indices must lie from 0 to 1 named in"):
        open_source(path)


@pytest.mark.parametrize(
    ("fields", "want"),
    [
        ({"label": "dog"}, "dog"),
        ({"label": 3}, "3"),
        ({"cls": " dog "}, "dog"),
        ({"label": None, "cls": "dog"}, "dog"),
        ({"label": "dog", "cls": 4}, "dog"),
        ({"label": 0, "cls": 4}, "0"),
        ({"url": "x"}, "n1"),
        ([1, 2], "n1"),
    ],
)
def test_labels_in_json(tmp_path: Path, fields: object, want: str) -> None:
    data = json.dumps(fields).encode()
    assert labels(write_tar(tmp_path / "x.tar", {"n1/1.png": PICTURE, "n1/1.json": data})) == [want]


def test_cls_comes_before_json_and_folder(tmp_path: Path) -> None:
    files = {"n1/1.png": PICTURE, "n1/1.json": b'{"label": "b"}', "n1/1.cls": b"a"}
    assert labels(write_tar(tmp_path / "x.tar", files)) == ["a"]


def test_without_anything_there_is_no_label(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar", {"1.png": PICTURE})
    assert labels(path) == [None]
    assert open_source(path).classes == ()


def test_folders_that_are_numbers_are_names(tmp_path: Path) -> None:
    write(tmp_path / "classes.txt", "a\nb\nc\n")
    assert labels(write_tar(tmp_path / "x.tar", {"2/1.png": PICTURE})) == ["2"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("1.cls", b" \n", r"1.cls in .*x.tar is empty"),
        ("1.cls", b"\xff\xfe", r"1.cls in .* is not UTF-8 text"),
        ("1.cls", b"-1", r"holds -1; class indices"),
        ("1.cls", b"1" * (2**20 + 1), r"has 1048577 bytes; it is no label"),
        ("1.json", b"{", r"1.json in .* is not JSON"),
        ("1.json", b"[" * 100_000, r"1.json in .* is not JSON"),
        ("1.json", b'{"label": 1.5}', r"has the label 1.5; it must be a whole number or a text"),
        ("1.json", b'{"label": true}', r"has the label True"),
        ("1.json", b'{"label": "\\ud800"}', r"has the label '.ud800'"),
    ],
)
def test_labels_that_are_none_are_refused(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = write_tar(tmp_path / "x.tar", {"1.png": PICTURE, name: data})
    with pytest.raises(SourceError, match=message):
        open_source(path)


def test_a_very_long_number_is_a_text(tmp_path: Path) -> None:
    files = {"1.png": PICTURE, "1.cls": b"1" * 5000}
    assert labels(write_tar(tmp_path / "x.tar", files)) == ["1" * 5000]


def test_twins_in_two_archives_are_refused(tmp_path: Path) -> None:
    write_tar(tmp_path / "a.tar", {"n/1.png": PICTURE})
    write_tar(tmp_path / "b.tar", {"n/1.jpg": PICTURE})
    with pytest.raises(SourceError, match=r"a.tar/n/1.png and b.tar/n/1.jpg .* the key 'n/1'"):
        open_source(tmp_path)


def test_two_images_in_one_sample_are_refused(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tar", {"1.left.png": PICTURE, "1.right.png": PICTURE})
    with pytest.raises(SourceError, match=r"1.left.png and a.tar/1.right.png .* the key '1'"):
        open_source(path)


def test_a_member_given_twice_is_refused(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tar", {"1.png": PICTURE, "./1.png": PICTURE})
    with pytest.raises(SourceError, match=r"has 1.png twice"):
        open_source(path)


def test_hidden_members_and_others_are_counted(tmp_path: Path) -> None:
    files = {"n/1.png": PICTURE, "n/._1.png": b"", ".git/2.png": PICTURE, "n/README.md": b"hello"}
    source = open_source(write_tar(tmp_path / "a.tar", files))
    assert [item.key for item in source.items] == ["n/1"]
    assert source.ignored == 3


def test_archives_without_images_say_what_was_looked_for(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tar", {"1.txt": b"x", "2.txt": b"y"})
    with pytest.raises(SourceError, match=r"looked in 1 archives for .*\.webp, found 2 others"):
        open_source(path)


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz", "A.TAR.XZ", "a.tar.zst"])
def test_compressed_archives_are_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, gzip.compress(b"x"))
    for place in (tmp_path / name, tmp_path):
        with pytest.raises(SourceError, match=r"is compressed.*decompress it to a .tar \(gunzip"):
            open_source(place)


def test_one_compressed_archive_among_others_is_not_left_out(tmp_path: Path) -> None:
    write(shards(tmp_path) / "data-000002.tar.gz", gzip.compress(b"x"))
    with pytest.raises(SourceError, match=r"data-000002.tar.gz is compressed"):
        open_source(tmp_path)


def test_archives_beside_extracted_folders_are_not_the_source(tmp_path: Path) -> None:
    write_tar(tmp_path / "n01.tar", {"1.png": PICTURE})
    write(tmp_path / "n01" / "1.png", PICTURE)
    assert open_source(tmp_path).kind == "folder"
    assert open_source(tmp_path, kind="shards").kind == "shards"


def test_broken_images_are_listed_with_their_archive(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tar", {"n/1.png": PICTURE, "n/2.png": PICTURE[:60]})
    with pytest.raises(SourceError, match=r"(?s)1 of 2.*a.tar/n/2.png: it is not a whole PNG"):
        scan(open_source(path))


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("a.jpg", ("a", "jpg")),
        ("v1.0/a.jpg", ("v1.0/a", "jpg")),
        ("a/b.left.PNG", ("a/b", "left.png")),
        ("a/b", ("a/b", "")),
    ],
)
def test_keys_end_at_the_first_dot(name: str, want: tuple[str, str]) -> None:
    assert sample_key(name) == want

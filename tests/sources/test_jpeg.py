import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from brittle.sources._jpeg import without_exif
from tests.sources.examples import encoded


def with_exif(text: str) -> bytes:
    exif = Image.Exif()
    exif[0x010E] = text
    return encoded(1, "JPEG", exif=exif)


def test_exif_goes_and_nothing_else_does() -> None:
    assert b"a description" in with_exif("a description")
    assert without_exif(with_exif("a description")) == encoded(1, "JPEG")


def test_without_exif_the_bytes_are_the_same_object() -> None:
    data = encoded(1, "JPEG")
    assert without_exif(data) is data


def test_other_metadata_stay() -> None:
    data = encoded(1, "JPEG", comment=b"note", icc_profile=b"profile", xmp=b"<x/>")
    assert without_exif(data) == data


def test_all_of_several_exif_segments_go() -> None:
    data = with_exif("one")
    segment = data[data.index(b"\xff\xe1") :][: 2 + int.from_bytes(data[22:24], "big")]
    assert segment.startswith(b"\xff\xe1")
    twice = data.replace(segment, segment * 2)
    assert len(twice) == len(data) + len(segment)
    assert without_exif(twice) == encoded(1, "JPEG")


@pytest.mark.parametrize("length", [b"\0\0", b"\0\1", b"\xff\xff"])
def test_a_wrong_length_ends_the_search(length: bytes) -> None:
    data = b"\xff\xd8\xff\xe1" + length + b"Exif\0\0"
    assert without_exif(data) == data


def test_what_looks_like_exif_in_the_scan_stays() -> None:
    data = b"\xff\xd8\xff\xda\0\x02" + b"\xff\xe1\0\x08Exif\0\0" + b"pixels"
    assert without_exif(data) == data


@given(st.binary(max_size=40))
def test_any_bytes_are_passed_on(tail: bytes) -> None:
    """What is removed is whole EXIF segments, so the rest is a subsequence with the same end."""
    data = b"\xff\xd8" + tail
    left = without_exif(data)
    assert left[:2] == b"\xff\xd8"
    if b"Exif\0\0" not in data:
        assert left == data


def test_the_result_opens() -> None:
    with Image.open(io.BytesIO(without_exif(with_exif("x")))) as image:
        assert dict(image.getexif()) == {}

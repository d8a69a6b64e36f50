import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from brittle.sources._webp import webp_size


@pytest.mark.parametrize(
    ("mode", "options", "chunk"),
    [
        ("RGB", {}, b"VP8 "),
        ("RGB", {"lossless": True}, b"VP8L"),
        ("RGBA", {}, b"VP8X"),
        ("RGB", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}, b"VP8X"),
    ],
)
@pytest.mark.parametrize("size", [(1, 1), (300, 17), (16, 1000)])
def test_the_header_gives_the_size(
    mode: str, options: dict[str, object], chunk: bytes, size: tuple[int, int]
) -> None:
    stream = io.BytesIO()
    Image.new(mode, size, 7 if mode == "L" else (1, 2, 3, 4)[: len(mode)]).save(
        stream, "WEBP", **options
    )
    data = stream.getvalue()
    assert data[12:16] == chunk
    assert webp_size(data) == size


def test_an_unknown_or_short_header_has_no_size() -> None:
    assert webp_size(b"RIFF") is None
    assert webp_size(b"RIFF\0\0\0\0WEBPABCD" + bytes(40)) is None
    assert webp_size(b"RIFF\0\0\0\0WEBPVP8L" + bytes(40)) is None


@given(st.binary(max_size=60))
def test_any_bytes_have_a_size_or_none(data: bytes) -> None:
    size = webp_size(data)
    assert size is None or min(size) >= 0

import io
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFile, ImageOps

from brittle.errors import ImageError
from brittle.sources._decode import decode
from brittle.sources.base import MAX_PIXELS
from brittle.types import Pixels, UInt8
from tests.sources.examples import encoded, pixels


def save(image: Image.Image, form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return stream.getvalue()


def get(data: bytes, *, exif: bool = False, max_pixels: int = MAX_PIXELS) -> Pixels:
    return decode(data, name="a.img", exif=exif, max_pixels=max_pixels)


def oracle(data: bytes) -> UInt8:
    """Decode as torchvision's default loader does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data)) as image:
            return np.asarray(image.convert("RGB"))


def picture(mode: str) -> Image.Image:
    return Image.fromarray(pixels(3, 21, 34)).convert(mode)


FORMS = [
    *[("JPEG", mode, {"quality": 90}) for mode in ("L", "RGB", "CMYK")],
    ("JPEG", "RGB", {"progressive": True, "subsampling": 0}),
    *[("PNG", mode, {}) for mode in ("1", "L", "LA", "P", "RGB", "RGBA")],
    *[("PNG", "P", {"bits": 4}), ("PNG", "P", {"transparency": 3})],
    *[("PNG", "P", {"transparency": bytes(range(256))}), ("PNG", "L", {"transparency": 9})],
    *[("PNG", "RGB", {"transparency": (1, 2, 3)})],
    *[("WEBP", mode, {"lossless": flag}) for mode in ("RGB", "RGBA") for flag in (False, True)],
    *[("BMP", mode, {}) for mode in ("1", "L", "P", "RGB", "RGBA")],
    *[("TIFF", mode, {}) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "LAB")],
    *[("TIFF", "RGB", {"compression": how}) for how in ("jpeg", "tiff_lzw", "tiff_adobe_deflate")],
]


@pytest.mark.parametrize(("form", "mode", "options"), FORMS)
def test_is_what_pillow_converts(form: str, mode: str, options: dict[str, object]) -> None:
    data = save(picture(mode), form, **options)
    image = get(data)
    assert image.shape == (21, 34, 3)
    assert image.flags.c_contiguous
    assert image.flags.writeable
    np.testing.assert_array_equal(image, oracle(data))


def test_lossless_forms_give_the_pixels_back() -> None:
    for form in ("PNG", "BMP", "TIFF"):
        np.testing.assert_array_equal(get(encoded(8, form)), pixels(8))


def test_adobe_cmyk_is_not_inverted() -> None:
    """Pillow writes CMYK as Adobe does, inverted; white ink must come out as white."""
    white = Image.new("CMYK", (16, 16), (0, 0, 0, 0))
    data = save(white, "JPEG", quality=95)
    assert b"Adobe" in data
    assert (get(data) > 250).all()


def test_alpha_is_dropped_and_not_blended() -> None:
    image = Image.new("RGBA", (3, 2), (10, 200, 30, 0))
    assert (get(save(image, "PNG")) == (10, 200, 30)).all()


def test_the_content_counts_and_not_the_name() -> None:
    np.testing.assert_array_equal(
        decode(encoded(1), name="a.JPEG", max_pixels=MAX_PIXELS), pixels(1)
    )


@pytest.mark.parametrize(
    ("form", "options"), [("PNG", {}), ("WEBP", {"lossless": True}), ("TIFF", {})]
)
def test_of_several_frames_the_first_counts(form: str, options: dict[str, object]) -> None:
    first, second = (Image.fromarray(pixels(seed)) for seed in (1, 2))
    data = save(first, form, save_all=True, append_images=[second], **options)
    with Image.open(io.BytesIO(data)) as image:
        assert image.n_frames == 2
    np.testing.assert_array_equal(get(data), pixels(1))


GREYS = np.array([[0, 255, 256], [0x1234, 0x8000, 0xFFFF]], np.uint16)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(save(Image.fromarray(GREYS), "PNG"), id="png"),
        pytest.param(save(Image.fromarray(GREYS), "TIFF"), id="tiff"),
        pytest.param(save(Image.fromarray(GREYS), "TIFF", compression="tiff_lzw"), id="lzw"),
        pytest.param(save(Image.fromarray(GREYS.astype(">u2")), "TIFF"), id="big-endian"),
    ],
)
def test_wide_grey_is_scaled_and_not_clipped(data: bytes) -> None:
    want = np.array([[0, 0, 1], [0x12, 0x80, 0xFF]])
    image = get(data)
    for channel in range(3):
        np.testing.assert_array_equal(image[:, :, channel], want)


def tiff(bits: int, photometric: int, row: bytes, width: int) -> bytes:
    """Write one row of grey by hand, for what Pillow reads but does not write."""
    tags = [(256, width), (257, 1), (258, bits), (259, 1), (262, photometric)]
    tags += [(273, 200), (277, 1), (278, 1), (279, len(row))]
    body = b"".join(struct.pack("<HHIHH", tag, 3, 1, value, 0) for tag, value in tags)
    head = b"II*\0" + struct.pack("<IH", 8, len(tags)) + body + bytes(4)
    return head.ljust(200, b"\0") + row


def test_twelve_bits_of_grey_fill_the_range() -> None:
    image = get(tiff(12, 1, bytes([0xFF, 0xF0, 0x80]), 2))
    np.testing.assert_array_equal(image[0, :, 0], [255, 8])


def test_wide_grey_whose_zero_is_white_is_turned() -> None:
    image = get(tiff(16, 0, struct.pack("<3H", 0, 0x1234, 0xFFFF), 3))
    np.testing.assert_array_equal(image[0, :, 0], [255, 255 - 0x12, 0])


@pytest.mark.parametrize(("kind", "what"), [(np.float32, "floating-point"), (np.int32, "32-bit")])
def test_numbers_without_a_range_are_refused(kind: type, what: str) -> None:
    data = save(Image.fromarray(np.ones((2, 2), kind)), "TIFF")
    with pytest.raises(ImageError, match=rf"^a.img: it holds .*{what}.*convert it to 8 or 16 bits"):
        get(data)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_only_when_asked(form: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = save(Image.fromarray(pixels(5, 16, 24)), form, exif=exif)
    np.testing.assert_array_equal(get(data), oracle(data))
    with Image.open(io.BytesIO(data)) as image:
        want = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    np.testing.assert_array_equal(get(data, exif=True), want)
    assert get(data, exif=True).shape[:2] == ((24, 16) if orientation > 4 else (16, 24))
    assert get(data).shape[:2] == (16, 24)


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_the_orientation_of_tiff_belongs_to_its_pixels(orientation: int) -> None:
    data = save(Image.fromarray(pixels(5)), "TIFF", tiffinfo={274: orientation})
    np.testing.assert_array_equal(get(data), oracle(data))
    np.testing.assert_array_equal(get(data, exif=True), oracle(data))


def test_wide_grey_is_turned_upright_too() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    image = get(save(Image.fromarray(GREYS), "PNG", exif=exif), exif=True)
    np.testing.assert_array_equal(image[:, :, 0], [[0x12, 0], [0x80, 0], [0xFF, 1]])


def test_damaged_exif_is_no_ones_business() -> None:
    """Warnings are errors here, so that this fails if EXIF is parsed at all."""
    broken = b"Exif\0\0II*\0\x08\0\0\0\xff\x00\x0f\x01\x02\0\xff\xff\xff\xff\x10\0\0\0"
    data = encoded(1, "JPEG")
    # Without JFIF's own resolution, Pillow looks for one in the EXIF.
    start = 2 + 2 + int.from_bytes(data[4:6], "big")
    cut = data[:2] + b"\xff\xe1" + (len(broken) + 2).to_bytes(2, "big") + broken + data[start:]
    with pytest.warns(UserWarning, match="EXIF|Metadata|Tag|file"):
        Image.open(io.BytesIO(cut))
    np.testing.assert_array_equal(get(cut), oracle(cut))


def bomb(side: int) -> bytes:
    """A PNG whose header claims a square, and whose data are a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(bytes(99))), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def test_a_bomb_is_refused_by_its_header() -> None:
    with pytest.raises(ImageError, match=r"60000 x 60000, more than the 178956970 pixels"):
        get(bomb(60_000))


def test_a_webp_bomb_is_refused_before_its_canvas_is_made() -> None:
    data = bytearray(encoded(1, "WEBP", lossless=True))
    data[21:25] = (int.from_bytes(data[21:25], "little") | 0xFFFFFFF).to_bytes(4, "little")
    with pytest.raises(ImageError, match=r"its header says 16384 x 16384, more than"):
        get(bytes(data))


def test_pillows_warning_does_not_leak() -> None:
    """At 10 000 x 10 000 `Image.open` warns, and a warning is an error here."""
    with pytest.warns(Image.DecompressionBombWarning):
        Image.open(io.BytesIO(bomb(10_000)))
    with pytest.raises(ImageError, match="not a whole PNG"):
        get(bomb(10_000))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("lossless", [False, True])
def test_max_pixels_is_the_largest_that_passes(form: str, lossless: bool) -> None:
    options = {"lossless": lossless} if form == "WEBP" else {}
    data = encoded(1, form, **options)
    assert get(data, max_pixels=35).shape == (5, 7, 3)
    with pytest.raises(ImageError, match=r"^a.img: its header says 7 x 5, more than the 34 pixels"):
        get(data, max_pixels=34)


def test_a_tiff_beyond_pillows_own_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 34)
    with pytest.raises(ImageError, match="Pillow's for TIFF"):
        get(encoded(1, "TIFF"))
    assert get(encoded(1)).shape == (5, 7, 3)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    assert get(encoded(1, "TIFF")).shape == (5, 7, 3)


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(ImageError, match=r"^a.img: the file is empty\.$"):
        get(b"")


@pytest.mark.parametrize("data", [b"hello, this is a text", b"GIF89a\1\0\1\0", b"RIFF....WAVEfmt "])
def test_other_content_is_refused(data: bytes) -> None:
    with pytest.raises(ImageError, match=r"^a.img: it begins with .* which is not JPEG, PNG, WebP"):
        get(data)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("kept", [0.5, 0.9])
def test_a_cut_file_is_refused(form: str, kept: float) -> None:
    stream = io.BytesIO()
    Image.fromarray(pixels(1, 64, 64)).save(stream, form)
    data = stream.getvalue()
    assert get(data).shape == (64, 64, 3)
    with pytest.raises(ImageError, match=r"^a.img: "):
        get(data[: int(len(data) * kept)])


def test_pillow_may_not_take_cut_files_for_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    with pytest.raises(ImageError, match="LOAD_TRUNCATED_IMAGES = False"):
        get(encoded(1))


@given(
    form=st.sampled_from(["JPEG", "PNG", "WEBP", "BMP"]),
    at=st.integers(0, 10_000),
    value=st.integers(0, 255),
    cut=st.integers(0, 10_000),
)
def test_damaged_files_are_images_or_image_errors(form: str, at: int, value: int, cut: int) -> None:
    data = bytearray(encoded(2, form))
    data[at % len(data)] = value
    del data[len(data) - cut % len(data) // 4 :]
    try:
        image = get(bytes(data), max_pixels=10_000)
    except ImageError as error:
        assert str(error).startswith("a.img: ")  # noqa: PT017 - both ends are allowed
    else:
        assert image.shape[2] == 3


@pytest.mark.data
@pytest.mark.parametrize("folder", ["imagenet-sample", "coco128", "dtd"])
def test_real_pictures_are_what_pillow_converts(shared: Path, folder: str) -> None:
    files = [p for p in (shared / "images" / folder).rglob("*") if p.suffix in (".JPEG", ".jpg")]
    assert len(files) >= 128
    for path in files:
        data = path.read_bytes()
        np.testing.assert_array_equal(get(data), oracle(data), err_msg=str(path))

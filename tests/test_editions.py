import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from brittle import editions
from brittle.errors import ImageError, SpecError

RNG = np.random.default_rng(0)


def picture(height, width):
    return RNG.integers(0, 256, (height, width, 3), dtype=np.uint8)


def one_pass(image, size):
    """Pillow's resize with the order of its passes fixed: across, then down."""
    made = Image.fromarray(image).resize((size[0], image.shape[0]), Image.Resampling.BILINEAR)
    return np.asarray(made.resize(size, Image.Resampling.BILINEAR))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 700), st.integers(1, 700))
def test_every_preparation_gives_its_side(height, width):
    image = picture(height, width)
    before = image.copy()
    for edition in editions.EDITIONS.values():
        if edition.steps is not None:
            out = edition.prepare(image)
            assert out.shape == (edition.side, edition.side, 3)
            assert out.dtype == np.uint8
            assert out.flags.c_contiguous
    assert np.array_equal(image, before)


@pytest.mark.parametrize(
    ("height", "width", "size", "top", "left"),
    [
        (375, 500, (341, 256), 16, 58),
        (500, 375, (256, 341), 58, 16),
        (500, 333, (256, 384), 80, 16),
        (256, 259, (259, 256), 16, 18),
        (100, 80, (256, 320), 48, 16),
    ],
)
def test_224_is_resize_256_and_centre_crop(height, width, size, top, left):
    image = picture(height, width)
    expected = one_pass(image, size)[top : top + 224, left : left + 224]
    assert np.array_equal(editions.get("imagenet-224").prepare(image), expected)


def test_299_crops_seven_eighths_first():
    image = picture(400, 480)
    expected = one_pass(np.ascontiguousarray(image[25:375, 30:450]), (299, 299))
    assert np.array_equal(editions.get("inception-299").prepare(image), expected)


def test_64_does_not_keep_the_aspect_and_leaves_what_fits():
    image = picture(100, 50)
    assert np.array_equal(editions.get("imagenet-64").prepare(image), one_pass(image, (64, 64)))
    ready = picture(64, 64)
    assert np.array_equal(editions.get("tiny-imagenet-64").prepare(ready), ready)


def test_what_would_have_to_be_resized_is_refused():
    with pytest.raises(
        ImageError, match=r"cifar-32 takes pictures of 32x32 as they are; got 40x33"
    ):
        editions.get("cifar-32").prepare(picture(33, 40))
    with pytest.raises(ImageError, match="H x W x 3 uint8 pictures; got float64"):
        editions.get("imagenet-224").prepare(np.zeros((300, 300, 3)))
    with pytest.raises(SpecError, match=r"no edition 'imagenet-225'. Did you mean imagenet-224"):
        editions.get("imagenet-225")


def test_any_leaves_everything():
    image = picture(33, 41)
    assert np.array_equal(editions.get("any").prepare(image), image)


def test_a_thread_of_a_picture_is_refused():
    with pytest.raises(ImageError, match="too long and thin to be prepared"):
        editions.get("imagenet-224").prepare(picture(1, 9000))


def test_a_pil_image_is_refused_with_what_to_do():
    with pytest.raises(ImageError, match=r"got a Image\. Use numpy\.asarray"):
        editions.get("imagenet-224").prepare(Image.new("RGB", (300, 300)))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 500), st.integers(1, 500))
def test_wide_is_the_preparation_with_the_margin_of_the_last_crop(height, width):
    image = picture(height, width)
    for name, edition in editions.EDITIONS.items():
        if name in ("cifar-32", "any"):
            continue
        pixels, crop = edition.wide(image)
        assert crop.of(pixels).shape == (edition.side, edition.side, 3)
        if name != "tiny-imagenet-64":
            assert np.array_equal(crop.of(pixels), edition.prepare(image))


def test_wide_keeps_the_longer_side():
    image = picture(375, 500)
    assert editions.get("imagenet-224").wide(image).pixels.shape == (256, 341, 3)
    assert editions.get("imagenet-224").wide(image).crop == (16, 58, 224, 224)
    assert editions.get("tiny-imagenet-64").wide(image).pixels.shape == (64, 85, 3)
    assert editions.get("tiny-imagenet-64").wide(image).crop == (0, 10, 64, 64)
    ready = picture(64, 64)
    assert np.array_equal(editions.get("tiny-imagenet-64").wide(ready).pixels, ready)
    any_size = picture(33, 41)
    assert editions.get("any").wide(any_size).crop == (0, 0, 33, 41)
    with pytest.raises(ImageError, match="cifar-32 takes pictures of 32x32 as they are"):
        editions.get("cifar-32").wide(picture(33, 40))


def test_grey_is_prepared_as_each_channel_is():
    image = picture(300, 410)
    for edition in editions.EDITIONS.values():
        if edition.steps is not None:
            grey = edition.prepare(image[:, :, 1:2])
            assert np.array_equal(grey[:, :, 0], edition.prepare(image)[:, :, 1])

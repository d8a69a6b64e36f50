"""Preparing a picture, by hand and against the libraries' own transforms."""

import numpy as np
import pytest
from PIL import Image

from brittle.errors import ImageError, SpecError
from brittle.models._prepare import Preparation, normal, preparation
from tests.helpers.models import register_torchvision_ops
from tests.models.examples import picture

register_torchvision_ops()

SHAPES = [(300, 400), (401, 287), (224, 500), (64, 64), (255, 256), (97, 33), (30, 900)]


def timm_pixels(image, **config):
    """The uint8 pixels of timm's own evaluation transform, before they become numbers."""
    from timm.data import create_transform

    transform = create_transform(**config, is_training=False)
    found = Image.fromarray(image)
    for step in transform.transforms[:-2]:
        found = step(found)
    return np.asarray(found)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("size", "share", "mode", "interpolation"),
    [
        (224, 0.875, "center", "bicubic"),
        (224, 1.0, "center", "bilinear"),
        (57, 0.9, "center", "lanczos"),
        ((64, 48), 0.9, "center", "bicubic"),
        (96, 0.95, "squash", "bicubic"),
        (96, 1.0, "squash", "bilinear"),
        ((48, 80), 1.0, "squash", "nearest"),
    ],
)
def test_pixels_are_those_of_timm(shape, size, share, mode, interpolation):
    image = picture(*shape)
    params = {"size": size, "crop_pct": share, "crop_mode": mode, "interpolation": interpolation}
    ours = preparation(params, where="x")(image)
    sides = (size, size) if isinstance(size, int) else size
    theirs = timm_pixels(
        image,
        input_size=(3, *sides),
        crop_pct=share,
        crop_mode=mode,
        interpolation=interpolation,
    )
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share", [1.0, 0.9])
def test_a_border_is_filled_with_the_mean_as_timm_does(shape, share):
    image = picture(*shape)
    mean = (0.485, 0.456, 0.406)
    box = (int(96 / share), int(96 / share))
    ours = Preparation(
        size=(96, 96),
        box=box,
        mode="border",
        interpolation="bicubic",
        fill=tuple(round(255 * value) for value in mean),
    )(image)
    theirs = timm_pixels(
        image,
        input_size=(3, 96, 96),
        crop_pct=share,
        crop_mode="border",
        interpolation="bicubic",
        mean=mean,
    )
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("resize", "size"), [(256, 224), (232, 224), (224, 224), (40, 57)])
def test_pixels_are_those_of_torchvision(shape, resize, size):
    from torchvision.transforms import functional

    image = picture(*shape)
    ours = preparation({"size": size, "resize": resize}, where="x")(image)
    theirs = functional.center_crop(
        functional.resize(Image.fromarray(image), [resize]), [size, size]
    )
    assert np.array_equal(ours, np.asarray(theirs))


def test_a_prepared_picture_is_not_resized_and_cropped_again():
    prepared = preparation({"size": 224, "crop_pct": 0.875}, where="x")
    once = prepared(picture(300, 400))
    assert prepared(once) is once


def test_halves_go_to_even_numbers_or_down():
    """Torchvision rounds 1.5 to 2, transformers to 1: a pixel aside."""
    image = picture(10, 13)
    even = Preparation(size=(10, 10), box=None)(image)
    down = Preparation(size=(10, 10), box=None, halves="down")(image)
    assert np.array_equal(even, image[:, 2:12])
    assert np.array_equal(down, image[:, 1:11])


def test_the_picture_that_would_be_too_large_on_its_way_is_refused():
    prepared = preparation({"size": 224}, where="x")
    with pytest.raises(ImageError, match="100000x1 is too long and thin to be prepared"):
        prepared(np.zeros((1, 100000, 3), np.uint8))


def test_no_size_means_any():
    assert preparation({}, where="x") is None


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"size": 0}, r"x: size must be a number of pixels or \[height, width\]"),
        ({"size": (224,)}, r"size must be"),
        ({"size": (224, 1.5)}, r"size must be"),
        ({"size": 1 << 20}, r"at most 16384; got 1048576"),
        ({"size": 8, "resize": 9, "crop_pct": 0.5}, "give resize or crop_pct"),
        ({"size": 8, "resize": 0}, "resize must be at least 1; got 0"),
        ({"size": 8, "crop_pct": 1.5}, "crop_pct must be above 0 and at most 1; got 1.5"),
        ({"size": 8, "interpolation": "cubic"}, "no interpolation 'cubic'.*bicubic"),
        ({"size": 8, "crop_mode": "centre"}, "no crop_mode 'centre'. Did you mean center"),
        ({"resize": 256}, "resize needs a size to crop to"),
        ({"crop_pct": 0.9}, "crop_pct needs a size"),
    ],
)
def test_what_is_no_preparation_is_refused(params, said):
    with pytest.raises(SpecError, match=said):
        preparation(params, where="x")


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, r"say how pixels become numbers.*mean=\[0.485"),
        ({"mean": 0.5}, "say how pixels become numbers"),
        ({"mean": (1, 2), "std": 1}, "mean must be three numbers"),
        ({"mean": 0, "std": (1, 0, 1)}, "std and scale must be above 0"),
        ({"mean": 0, "std": 1, "scale": -1}, "std and scale must be above 0"),
        ({"mean": 0, "std": (float("nan"),) * 3}, "std must be three numbers"),
    ],
)
def test_numbers_that_are_not_said_are_refused(params, said):
    with pytest.raises(SpecError, match=said):
        normal(params, where="x")


def test_one_number_stands_for_three():
    assert normal({"mean": 0.5, "std": 1}, where="x").mean == (0.5, 0.5, 0.5)
    assert normal({"mean": 0, "std": 1, "scale": 255}, where="x").facts()["scale"] == 255

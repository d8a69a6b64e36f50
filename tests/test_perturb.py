"""Perturbing from Python: what goes in, what comes out, what is refused."""

import importlib.metadata
import tracemalloc

import numpy as np
import pytest
from PIL import Image

import brittle
from brittle import editions
from brittle.errors import ImageError, SpecError
from brittle.families import Family
from brittle.perturbations import PERTURBATIONS, Perturbation
from brittle.sequences import sequence
from brittle.spec import Spec
from tests.helpers.fingerprints import picture

PHOTO = picture(250, 333)


def test_an_array_of_frames_comes_back_for_arrays_and_images():
    made = brittle.perturb(PHOTO, "tilt", key="a")
    assert made.shape == (31, 250, 333, 3)
    assert made.dtype == np.uint8
    assert np.array_equal(made, brittle.perturb(Image.fromarray(PHOTO), "tilt", key="a"))
    grey = brittle.perturb(PHOTO[:, :, 0], "rotate")
    assert grey.shape == (31, 250, 333, 1)
    assert np.array_equal(grey, brittle.perturb(PHOTO[:, :, :1], Spec("rotate")))
    assert np.array_equal(grey[..., 0], brittle.perturb(PHOTO, "rotate")[..., 0])


def test_strides_do_not_matter():
    turned = np.ascontiguousarray(PHOTO.swapaxes(0, 1)).swapaxes(0, 1)
    assert np.array_equal(brittle.perturb(turned, "snow"), brittle.perturb(PHOTO, "snow"))


def test_frames_one_by_one_are_the_same():
    one_by_one = brittle.perturb_frames(PHOTO, "spatter", seed=np.int64(3), key="x")
    assert np.array_equal(
        np.stack(list(one_by_one)), brittle.perturb(PHOTO, "spatter", seed=3, key="x")
    )


def test_frames_one_by_one_need_the_memory_of_one():
    large = picture(1000, 1000)
    for name in PERTURBATIONS.names():
        for _ in brittle.perturb_frames(large, f"{name}(frames=2)", key="a"):
            pass
        tracemalloc.start()
        for _ in brittle.perturb_frames(large, f"{name}(frames=8)", key="a"):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # Nothing like eight frames with a temporary in double precision each, which are 200 MB.
        assert peak < 90e6, name


def test_pixels_are_the_key_where_there_is_none():
    first = brittle.perturb(PHOTO, "gaussian_noise")
    assert np.array_equal(first, brittle.perturb(PHOTO.copy(), "gaussian_noise"))
    other = PHOTO.copy()
    other[0, 0] ^= 1
    assert not np.array_equal(first[1, 50:], brittle.perturb(other, "gaussian_noise")[1, 50:])


def test_strength_1_is_the_plain_name():
    plain = brittle.perturb(PHOTO, "shot_noise", key="a")
    assert np.array_equal(plain, brittle.perturb(PHOTO, "shot_noise(strength=1)", key="a"))
    assert np.array_equal(plain, brittle.perturb(PHOTO, "shot_noise(strength=1.0)", key="a"))
    assert str(sequence("shot_noise(strength=2.0, frames=9)")) == "shot_noise(frames=9, strength=2)"
    assert sequence("shot_noise(strength=2, photons=5)").row == (5.0, 31)


@pytest.mark.parametrize(
    ("edition", "side"),
    [("imagenet-224", 224), ("inception-299", 299), ("imagenet-64", 64), ("tiny-imagenet-64", 64)],
)
def test_editions_prepare_and_crop_last(edition, side):
    made = brittle.perturb(PHOTO, "scale", edition=edition)
    assert made.shape == (31, side, side, 3)
    wide = editions.get(edition).wide(PHOTO)
    assert np.array_equal(made[24], wide.crop.of(wide.pixels))
    if edition != "tiny-imagenet-64":
        assert np.array_equal(made[24], editions.get(edition).prepare(PHOTO))
    grey = brittle.perturb(PHOTO[:, :, 1], "rotate", edition=edition)
    colour = brittle.perturb(PHOTO, "rotate", edition=edition)
    assert np.array_equal(grey[..., 0], colour[..., 1])


def test_real_content_comes_in_from_the_margin():
    bright = np.full((300, 400, 3), 200, np.uint8)
    made = brittle.perturb(bright, "translate", edition="imagenet-224")
    assert (made == 200).all()
    assert not brittle.perturb(bright, "translate")[0][:, -20:].any()


def test_inception_moves_the_source_and_prepares_every_frame():
    made = brittle.perturb(PHOTO, "translate", edition="inception-299")
    moved = np.zeros_like(PHOTO)
    moved[:, :-20] = PHOTO[:, 20:]
    assert np.array_equal(made[0], editions.get("inception-299").prepare(moved))
    zoomed = brittle.perturb(PHOTO, "zoom_blur", edition="inception-299")
    assert np.array_equal(zoomed[0], editions.get("inception-299").prepare(PHOTO))


def test_motion_blur_of_the_small_editions_is_made_before_the_resize():
    made = brittle.perturb(PHOTO, "motion_blur", edition="imagenet-64")
    numbers = "motion_blur(radius=14, sigma=3, step=5)"
    large = brittle.perturb(PHOTO, numbers)
    assert np.array_equal(made[4], editions.get("imagenet-64").prepare(large[4]))
    tiny = brittle.perturb(PHOTO, "motion_blur", edition="tiny-imagenet-64")
    wide = editions.get("tiny-imagenet-64").wide(large[4])
    assert wide.pixels.shape == (64, 85, 3)
    assert np.array_equal(tiny[4], wide.crop.of(wide.pixels))


def test_prepared_pictures_are_taken_as_they_are():
    ready = editions.get("imagenet-224").prepare(PHOTO)
    made = brittle.perturb(ready, "tilt", edition="imagenet-224", prepare=False)
    assert np.array_equal(made, brittle.perturb(ready, "tilt"))
    odd = brittle.perturb(picture(20, 30), "motion_blur", edition="cifar-32", prepare=False)
    assert odd.shape == (21, 20, 30, 3)


@pytest.mark.parametrize(
    ("spec", "options", "error", "message"),
    [
        ("tlit", {}, SpecError, "There is no perturbation 'tlit'. Did you mean tilt"),
        ("fog", {}, SpecError, "There is no perturbation 'fog'"),
        ("tilt+rotate", {}, SpecError, "a chain of 2 parts; one is expected"),
        ("tilt(step=1000)", {}, SpecError, "tilt: step must be a number from -45 to 45; got 1000"),
        ("tilt(frames=1)", {}, SpecError, "tilt: frames must be a number from 2 to 1000; got 1"),
        ("tilt(frames=2.5)", {}, SpecError, "frames must be a whole number; got 2.5"),
        ("tilt(stp=1)", {}, SpecError, "tilt: There is no parameter 'stp'. Did you mean step"),
        ("tilt", {"edition": "imagenet"}, SpecError, "There is no edition 'imagenet'"),
        ("tilt", {"edition": "cifar-32"}, ImageError, "cifar-32 takes pictures of 32x32 as they"),
        ("tilt", {"seed": 1.5}, SpecError, "The seed must be a whole number; got 1.5"),
        ("tilt", {"key": 7}, SpecError, r"A key is a text .* got 7. Use str\(key\)"),
        (7, {}, SpecError, "named by a text such as 'tilt' .* got 7"),
    ],
)
def test_refusals_come_at_once(spec, options, error, message):
    with pytest.raises(error, match=message):
        brittle.perturb_frames(PHOTO, spec, **options)


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (np.zeros((4, 4, 4), np.uint8), r"The picture has alpha.*image\[:, :, :3\]"),
        (Image.new("RGBA", (4, 4)), "The picture has alpha"),
        (np.zeros((4, 4, 3)), "The array is of type float64"),
        (np.zeros((0, 4, 3), np.uint8), "has no pixels"),
        ("photo.jpg", "A str is not a picture"),
    ],
)
def test_what_is_no_picture_is_refused(image, message):
    with pytest.raises(ImageError, match=message):
        brittle.perturb(image, "tilt")


def test_installed_packages_add_perturbations(monkeypatch):
    group = "brittle.perturbations"
    point = importlib.metadata.EntryPoint("lean", "brittle.perturbations.tilt:PART", group)
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [point] if group == point.group else []
    )
    family = Family("perturbation", group, Perturbation)
    assert "lean" in family.names()
    assert family.load("lean") is PERTURBATIONS.load("tilt")

"""Film strips: which frames are on the page, and what it says."""

import numpy as np
import pytest
from PIL import Image

from brittle._page import fit
from brittle._perturb import perturb
from brittle.errors import SpecError
from brittle.film import film_strip
from tests.helpers.fingerprints import picture
from tests.test_sheet import cells

PHOTO = picture(64, 64)


def test_a_row_a_perturbation_and_every_nth_frame_in_it():
    page = film_strip(PHOTO, ["rotate", "translate"], every=10, cell=64, key="a")
    assert page.mode == "RGB"
    places = []
    for name in ("rotate", "translate"):
        for frame in perturb(PHOTO, name, key="a")[::10]:
            (place,) = cells(page, frame)
            places.append(place)
    assert len({y for y, _ in places}) == 2
    assert places == sorted(places)
    assert len({x for _, x in places}) == 5


def test_seven_frames_from_the_first_to_the_last():
    page = film_strip(PHOTO, ["translate"], cell=64, key="a")
    made = perturb(PHOTO, "translate", key="a")
    shown = [number for number, frame in enumerate(made) if cells(page, frame)]
    assert shown == [0, 7, 13, 20, 27, 33, 40]
    few = film_strip(PHOTO, ["translate(frames=3)"], cell=64)
    assert all(cells(few, frame) for frame in perturb(PHOTO, "translate(frames=3)"))


def test_all_perturbations_of_an_edition():
    page = film_strip(picture(32, 32), edition="cifar-32", cell=32, every=15)
    assert page.height > 14 * 32


def test_grey_is_shown_in_rgb_and_large_pictures_are_shrunk():
    large = picture(448, 896)
    page = film_strip(large[:, :, 0], ["rotate"], every=15)
    small = np.asarray(Image.fromarray(large[:, :, 0]).resize((448, 224), 2))
    middle = perturb(np.repeat(small[:, :, None], 3, axis=2), "rotate")[15]
    assert len(cells(page, np.asarray(fit(middle, 128)))) == 1


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        ("tilt", {}, r"takes a list of names; got 'tilt'"),
        ([], {}, "at least one perturbation"),
        (["tilt"], {"every": 0}, "every >= 1"),
        (["tlit"], {}, "Did you mean tilt"),
    ],
)
def test_refusals(names, options, message):
    with pytest.raises(SpecError, match=message):
        film_strip(PHOTO, names, **options)

"""Contact sheets: what is on the page, and at what size it was corrupted."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from brittle._example import example_picture
from brittle.conditions import condition
from brittle.editions import get
from brittle.errors import ImageError, SpecError
from brittle.sheet import condition_sheet, contact_sheet, working_picture

WHITE = (255, 255, 255)


def cells(page: Image.Image, like: "np.ndarray[Any, Any]") -> list[tuple[int, int]]:
    """Find every place (row, column) of the page where a picture lies."""
    pixels = np.asarray(page)
    high, wide, _ = like.shape
    windows = np.lib.stride_tricks.sliding_window_view(pixels[:, :, 0], (high, wide))
    near = np.argwhere(
        (windows[:, :, 0, 0] == like[0, 0, 0]) & (windows[:, :, -1, -1] == like[-1, -1, 0])
    )
    return [
        (y, x) for y, x in near.tolist() if np.array_equal(pixels[y : y + high, x : x + wide], like)
    ]


def picture(side: int = 64) -> "np.ndarray[Any, Any]":
    return np.random.default_rng(1).integers(0, 200, (side, side, 3), np.uint8)


def test_rows_are_corruptions_and_columns_severities() -> None:
    work = picture()
    page = contact_sheet(work, ["contrast", "gaussian_noise"], [1, 5], cell=64, seed=3, key="a")
    assert page.mode == "RGB"
    left = cells(page, work)
    assert len(left) == 2
    assert left[0][1] == left[1][1]
    columns = []
    for row, name in enumerate(("contrast", "gaussian_noise")):
        for severity in (1, 5):
            made = condition(name, severity=severity).apply(work, seed=3, key="a")
            (place,) = cells(page, made)
            assert place[0] == left[row][0]
            assert place[1] > left[row][1]
            columns.append(place[1])
    assert columns[:2] == columns[2:]
    assert columns[0] < columns[1]
    assert {page.getpixel((x, y)) for x in (0, page.width - 1) for y in (0, page.height - 1)} == {
        WHITE
    }


def test_the_clean_picture_may_be_left_out() -> None:
    work = picture()
    assert cells(contact_sheet(work, ["contrast"], [1], cell=64, clean=False), work) == []


def test_without_names_there_is_a_row_for_every_corruption() -> None:
    few = contact_sheet(picture(16), ["fog"], [1], cell=16)
    page = contact_sheet(picture(16), None, [0], cell=16)
    # Severity 0 is the clean picture, so every row shows it twice.
    assert len(cells(page, picture(16))) == 2 * 19
    assert page.height > few.height


def test_a_grid_of_free_conditions() -> None:
    work, chain = picture(), "contrast(severity=2)+jpeg_compression(severity=3)"
    specs = [chain, "gaussian_noise(std=0.1)", "clean", "contrast(severity=1)"]
    page = condition_sheet(work, specs, cell=64, columns=2, key="a", clean=False)
    places = []
    for spec in specs:
        (place,) = cells(page, condition(spec).apply(work, seed=0, key="a"))
        places.append(place)
    assert places[0][0] == places[1][0] < places[2][0] == places[3][0]
    assert places[0][1] == places[2][1] < places[1][1] == places[3][1]


@pytest.mark.parametrize(
    ("shape", "edition", "expected"),
    [
        ((500, 400, 3), "any", (280, 224, 3)),
        ((400, 500, 3), "any", (224, 280, 3)),
        ((90, 500, 3), "any", (90, 500, 3)),
        ((40, 30), "any", (40, 30, 3)),
        ((500, 400, 4), "imagenet-224", (224, 224, 3)),
        ((500, 400), "imagenet-64", (64, 64, 3)),
    ],
)
def test_the_size_at_which_a_picture_is_corrupted(shape: Any, edition: str, expected: Any) -> None:
    image = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    work = working_picture(image, edition)
    assert work.shape == expected
    if edition != "any" and image.ndim == 3:
        assert np.array_equal(work, get(edition).prepare(image[:, :, :3].copy()))


def test_small_pictures_are_enlarged_by_whole_factors() -> None:
    work = picture(20)
    page = contact_sheet(work, ["contrast"], [1], cell=64)
    assert len(cells(page, work.repeat(3, axis=0).repeat(3, axis=1))) == 1


def test_sheets_are_deterministic_and_leave_the_picture_alone() -> None:
    work = picture()
    before = work.copy()
    first = contact_sheet(work, ["snow"], cell=32)
    assert np.array_equal(first, contact_sheet(work, ["snow"], cell=32))
    assert not np.array_equal(first, contact_sheet(work, ["snow"], cell=32, seed=1))
    assert np.array_equal(work, before)


def test_pil_images_are_taken() -> None:
    image = Image.fromarray(picture())
    assert np.array_equal(
        contact_sheet(image, ["fog"], [1]), contact_sheet(picture(), ["fog"], [1])
    )


@pytest.mark.filterwarnings("ignore:frost. the published ice photographs")
def test_frost_says_which_ice_it_shows(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from brittle import sheet

    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path))
    made = condition("frost(severity=1, texture=procedural)")
    assert sheet._row_label("frost", [made]) == "frost\n(texture=procedural)"
    assert sheet._row_label("fog", [condition("fog", severity=1)]) == "fog"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: contact_sheet(picture(), []), SpecError, "at least one corruption"),
        (lambda: contact_sheet(picture(), ["fog"], []), SpecError, "at least one corruption"),
        (lambda: contact_sheet(picture(), "fog"), SpecError, r"Write \['fog'\]"),
        (lambda: contact_sheet(picture(), ["fgo"]), SpecError, "Did you mean fog"),
        (lambda: contact_sheet(picture(), edition="cifar-32"), ImageError, "32x32"),
        (lambda: contact_sheet(picture() / 255), ImageError, "float64"),
        (lambda: condition_sheet(picture(), []), SpecError, "at least one condition"),
        (lambda: condition_sheet(picture(), ["fog"]), SpecError, "give severity"),
        (lambda: condition_sheet(picture(), ["clean"], columns=0), SpecError, "one column"),
    ],
)
def test_refusals(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_the_default_picture_is_a_picture() -> None:
    image = example_picture()
    assert (image.shape, image.dtype) == ((512, 512, 3), np.uint8)
    # Photographs have dark and light, all hues, and texture.
    assert image.min() < 40
    assert image.max() > 240
    assert all(image[:, :, channel].std() > 30 for channel in range(3))
    image[:] = 0
    assert example_picture().any(), "a caller may write to its copy"

"""The Python API: one picture, a batch, a step of a pipeline."""

import hashlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from brittle import assets
from brittle._corrupt import Corrupt, corrupt, corrupt_batch
from brittle.conditions import condition
from brittle.corruptions import CORRUPTIONS
from brittle.editions import EDITIONS
from brittle.errors import AssetError, ImageError, SpecError
from brittle.spec import Spec, parse

pytestmark = pytest.mark.filterwarnings("ignore:frost. the published ice photographs")

NOISE = "gaussian_noise(severity=3)"


def picture(*shape: int, seed: int = 0) -> "np.ndarray[Any, Any]":
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


shapes = st.tuples(st.integers(1, 40), st.integers(1, 70)).flatmap(
    lambda size: st.sampled_from([size, (*size, 1), (*size, 3), (*size, 4)])
)
views = st.sampled_from(
    ["whole", "reversed", "transposed", "sliced", "readonly", "turned channels"]
)


def seen_as(whole: "np.ndarray[Any, Any]", view: str) -> "np.ndarray[Any, Any]":
    if view == "reversed":
        return whole[::-1, ::-1]
    if view == "transposed":
        return whole.swapaxes(0, 1)
    if view == "sliced":
        return np.repeat(whole, 3, axis=1)[:, 1::3]
    if view == "turned channels" and whole.ndim == 3:
        return whole[..., ::-1]
    if view == "readonly":
        whole.flags.writeable = False
    return whole


@settings(deadline=None, max_examples=150)
@given(
    whole=shapes.flatmap(lambda shape: arrays(np.uint8, shape)),
    view=views,
    name=st.sampled_from(CORRUPTIONS.names()),
    severity=st.integers(0, 5),
    edition=st.sampled_from(sorted(EDITIONS)),
    seed=st.integers(-(2**70), 2**70),
)
def test_any_picture_comes_back_in_its_own_shape(
    whole: Any, view: str, name: str, severity: int, edition: str, seed: int
) -> None:
    image = seen_as(whole, view)
    before = image.copy()
    result = corrupt(image, name, severity=severity, edition=edition, seed=seed)
    assert (result.dtype, result.shape) == (np.uint8, image.shape)
    assert np.array_equal(image, before)
    assert not np.shares_memory(result, image)
    assert result.flags.writeable
    # What lies in memory how is not part of the picture.
    again = corrupt(before, name, severity=severity, edition=edition, seed=seed)
    assert np.array_equal(result, again)
    if image.ndim == 3 and image.shape[2] == 4:
        assert np.array_equal(result[..., 3], image[..., 3])
        colour = corrupt(image[..., :3], name, severity=severity, edition=edition, seed=seed)
        assert np.array_equal(result[..., :3], colour)
    if severity == 0:
        assert np.array_equal(result, image)


@pytest.mark.parametrize("name", CORRUPTIONS.names())
def test_every_corruption_changes_a_picture(name: str) -> None:
    image = picture(40, 64, 3)
    assert not np.array_equal(corrupt(image, name, severity=5), image)


def test_grey_of_two_and_three_axes_are_one_picture() -> None:
    image = picture(20, 30)
    assert np.array_equal(corrupt(image, NOISE), corrupt(image[:, :, None], NOISE)[:, :, 0])


def test_keys_decide_the_draws() -> None:
    image = picture(16, 16, 3)
    unnamed = corrupt(image, NOISE)
    assert np.array_equal(unnamed, corrupt(image.copy(), NOISE))
    assert np.array_equal(corrupt(image, NOISE, key="a"), corrupt(image, NOISE, key="a"))
    assert not np.array_equal(corrupt(image, NOISE, key="a"), corrupt(image, NOISE, key="b"))
    assert not np.array_equal(corrupt(image, NOISE, key="a"), unnamed)
    assert not np.array_equal(
        corrupt(image, NOISE, key="a", seed=1), corrupt(image, NOISE, key="a")
    )
    # Two flat pictures: the noise itself is equal under one key, and another under their own.
    dark, light = np.full((64, 64), 100, np.uint8), np.full((64, 64), 101, np.uint8)
    faint = "gaussian_noise(std=0.05)"
    moved = [corrupt(one, faint, key="a").astype(int) - one for one in (dark, light)]
    named = np.corrcoef(moved[0].ravel(), moved[1].ravel())[0, 1]
    moved = [corrupt(one, faint).astype(int) - one for one in (dark, light)]
    unnamed_too = np.corrcoef(moved[0].ravel(), moved[1].ravel())[0, 1]
    assert named > 0.5 > 0.1 > abs(unnamed_too)


def test_it_is_the_condition_of_a_build() -> None:
    image = picture(24, 24, 3)
    chain = "fog(severity=2)+jpeg_compression(severity=3)"
    expected = condition(chain, edition="cifar-32").apply(image, seed=5, key="cat/1")
    assert np.array_equal(corrupt(image, chain, edition="cifar-32", seed=5, key="cat/1"), expected)


def test_editions_choose_the_table_and_resize_nothing() -> None:
    image = picture(50, 30, 3)
    large = corrupt(image, "contrast", severity=1, edition="imagenet-224")
    small = corrupt(image, "contrast", severity=1, edition="cifar-32")
    assert large.shape == small.shape == image.shape
    assert not np.array_equal(large, small)
    # No JPEG is written: a picture that nothing is done to comes back as it was.
    assert np.array_equal(corrupt(image, "fog", severity=0, edition="imagenet-224"), image)


def test_specs_and_severities() -> None:
    image = picture(16, 16, 3)
    named = corrupt(image, "fog(severity=3)", key="a")
    assert np.array_equal(named, corrupt(image, "fog", severity=3, key="a"))
    assert np.array_equal(named, corrupt(image, parse("fog(severity=3)"), key="a"))
    assert np.array_equal(named, corrupt(image, Spec("fog"), severity=np.int64(3), key="a"))
    assert np.array_equal(corrupt(image, "clean"), image)
    given = corrupt(image, "gaussian_noise(std=0.2)", key="a")
    assert given.astype(int).std() > image.astype(int).std() * 0.5


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("fog", {}, "give severity=1..5"),
        ("fgo", {"severity": 1}, "Did you mean fog"),
        ("fog(severity=6)", {}, "severity must be 1, 2, 3, 4 or 5"),
        ("fog", {"severity": 6}, "severity must be 0 .* got 6"),
        ("fog", {"severity": True}, "severity must be a whole number; got True"),
        ("fog", {"severity": 2.0}, "severity must be a whole number; got 2.0"),
        ("fog(", {}, "not a spec"),
        ("fog", {"severity": 1, "edition": "imagenet"}, "There is no edition 'imagenet'"),
        ("fog", {"severity": 1, "seed": 1.5}, "seed must be a whole number"),
        ("fog", {"severity": 1, "key": 7}, "A key is a text .* got 7. Use str"),
        (None, {"severity": 1}, "named by a text such as"),
    ],
)
def test_wrong_specs_are_refused(spec: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        corrupt(picture(8, 8, 3), spec, **options)


class Tensor:
    """Stands for a tensor without its library."""

    shape = (3, 8, 8)

    def numpy(self) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (picture(8, 8, 3) / 255, r"float64; .*\(image \* 255\).round\(\).astype\(numpy.uint8\)"),
        (picture(8, 8, 3).astype(np.float32), "float32"),
        (picture(8, 8) > 3, r"bool; .*astype\(numpy.uint8\) \* 255"),
        (picture(8, 8).astype(np.uint16), r"uint16; .*\(image >> 8\)"),
        (picture(8, 8).astype(np.int64), r"int64; .*image.astype\(numpy.uint8\)"),
        (np.array(["a"]), "type <U1"),
        (np.zeros((0, 8, 3), np.uint8), "0 x 8 x 3; give one of at least 1 x 1"),
        (np.zeros((8, 0), np.uint8), "8 x 0; give one of at least 1 x 1"),
        (picture(3, 8, 8), r"3 x 8 x 8; .*numpy.moveaxis\(image, 0, -1\)"),
        (picture(8, 8, 2), r"8 x 8 x 2; .*image\[:, :, 0\]"),
        (picture(8, 8, 5), "5 of them are no picture"),
        (picture(2, 8, 8, 3), r"2 x 8 x 8 x 3; .*corrupt_batch\(\)"),
        (picture(8), "shape 8; .*height x width x channels"),
        (np.array(7, np.uint8), r"shape \(\); "),
        ("photo.png", "A str is not a picture; .*PIL.Image.open"),
        ([[1]], r"A list is not a picture; .*corrupt_batch\(\)"),
        (Tensor(), r"Tensor is not a picture; .*before ToTensor.*permute\(1, 2, 0\)"),
        (Image.new("RGB", (0, 5)), r"0 x 5 \(width x height\)"),
        (Image.new("1", (4, 4)), r'mode 1; .*image.convert\("L"\)'),
        (Image.new("LA", (4, 4)), r'mode LA; .*image.convert\("RGBA"\)'),
        (Image.new("P", (4, 4)), r'mode P; .*image.convert\("RGB"\)'),
        (Image.new("CMYK", (4, 4)), r'mode CMYK; .*image.convert\("RGB"\)'),
        (Image.new("I;16", (4, 4)), "mode I;16; .*high byte"),
        (Image.new("F", (4, 4)), "mode F; .*no range of its values is known"),
    ],
)
def test_what_is_no_picture_is_refused_with_what_to_do(image: Any, message: str) -> None:
    with pytest.raises(ImageError, match=message):
        corrupt(image, NOISE)


def test_a_palette_with_transparency_goes_to_rgba() -> None:
    image = Image.new("P", (4, 4))
    image.info["transparency"] = 0
    with pytest.raises(ImageError, match='"RGBA"'):
        corrupt(image, NOISE)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_pil_images_keep_their_mode(mode: str) -> None:
    pixels = picture(20, 30, *{"L": (), "RGB": (3,), "RGBA": (4,)}[mode])
    image = Image.fromarray(pixels)
    image.info["dpi"] = (72, 72)
    result = corrupt(image, NOISE)
    assert (result.mode, result.size, result.info) == (mode, (30, 20), {"dpi": (72, 72)})
    assert np.array_equal(np.asarray(result), corrupt(pixels, NOISE))
    assert np.array_equal(np.asarray(image), pixels)


def test_a_pil_image_that_does_not_decode_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "cut.png"
    Image.fromarray(picture(64, 64, 3)).save(path)
    path.write_bytes(path.read_bytes()[:2000])
    with Image.open(path) as image, pytest.raises(ImageError, match="does not decode"):
        corrupt(image, NOISE)


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_a_batch_is_its_pictures_alone(workers: int | None) -> None:
    images = [picture(20, 30, 3, seed=n) for n in range(9)]
    keys = [f"image {n}" for n in range(9)]
    alone = [
        corrupt(image, "fog", severity=2, key=key) for image, key in zip(images, keys, strict=True)
    ]
    batch = corrupt_batch(images, "fog", severity=2, keys=keys, workers=workers)
    assert isinstance(batch, list)
    assert np.array_equal(np.stack(alone), np.stack(batch))
    array = corrupt_batch(np.stack(images), "fog", severity=2, keys=keys, workers=workers)
    assert isinstance(array, np.ndarray)
    assert np.array_equal(array, np.stack(alone))


def test_a_batch_may_be_mixed_and_keeps_its_container() -> None:
    images = (picture(5, 6), Image.fromarray(picture(7, 8, 4)), picture(9, 10, 3))
    result = corrupt_batch(images, NOISE)
    assert isinstance(result, tuple)
    assert [type(one) for one in result] == [type(one) for one in images]
    assert np.array_equal(result[2], corrupt(images[2], NOISE))


def test_empty_batches_stay_empty() -> None:
    assert corrupt_batch([], NOISE) == []
    assert corrupt_batch(np.zeros((0, 4, 4, 3), np.uint8), NOISE).shape == (0, 4, 4, 3)
    with pytest.raises(SpecError, match="There is no corruption"):
        corrupt_batch([], "nothing")


@pytest.mark.parametrize(
    ("images", "options", "error", "message"),
    [
        (picture(2, 4, 4, 3), {"keys": ["a"]}, SpecError, "2 pictures and 1 keys"),
        (picture(2, 4, 4, 3), {"keys": [1, 2]}, SpecError, "got 1. Use str"),
        (picture(2, 4, 4, 3), {"workers": 0}, SpecError, "workers must be at least 1"),
        (picture(4, 4, 3), {}, ImageError, "3 axes"),
        (iter([picture(4, 4)]), {}, ImageError, r"list\(images\)"),
        ([picture(4, 4), None], {}, ImageError, "Picture 1 of the batch: A NoneType is not"),
        (picture(2, 3, 9, 9), {}, ImageError, "Picture 0 of the batch: .*channels seem to come"),
    ],
)
def test_wrong_batches_are_refused(images: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        corrupt_batch(images, NOISE, **options)


def test_the_step_of_a_pipeline() -> None:
    image = picture(12, 12, 3)
    step = Corrupt("fog", severity=3, edition="cifar-32", seed=4)
    assert repr(step) == "Corrupt('fog(severity=3)', edition='cifar-32', seed=4)"
    expected = corrupt(image, "fog(severity=3)", edition="cifar-32", seed=4, key="a")
    assert np.array_equal(step(image, key="a"), expected)
    again = pickle.loads(pickle.dumps(step))
    assert again == step
    assert np.array_equal(again(image, key="a"), expected)
    assert Corrupt("fog", severity=2) != Corrupt("fog", severity=3)


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("fgo", {"severity": 1}, "Did you mean fog"),
        ("fog", {}, "give severity=1..5"),
        ("fog", {"severity": 1, "seed": "x"}, "seed must be a whole number"),
    ],
)
def test_a_wrong_step_is_refused_when_made(spec: str, options: Any, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Corrupt(spec, **options)


def test_a_label_is_never_taken_for_a_key() -> None:
    with pytest.raises(TypeError, match="positional"):
        Corrupt("fog", severity=1)(picture(4, 4), "cat")  # type: ignore[misc]


def test_frost_does_not_change_its_ice_between_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "none").mkdir()
    made = [asset._replace(sha256=hashlib.sha256(b"").hexdigest()) for asset in assets.FROST]
    monkeypatch.setattr(assets, "FROST", tuple(made))
    for asset in assets.FROST:
        (tmp_path / asset.name).touch()
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path))
    assets.use(None)
    step = Corrupt("frost", severity=3)
    sent = pickle.dumps(step)
    assert pickle.loads(sent) == step
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path / "none"))
    with (
        pytest.warns(UserWarning, match="procedural ice"),
        pytest.raises(AssetError, match=r"made for frost\(severity=3\), but .*=procedural"),
    ):
        pickle.loads(sent)


def test_a_severity_that_goes_nowhere_is_refused() -> None:
    image = np.zeros((9, 9, 3), np.uint8)
    for text in ("fog(severity=3)", "gaussian_noise(std=0.2)"):
        with pytest.raises(SpecError, match="severity=4 has nothing to go to"):
            corrupt(image, text, severity=4)
    assert np.array_equal(corrupt(image, "fog", severity=0), image)

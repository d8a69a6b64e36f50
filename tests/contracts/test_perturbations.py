"""Every perturbation, found by file, meets the contract of its family."""

import ast
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from brittle import rows
from brittle.corruptions import CORRUPTIONS
from brittle.errors import SpecError
from brittle.perturbations import PERTURBATIONS, Perturbation
from brittle.rows import Range
from brittle.sequences import sequence
from brittle.types import Crop, whole
from tests.contracts.test_corruptions import picture
from tests.helpers.parts import module

NAMES = PERTURBATIONS.names()
EXTRA = {"speckle_noise", "gaussian_blur", "spatter", "shear"}
NOISES = {"gaussian_noise", "shot_noise", "speckle_noise"}
EDITIONS = ["imagenet-224", "inception-299", "imagenet-64", "tiny-imagenet-64", "cifar-32", "any"]


def listed(name, image, *, edition="any", seed=0, key="a", **options):
    return list(sequence(name, edition=edition).frames(image, seed=seed, key=key, **options))


def test_the_fourteen_are_there():
    assert len(NAMES) >= 14
    assert {name for name in NAMES if PERTURBATIONS.load(name).extra} >= EXTRA
    first = {name for name in NAMES if PERTURBATIONS.load(name).reference == "first"}
    assert first >= NOISES
    assert not first & {"snow", "tilt", "spatter"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 3), (5, 64), (37, 23)])
@pytest.mark.parametrize("channels", [1, 3])
def test_any_size_keeps_shape_type_and_input(name, shape, channels):
    image = picture(*shape, channels)
    before = image.copy()
    made = listed(name, image)
    assert len(made) == sequence(name).count
    for frame in made:
        assert frame.dtype == np.uint8
        assert frame.shape == image.shape
        assert frame.flags.c_contiguous
        assert not np.shares_memory(frame, image)
    assert np.array_equal(image, before)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_gives_changing_frames_of_its_side(name, edition):
    side = {"inception-299": 299, "cifar-32": 32}.get(edition, 64 if "64" in edition else 224)
    image = picture(32, 32, 3) if edition == "cifar-32" else picture(250, 300, 3)
    expected = image.shape if edition == "any" else (side, side, 3)
    made = listed(name, image, edition=edition)
    assert {frame.shape for frame in made} == {expected}
    same = [np.array_equal(a, b) for a, b in pairwise(made)]
    # A sigma that grows by a hundredth of a pixel may change no level at first, and the few drops
    # on a small picture have run off it before the end.
    few = name in ("gaussian_blur", "spatter")
    assert sum(same) < (len(made) - 1 if few else 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_arguments_give_the_same_bytes_and_others_do_not(name):
    image = picture(40, 50, 3)
    drawn = PERTURBATIONS.load(name).draw is not None
    first = np.stack(listed(name, image))
    assert np.array_equal(first, listed(name, image))
    assert np.array_equal(first, listed(name, image, seed=1)) != drawn
    assert np.array_equal(first, listed(name, image, key="b")) != drawn


@pytest.mark.parametrize("name", NAMES)
def test_read_only_input_is_taken(name):
    image = picture(20, 30, 3)
    image.flags.writeable = False
    assert listed(name, image)[0].shape == image.shape


@pytest.mark.parametrize("name", NAMES)
def test_two_sequences_may_run_at_once_in_a_thread(name):
    """No scratch memory is kept over a yield, and what is yielded is not working memory."""
    one, other = picture(50, 60, 3, seed=1), picture(41, 70, 3, seed=2)
    alone = listed(name, one)
    made = sequence(name)
    woven = []
    mixed = made.frames(other, seed=5, key="z")
    for frame in made.frames(one, seed=0, key="a"):
        woven.append(frame)
        next(mixed)
    assert np.array_equal(np.stack(woven), np.stack(alone))


@pytest.mark.parametrize("name", NAMES)
def test_draws_are_not_working_memory_nor_changed(name):
    part = PERTURBATIONS.load(name)
    if part.draw is None:
        return
    row, image = sequence(name).row, picture(30, 40, 3)
    draws = part.draw(1, image.shape, row)
    first = list(part.frames(image, row, draws, whole(image)))
    list(part(image, row, 2, whole(image)))
    assert np.array_equal(first, list(part.frames(image, row, draws, whole(image))))


@pytest.mark.parametrize("name", NAMES)
def test_frames_are_made_one_at_a_time(name):
    made = sequence(f"{name}(frames=1000)").frames(picture(9, 9, 3), seed=0, key="a")
    assert next(made).shape == (9, 9, 3)


@pytest.mark.parametrize("name", NAMES)
def test_the_crop_is_the_middle_of_what_is_made_of_the_whole(name):
    """What moves the picture makes the same of it, whatever part is asked for."""
    part = PERTURBATIONS.load(name)
    row, image = sequence(name).row, picture(60, 80, 3)
    crop = Crop(11, 17, 30, 40)
    made = list(part(image, row, 3, crop))
    assert {frame.shape for frame in made} == {(30, 40, 3)}
    if name in ("rotate", "shear", "scale", "tilt", "translate"):
        large = part(image, row, 3, whole(image))
        assert all(
            np.array_equal(crop.of(big), small) for big, small in zip(large, made, strict=True)
        )
    else:
        middle = crop.of(image)
        first = next(part(middle, row, 3, whole(middle)))
        assert np.array_equal(first, made[0])


@pytest.mark.parametrize("name", NAMES)
def test_explicit_parameters_equal_the_row_they_spell(name):
    row = PERTURBATIONS.load(name).tables["imagenet-224"][0]._asdict()
    shown = ", ".join(
        f"{key}=[{', '.join(map(repr, value))}]" if isinstance(value, tuple) else f"{key}={value}"
        for key, value in row.items()
    )
    assert sequence(f"{name}({shown})", edition="cifar-32").row == sequence(name).row


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_refuses_what_is_out_of_its_limits(name):
    part = PERTURBATIONS.load(name)
    for key, field in rows.fields(part.row).items():
        bad = [-1e9] if field.kind is tuple else -1e9
        with pytest.raises(SpecError, match=rf"{name}: {key} must be"):
            part.make(name, {key: bad}, "imagenet-224")
    with pytest.raises(SpecError, match=rf"{name}: There is no parameter 'severity'"):
        part.make(name, {"severity": 1}, "imagenet-224")
    with pytest.raises(SpecError, match=rf"{name} has no numbers for nonsense; it has imagenet"):
        part.make(name, {}, "nonsense")


@pytest.mark.parametrize("name", NAMES)
def test_strengths(name):
    part = PERTURBATIONS.load(name)
    levels = len(part.tables["imagenet-224"])
    assert levels == (3 if name in NOISES else 1)
    if levels == 1:
        with pytest.raises(SpecError, match=rf"{name} has one strength only; leave strength=1 out"):
            part.make(name, {"strength": 1}, "imagenet-224")
        return
    for bad in (0, 4, -1, 1.5, True, "x"):
        with pytest.raises(SpecError, match=rf"{name}: strength must be 1, 2 or 3; got {bad}"):
            part.make(name, {"strength": bad}, "imagenet-224")
    assert part.make(name, {}, "cifar-32") == part.tables["cifar-32"][0]
    assert part.make(name, {"strength": 3}, "cifar-32") == part.tables["cifar-32"][2]


@pytest.mark.parametrize("name", NAMES)
def test_documentation_says_what_it_is(name):
    part = PERTURBATIONS.load(name)
    summary, rest = part.about.split("\n\n", 1)
    assert summary.endswith(".")
    assert rest.startswith("Formula: ")
    assert part.version >= 1
    assert part.citation
    for key in rows.fields(part.row):
        assert f"`{key}`" in part.row.__doc__, f"{name} does not document {key}"


@pytest.mark.parametrize("name", NAMES)
def test_a_part_imports_no_other_part(name):
    """Parts are leaves: what two of them share lies in a file with an underscore."""
    others = {f"brittle.perturbations.{other}" for other in NAMES}
    others |= {f"brittle.corruptions.{other}" for other in CORRUPTIONS.names()}
    for node in ast.walk(ast.parse(Path(module(PERTURBATIONS, name).__file__).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
            assert not modules & others, f"{name} imports {modules & others}"


@pytest.mark.parametrize("name", NAMES)
def test_long_thin_pictures_are_taken(name):
    for shape in ((1, 3000, 3), (3000, 2, 1)):
        made = sequence(f"{name}(frames=3)").frames(picture(*shape), seed=0, key="a")
        assert {frame.shape for frame in made} == {shape}


class _Row(NamedTuple):
    strength: Annotated[float, Range(0, 1)]
    frames: Annotated[int, Range(2, 9)]


def test_a_row_may_not_take_the_word_for_the_level():
    with pytest.raises(SpecError, match=r"none named strength, .* got strength, frames"):
        Perturbation(
            row=_Row, tables={}, frames=lambda *_: iter(()), reference="first", citation="none"
        )

"""Every corruption, found by file, meets the contract of its family."""

import ast
from pathlib import Path

import numpy as np
import pytest

from brittle import rows, suites
from brittle.conditions import condition
from brittle.corruptions import CORRUPTIONS
from brittle.errors import ImageError, SpecError
from tests.helpers.parts import module

NAMES = CORRUPTIONS.names()


def bound(name, severity=3, edition="any"):
    text = f"{name}(texture=procedural)" if name == "frost" else name
    return condition(text, severity=severity, edition=edition)


def picture(height, width, channels, seed=0):
    rng = np.random.default_rng(seed)
    smooth = np.linspace(0, 200, height * width * channels).reshape(height, width, channels)
    return (smooth + rng.integers(0, 56, smooth.shape)).astype(np.uint8)


def test_the_nineteen_are_there():
    extra = {name for name in NAMES if CORRUPTIONS.load(name).extra}
    assert extra >= {"gaussian_blur", "saturate", "spatter", "speckle_noise"}
    assert set(NAMES) - extra >= set(suites.get("imagenet-c").corruptions)
    assert len(suites.get("imagenet-c").corruptions) == 15


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 3), (5, 64), (37, 23), (64, 64)])
@pytest.mark.parametrize("channels", [1, 3])
def test_any_size_keeps_shape_type_and_input(name, shape, channels):
    image = picture(*shape, channels)
    before = image.copy()
    for severity in (1, 5):
        out = bound(name, severity).apply(image, seed=0, key="a")
        assert out.dtype == np.uint8
        assert out.shape == image.shape
        assert not np.shares_memory(out, image)
    assert np.array_equal(image, before)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("edition", ["imagenet-224", "inception-299", "imagenet-64", "cifar-32"])
def test_every_severity_of_every_edition_changes_the_picture(name, severity, edition):
    side = {"imagenet-224": 224, "inception-299": 299, "imagenet-64": 64, "cifar-32": 32}[edition]
    image = picture(side, side, 3)
    if name == "saturate":
        image[:, :, 0] //= 2
    out = bound(name, severity, edition).apply(image, seed=0, key="a")
    assert not np.array_equal(out, image)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_arguments_give_the_same_bytes_and_others_do_not(name):
    image = picture(40, 50, 3)
    part = CORRUPTIONS.load(name)
    made = bound(name)
    first = made.apply(image, seed=0, key="a")
    assert np.array_equal(first, made.apply(image, seed=0, key="a"))
    drawn = part.draw is not None
    assert np.array_equal(first, made.apply(image, seed=1, key="a")) != drawn
    assert np.array_equal(first, made.apply(image, seed=0, key="b")) != drawn


@pytest.mark.parametrize("name", NAMES)
def test_read_only_input_is_taken(name):
    image = picture(20, 30, 3)
    image.flags.writeable = False
    assert bound(name).apply(image, seed=0, key="a").shape == image.shape


@pytest.mark.parametrize("name", NAMES)
def test_explicit_parameters_equal_the_row_they_spell(name):
    image = picture(48, 48, 3)
    row = CORRUPTIONS.load(name).tables["imagenet-224"][2]._asdict()
    if name == "frost":
        row["texture"] = "procedural"
    shown = ", ".join(
        f"{key}=[{', '.join(map(repr, value))}]" if isinstance(value, tuple) else f"{key}={value}"
        for key, value in row.items()
    )
    explicit = condition(f"{name}({shown})")
    by_row = CORRUPTIONS.load(name).make(name, row, "imagenet-224")
    assert explicit.links[0].row == by_row
    changed = explicit.apply(image, seed=0, key="a")
    assert not np.array_equal(changed, image)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("severity", [-1, 6, 2.5, True])
def test_a_severity_off_the_scale_is_refused(name, severity):
    with pytest.raises(SpecError, match=r"severity must be 1, 2, 3, 4 or 5 \(0 is the clean"):
        CORRUPTIONS.load(name).make(name, {"severity": severity}, "imagenet-224")


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_refuses_what_is_out_of_its_limits(name):
    part = CORRUPTIONS.load(name)
    for key, field in rows.fields(part.row).items():
        bad = "no such word" if isinstance(field.limit, rows.OneOf) else [-1e9]
        bad = bad if field.kind in (str, tuple) else -1e9
        with pytest.raises(SpecError, match=rf"{name}: {key} must be"):
            part.make(name, {"severity": 1, key: bad}, "imagenet-224")


@pytest.mark.parametrize("name", NAMES)
def test_documentation_says_what_it_is(name):
    part = CORRUPTIONS.load(name)
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
    tree = ast.parse(Path(module(CORRUPTIONS, name).__file__).read_text())
    for node in ast.walk(tree):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        for found in modules:
            others = {f"brittle.corruptions.{other}" for other in NAMES}
            assert found not in others, f"{name} imports {found}"


@pytest.mark.parametrize("name", NAMES)
def test_long_thin_pictures_are_taken(name):
    for shape in ((1, 3000, 3), (3000, 2, 1)):
        assert bound(name, 1).apply(picture(*shape), seed=0, key="a").shape == shape


def test_fog_refuses_what_its_map_cannot_cover():
    with pytest.raises(ImageError, match="over the limit of 16384 pixels"):
        bound("fog").apply(np.zeros((1, 20000, 3), np.uint8), seed=0, key="a")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_returned_is_not_working_memory(name):
    """The next picture of the same thread must not write over the one before."""
    made = bound(name)
    first = made.apply(picture(50, 60, 3, seed=1), seed=0, key="a")
    kept = first.copy()
    made.apply(picture(50, 60, 3, seed=2), seed=0, key="b")
    assert np.array_equal(first, kept)


@pytest.mark.parametrize("name", NAMES)
def test_draws_are_not_working_memory(name):
    part = CORRUPTIONS.load(name)
    row = bound(name).links[0].row
    if part.draw is not None:
        image = picture(30, 40, 3)
        first = part.apply(image, row, part.draw(1, image.shape, row))
        draws = part.draw(1, image.shape, row)
        part(image, row, 2)
        assert np.array_equal(first, part.apply(image, row, draws))

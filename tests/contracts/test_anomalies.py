"""Every synthetic anomaly, found by file, meets the contract of its family."""

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from brittle import rows, seeds
from brittle.anomalies import ANOMALIES
from brittle.errors import SpecError
from tests.helpers.parts import module

NAMES = ANOMALIES.names()


def made(name, height=32, width=32, key="a", seed=0, **params):
    part = ANOMALIES.load(name)
    return part(seeds.stream(seed, name, key), height, width, part.make(name, params))


def test_the_four_of_the_authors_are_there():
    assert set(NAMES) >= {"gaussian", "rademacher", "uniform", "blobs"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 3), (37, 23), (32, 64), (300, 7)])
def test_any_size(name, shape):
    picture = made(name, *shape)
    assert picture.dtype == np.uint8
    assert picture.shape == (*shape, 3)
    assert picture.flags.c_contiguous
    assert picture.flags.writeable


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_is_a_picture(name):
    first = made(name)
    assert np.array_equal(first, made(name))
    assert not np.array_equal(first, made(name, key="b"))
    assert not np.array_equal(first, made(name, seed=1))


@pytest.mark.parametrize("name", NAMES)
def test_pictures_do_not_depend_on_threads_or_order(name):
    keys = [f"{name}-{number:05d}" for number in range(24)]
    alone = [made(name, 48, 40, key) for key in keys]
    with ThreadPoolExecutor(6) as pool:
        turned = list(pool.map(lambda key: made(name, 48, 40, key), keys[::-1]))
    assert all(np.array_equal(a, b) for a, b in zip(alone, turned[::-1], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_returned_is_not_working_memory_and_draws_are_left_alone(name):
    part = ANOMALIES.load(name)
    row = part.make(name, {})
    draws = part.draw(3, (40, 40, 3), row)
    first = part.apply(draws, row)
    kept = first.copy()
    part(4, 40, 40, row)
    assert np.array_equal(first, kept)
    first[:] = 9
    assert np.array_equal(part.apply(draws, row), kept)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_have_defaults_and_limits(name):
    part = ANOMALIES.load(name)
    known = rows.fields(part.row)
    assert part.make(name, {}) == part.row()
    for key, field in known.items():
        assert f"`{key}`" in part.row.__doc__
        with pytest.raises(SpecError, match=rf"{name}: {key} must be {field.limit}"):
            part.make(name, {key: -1})
    with pytest.raises(SpecError, match=rf"{name}.*(no parameter 'cell'|takes no parameters)"):
        part.make(name, {"cell": 1})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1 << 15, 1)])
def test_no_picture_without_pixels_or_with_too_many(name, shape):
    with pytest.raises(SpecError, match="A picture is from 1 to 16384 pixels high and wide; got"):
        made(name, *shape)


@pytest.mark.parametrize("name", NAMES)
def test_documentation_says_what_it_is(name):
    part = ANOMALIES.load(name)
    summary, rest = part.about.split("\n\n", 1)
    assert summary.endswith(".")
    assert rest.startswith("Formula: ")
    assert part.version >= 1
    assert "arXiv" in part.citation


@pytest.mark.parametrize("name", NAMES)
def test_a_part_imports_no_other_part(name):
    others = {f"brittle.anomalies.{other}" for other in NAMES if other != name}
    tree = ast.parse(Path(module(ANOMALIES, name).__file__).read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not modules & others

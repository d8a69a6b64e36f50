"""Many random pictures and parameters: frames come back, or an ImageError, and nothing else."""

import random

import numpy as np
import pytest

from brittle import _perturb as api
from brittle.errors import ImageError
from brittle.perturbations import PERTURBATIONS
from brittle.rows import TABLES
from brittle.spec import Spec
from tests.test_fuzz import parameters, picture

FEW, MANY = 300, 10_000


def good(image):
    flat = image.ndim == 2 or (image.ndim == 3 and image.shape[2] in (1, 3))
    return image.dtype == np.uint8 and flat and image.size > 0


def spec(draw):
    name = draw.choice(PERTURBATIONS.names())
    part = PERTURBATIONS.load(name)
    params = {}
    if draw.random() < 0.6:
        params = parameters(draw, part.row)
        if name == "spatter":
            params["run"] = tuple(draw.random() for _ in range(draw.randint(1, 9)))
    elif len(part.tables["cifar-32"]) == 3:
        params = {"strength": draw.randint(1, 3)}
    return Spec(name, {**params, "frames": draw.randint(2, 6)})


def one(number):
    draw = random.Random(number)
    image, name = picture(draw), spec(draw)
    table = draw.choice([*TABLES, "any"])
    before = image.copy()
    said = f"call {number}: {name} of {table} on {image.dtype} {image.shape}"
    options = {"edition": table, "seed": number, "prepare": table == "any"}
    try:
        result = api.perturb(image, name, **options)
    except ImageError:
        assert not good(image), said
        return
    except Exception as error:
        raise AssertionError(f"{said} ended in {error!r}") from error
    assert good(image), f"{said} was taken for a picture"
    shape = image.shape if image.ndim == 3 else (*image.shape, 1)
    assert result.shape == (name.params["frames"], *shape), said
    assert np.array_equal(image, before), f"{said} changed what it was given"
    assert np.array_equal(result, api.perturb(image, name, **options)), f"{said} differs"


def test_random_calls():
    for call in range(FEW):
        one(call)


@pytest.mark.slow
def test_many_random_calls():
    for call in range(MANY):
        one(call)

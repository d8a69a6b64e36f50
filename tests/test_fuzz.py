"""Many random pictures and parameters: a picture comes back, or an ImageError, and nothing else."""

import math
import random
from typing import Any

import numpy as np
import pytest

from brittle import _corrupt as api
from brittle.corruptions import CORRUPTIONS
from brittle.errors import ImageError
from brittle.rows import TABLES, OneOf, fields
from brittle.spec import Spec

pytestmark = pytest.mark.filterwarnings("ignore:frost. the published ice photographs")

FEW, MANY = 600, 20_000
BAD_TYPES = (
    "bool",
    "int8",
    "uint16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
)
MODERATE = {"rounds": 6, "radius": 60, "sigma": 80, "delta": 30}
"""Where the limits of a part allow hours of work, the fuzz stays below these most of the time."""


def number(draw: random.Random, name: str, low: float, high: float, whole: bool) -> float:
    high = min(high, 1e6)
    ceiling = min(high, MODERATE.get(name, high))
    choice = draw.random()
    if choice < 0.15:
        value = low
    elif choice < 0.25:
        value = ceiling
    elif choice < 0.45 and low <= 0 <= ceiling:
        value = 0.0 if choice < 0.4 else min(1e-300, ceiling)
    elif choice < 0.7:
        value = draw.uniform(low, ceiling)
    else:
        near = max(low, 0.0)
        value = near + min(ceiling - near, math.exp(draw.uniform(-12, 5)))
    value = min(max(value, low), ceiling)
    return round(value) if whole else value


def parameters(draw: random.Random, row: type) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name, field in fields(row).items():
        if isinstance(field.limit, OneOf):
            words = [word for word in field.limit.words if word != "photographs"]
            params[name] = draw.choice(words)
        elif field.kind is tuple:
            low, high = field.limit
            count = draw.choice((1, 2, 5))
            params[name] = tuple(number(draw, name, low, high, False) for _ in range(count))
        else:
            params[name] = number(draw, name, *field.limit, whole=field.kind is int)
    return params


def spec(draw: random.Random) -> tuple[Spec, str]:
    name = draw.choice(CORRUPTIONS.names())
    table = draw.choice([*TABLES, "any"])
    if draw.random() < 0.5:
        return Spec(name, {"severity": draw.randrange(6)}), table
    return Spec(name, parameters(draw, CORRUPTIONS.load(name).row)), table


def side(draw: random.Random) -> int:
    return draw.choice((1, 2, 3, 5, 8, draw.randint(1, 70), draw.randint(1, 70)))


def picture(draw: random.Random) -> "np.ndarray[Any, Any]":
    """A picture in some layout of memory; one time in five not a picture at all."""
    shape: tuple[int, ...] = (side(draw), side(draw), *draw.choice(((), (1,), (3,), (3,), (4,))))
    kind = "uint8"
    bad = draw.random()
    if bad < 0.07:
        kind = draw.choice(BAD_TYPES)
    elif bad < 0.13:
        shape = draw.choice(((), (5,), (4, 4, 2), (4, 4, 5), (3, 9, 9), (2, 4, 4, 3), (1, 1, 1, 1)))
    elif bad < 0.2:
        shape = draw.choice(((0,), (0, 4), (4, 0), (0, 0, 3), (7, 0, 1), (0, 7, 4), (4, 4, 0)))
    fill = draw.choice(("noise", "noise", "black", "white", "grey", "ramp"))
    values = np.random.default_rng(draw.randrange(2**32)).integers(0, 256, shape)
    if fill != "noise":
        values = np.zeros(shape, int) + {"black": 0, "white": 255, "grey": 128, "ramp": 0}[fill]
    if fill == "ramp":
        values = np.arange(values.size).reshape(shape) % 256
    made = values.astype(kind)
    layout = draw.randrange(6)
    if layout == 1 and made.ndim >= 2:
        made = np.ascontiguousarray(made.swapaxes(0, 1)).swapaxes(0, 1)
    elif layout == 2 and made.ndim >= 1:
        made = made[::-1]
    elif layout == 3 and made.ndim >= 2:
        made = np.repeat(made, 2, axis=1)[:, ::2]
    elif layout == 4 and made.ndim >= 1:
        made.flags.writeable = False
    elif layout == 5 and made.ndim == 3:
        made = np.ascontiguousarray(made[:, :, ::-1])[:, :, ::-1]
    return made


def good(image: "np.ndarray[Any, Any]") -> bool:
    flat = image.ndim == 2 or (image.ndim == 3 and image.shape[2] in (1, 3, 4))
    return image.dtype == np.uint8 and flat and image.size > 0


def attempt(
    image: "np.ndarray[Any, Any]", name: Spec, table: str, seed: int, said: str
) -> tuple[Any, str | None]:
    try:
        return api.corrupt(image, name, edition=table, seed=seed), None
    except ImageError as error:
        return None, str(error)
    except Exception as error:
        raise AssertionError(f"{said} ended in {error!r}") from error


def one(number: int) -> None:
    draw = random.Random(number)
    image, (name, table) = picture(draw), spec(draw)
    before = image.copy()
    said = f"call {number}: {name} of {table} on {image.dtype} {image.shape}"
    result, refusal = attempt(image, name, table, number, said)
    if refusal is not None:
        assert not good(image), f"{said} was refused: {refusal}"
        assert "What to do: " in refusal or "at least 1 x 1" in refusal, f"{said}: {refusal}"
        return
    assert good(image), f"{said} was taken for a picture"
    assert (result.dtype, result.shape) == (np.uint8, image.shape), said
    assert not np.shares_memory(result, image), said
    assert np.array_equal(image, before), f"{said} changed what it was given"
    if image.ndim == 3 and image.shape[2] == 4:
        assert np.array_equal(result[..., 3], image[..., 3]), f"{said} changed alpha"
    again = api.corrupt(image, name, edition=table, seed=number)
    assert np.array_equal(result, again), f"{said} is not deterministic"


def test_random_calls() -> None:
    for call in range(FEW):
        one(call)


@pytest.mark.slow
def test_many_random_calls() -> None:
    for call in range(MANY):
        one(call)

from typing import Annotated, NamedTuple

import pytest

from brittle.errors import SpecError
from brittle.rows import OneOf, Range, fields, make_row, table


class Row(NamedTuple):
    size: Annotated[float, Range(0, 5)]
    count: Annotated[int, Range(1, 9)] = 2
    kind: Annotated[str, OneOf(("a", "b"))] = "a"
    steps: Annotated[tuple[float, ...], Range(0)] = (1.0,)


GOOD = [(1,), (2, 3), (3, 4, "b"), (4, 1, "a", (1, 2)), (5,)]
NAMES = ("imagenet-224", "inception-299", "imagenet-64", "cifar-32")


def test_a_row_takes_types_and_defaults_from_its_declaration():
    row = make_row(Row, {"size": 1, "steps": [1, 2]}, where="x")
    assert row == (1.0, 2, "a", (1.0, 2.0))
    assert type(row.size) is float
    assert list(fields(Row)) == ["size", "count", "kind", "steps"]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"size": 6}, "x: size must be a number from 0 to 5; got 6"),
        ({"size": "1"}, "size must be a number"),
        ({"size": True}, "size must be a number"),
        ({"size": float("nan")}, "size must be a number"),
        ({"size": 1, "count": 1.5}, "count must be a whole number"),
        ({"size": 1, "kind": "c"}, "kind must be one of a, b"),
        ({"size": 1, "steps": 3}, "steps must be a list"),
        ({"size": 1, "steps": []}, "steps must be a list"),
        ({"size": 1, "steps": [-1]}, "steps must be a number of at least 0"),
        ({"sise": 1}, "no parameter 'sise'. Did you mean size"),
        ({"count": 1}, "missing here: size"),
    ],
)
def test_what_does_not_fit_is_refused(params, message):
    with pytest.raises(SpecError, match=message):
        make_row(Row, params, where="x")


def test_a_table_checks_itself():
    made = table(Row, dict.fromkeys(NAMES, GOOD))
    assert made["cifar-32"][2] == (3.0, 4, "b", (1.0,))
    with pytest.raises(TypeError):
        made["cifar-32"] = ()
    with pytest.raises(SpecError, match="no severities for cifar-32"):
        table(Row, dict.fromkeys(NAMES[:3], GOOD))
    with pytest.raises(SpecError, match="has 4 rows; five are needed"):
        table(Row, {**dict.fromkeys(NAMES, GOOD), "cifar-32": GOOD[:4]})
    with pytest.raises(SpecError, match="size must be a number from 0 to 5"):
        table(Row, {**dict.fromkeys(NAMES, GOOD), "cifar-32": [*GOOD[:4], (9,)]})
    with pytest.raises(SpecError, match="longer than Row"):
        table(Row, {**dict.fromkeys(NAMES, GOOD), "cifar-32": [*GOOD[:4], (1, 2, "a", (1,), 0)]})


def test_a_field_without_limits_is_refused():
    class Loose(NamedTuple):
        size: float

    with pytest.raises(SpecError, match="size declares no limits"):
        fields(Loose)

"""Rows of parameters: frozen numbers that check themselves.

A part declares its row as a NamedTuple whose fields carry their limits:

    class Row(NamedTuple):
        std: Annotated[float, Range(0)]

`table` makes the severity tables of the editions from literals, `make_row` a single row from the
parameters of a spec; both refuse what is out of limits, missing or unknown.
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from brittle.errors import SpecError
from brittle.families import hint

SEVERITIES = (1, 2, 3, 4, 5)
TABLES = ("imagenet-224", "inception-299", "imagenet-64", "cifar-32")
"""The tables that every corruption and perturbation has; the editions name the one they use."""

R = TypeVar("R", bound=tuple[Any, ...])
Tables: TypeAlias = Mapping[str, tuple[R, ...]]


class Range(NamedTuple):
    """The closed interval that a number, or every number of a list, must lie in."""

    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        """Say the interval in words."""
        if self.high == math.inf:
            return f"a number of at least {self.low:g}"
        return f"a number from {self.low:g} to {self.high:g}"


class OneOf(NamedTuple):
    """The words that a text may be."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        """Name the words."""
        return "one of " + ", ".join(self.words)


class Field(NamedTuple):
    """A parameter: its type (int, float, str or tuple) and limit."""

    kind: type
    limit: Range | OneOf


@lru_cache
def fields(row: type[Any]) -> Mapping[str, Field]:
    """Return a row's parameters by name, in order."""
    found = {}
    for name, annotation in get_type_hints(row, include_extras=True).items():
        if get_origin(annotation) is not Annotated:
            raise SpecError(f"{row.__module__}: the row's field {name} declares no limits.")
        declared, limit = get_args(annotation)
        found[name] = Field(get_origin(declared) or declared, limit)
    return MappingProxyType(found)


def table(
    row: type[R], values: Mapping[str, Sequence[Any]], *, levels: int = len(SEVERITIES)
) -> Tables[R]:
    """Make the tables from literals: a table name to its rows (tuples, or bare single values).

    There is a row for each of the `levels`: the five severities of a corruption, the strengths of
    a perturbation.
    """
    if missing := [name for name in TABLES if name not in values]:
        raise SpecError(f"{row.__module__}: no severities for {', '.join(missing)}.")
    made: dict[str, tuple[R, ...]] = {}
    for name, rows in values.items():
        if len(rows) != levels:
            needed = {1: "one is", 3: "three are", 5: "five are"}.get(levels, f"{levels} are")
            raise SpecError(f"{row.__module__}: {name} has {len(rows)} rows; {needed} needed.")
        single = len(fields(row)) == 1
        listed = [(item,) if single else item for item in rows]
        if any(len(item) > len(fields(row)) for item in listed):
            raise SpecError(f"{row.__module__}: a row of {name} is longer than {row.__name__}.")
        made[name] = tuple(
            make_row(row, dict(zip(fields(row), item, strict=False)), where=f"{row.__module__}")
            for item in listed
        )
    return MappingProxyType(made)


def make_row(row: type[R], params: Mapping[str, Any], *, where: str) -> R:
    """Make one checked row; `where` begins the error message."""
    known = fields(row)
    for name in params:
        if name not in known:
            raise SpecError(f"{where}: {hint(name, known, 'parameter')}")
    defaults: Mapping[str, Any] = getattr(row, "_field_defaults", {})
    if missing := [name for name in known if name not in params and name not in defaults]:
        raise SpecError(
            f"{where}: give severity=1..5, or all of its parameters; "
            f"missing here: {', '.join(missing)}."
        )
    return row(**{name: _check(known[name], name, value, where) for name, value in params.items()})


def _check(field: Field, name: str, value: Any, where: str) -> Any:
    if field.kind is str:
        assert isinstance(field.limit, OneOf)
        if value not in field.limit.words:
            raise SpecError(f"{where}: {name} must be {field.limit}; got {value!r}.")
        return value
    if field.kind is tuple:
        if not isinstance(value, (tuple, list)) or not value:
            raise SpecError(f"{where}: {name} must be a list [a, b, ...]; got {value!r}.")
        return tuple(float(_number(field, name, item, where)) for item in value)
    number = _number(field, name, value, where)
    if field.kind is int and number != int(number):
        raise SpecError(f"{where}: {name} must be a whole number; got {value!r}.")
    return field.kind(number)


def _number(field: Field, name: str, value: Any, where: str) -> float:
    assert isinstance(field.limit, Range)
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not field.limit.low <= value <= field.limit.high:
        raise SpecError(f"{where}: {name} must be {field.limit}; got {value!r}.")
    return float(value)

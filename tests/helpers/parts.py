"""Where a part lies: in brittle's own folder, or in an installed package."""

import importlib
from types import ModuleType
from typing import Any

from brittle.families import Family


def module(family: Family[Any], name: str) -> ModuleType:
    """The module of a part, whose docstring and file a contract looks at."""
    point = family._foreign.get(name)
    return importlib.import_module(point.module if point else f"{family.package}.{name}")

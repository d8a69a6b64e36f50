"""Interchangeable parts, found by their files.

A family is a package of modules. A module that does not start with an underscore and is not
`base` is a part; the file's name is the part's name everywhere. Installed packages add parts
through an entry point of the group `brittle.<family>`, whose value names the part object.
Listing names imports no part.
"""

import difflib
import importlib
import importlib.metadata
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Generic, TypeVar

from brittle.errors import SpecError

P = TypeVar("P")


def hint(name: str, known: Iterable[str], noun: str) -> str:
    """Say that a name is unknown, the nearest known ones, and how to see all of them."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(near)}?" if near else f" Known: {', '.join(known)}."
    return f"There is no {noun} '{name}'.{guess}"


@dataclass(frozen=True)
class Family(Generic[P]):
    """Parts of one kind: `names` lists them, `load` imports one."""

    noun: str
    package: str
    kind: type[P]
    attribute: str = "PART"

    def names(self) -> tuple[str, ...]:
        """All names in ABC order, importing none of the parts."""
        return tuple(sorted({*self._own, *self._foreign}))

    def load(self, name: str) -> P:
        """Import the part of that name; an unknown name is a `SpecError` with the nearest ones."""
        if name in self._own:
            part = getattr(importlib.import_module(f"{self.package}.{name}"), self.attribute)
        elif name in self._foreign:
            part = self._foreign[name].load()
        else:
            raise SpecError(hint(name, self.names(), self.noun))
        if not isinstance(part, self.kind):
            raise SpecError(
                f"The {self.noun} '{name}' is a {type(part).__name__}, not a "
                f"{self.kind.__name__}; the package that provides it must be mended."
            )
        return part

    @cached_property
    def _own(self) -> frozenset[str]:
        found = find_spec(self.package)
        if found is None or found.submodule_search_locations is None:
            raise SpecError(f"{self.package} is not a package of parts.")
        modules = pkgutil.iter_modules(found.submodule_search_locations)
        return frozenset(m.name for m in modules if m.name != "base" and m.name[0] != "_")

    @cached_property
    def _foreign(self) -> dict[str, importlib.metadata.EntryPoint]:
        points = importlib.metadata.entry_points(group=self.package)
        clash = sorted(point.name for point in points if point.name in self._own)
        if clash:
            raise SpecError(
                f"An installed package offers a {self.noun} named {clash[0]}, which brittle has "
                f"itself; rename its entry point or uninstall it."
            )
        found = {point.name: point for point in points}
        if len(found) < len({(point.name, point.value) for point in points}):
            names = [point.name for point in points]
            twin = next(name for name in names if names.count(name) > 1)
            raise SpecError(
                f"Two installed packages offer a {self.noun} named {twin}; uninstall one of them."
            )
        return found

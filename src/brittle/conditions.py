"""Conditions: one name for what was done to an image.

`clean`, one corruption such as `fog(severity=3)`, or a chain `a(...)+b(...)` applied from left to
right. The name is canonical and complete: it says what was really used on this machine.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brittle import editions, seeds
from brittle.corruptions import CORRUPTIONS, Corruption
from brittle.spec import Spec, parse_chain
from brittle.types import Pixels

CLEAN = "clean"


@dataclass(frozen=True)
class Link:
    """One part of a condition, bound to a row of parameters."""

    spec: Spec
    part: Corruption
    row: Any


@dataclass(frozen=True)
class Condition:
    """What is done to an image under one edition; no link at all is the clean image."""

    edition: str
    links: tuple[Link, ...]

    def __str__(self) -> str:
        """Return the canonical name."""
        return "+".join(str(link.spec) for link in self.links) or CLEAN

    def apply(self, pixels: Pixels, *, seed: int, key: str) -> Pixels:
        """Return the changed copy of prepared pixels (H x W x 1 or 3, C-contiguous)."""
        if not self.links:
            return pixels.copy()
        done: list[str] = []
        for link in self.links:
            done.append(str(link.spec))
            pixels = link.part(pixels, link.row, seeds.stream(seed, "+".join(done), key))
        return pixels

    @property
    def versions(self) -> dict[str, int]:
        """The version of every part in it."""
        return {link.spec.name: link.part.version for link in self.links}


def condition(text: str, *, edition: str = "any", severity: int | None = None) -> Condition:
    """Make the condition that a text names.

    `severity` goes to every link that names neither a severity nor all of its parameters. A
    severity of 0 is the clean image.

    >>> str(condition("fog(severity=2)+jpeg_compression(severity=3)"))
    'fog(severity=2)+jpeg_compression(severity=3)'
    >>> str(condition("fog", severity=0))
    'clean'
    """
    table = editions.get(edition).table
    specs = () if text == CLEAN else _parsed(text)
    links = []
    for spec in specs:
        part = CORRUPTIONS.load(spec.name)
        params = dict(spec.params)
        if severity is not None and "severity" not in params and not part.complete(params):
            params["severity"] = severity
        level = params.get("severity")
        if isinstance(level, float) and level.is_integer():
            params["severity"] = level = int(level)
        if level == 0 and not isinstance(level, bool):
            part.make(spec.name, {**params, "severity": 1}, table)
            continue
        if part.settle is not None:
            params = dict(part.settle(params))
        links.append(_link(Spec(spec.name, params), table))
    return Condition(edition, tuple(links))


_parsed = lru_cache(maxsize=4096)(parse_chain)


@lru_cache(maxsize=4096)
def _link(spec: Spec, table: str) -> Link:
    part = CORRUPTIONS.load(spec.name)
    return Link(spec, part, part.make(spec.name, spec.params, table))

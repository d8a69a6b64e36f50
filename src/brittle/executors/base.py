"""What an executor is: how a function is mapped over items, in order, with few at work."""

import os
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class OrderedMap(Protocol):
    """Yields `function(item)` for every item, in the items' order.

    Items are taken only as room comes free, so memory does not grow with their number. The first
    error is raised where its item's result would have come, and no further item is begun; closing
    the generator does the same. When it has ended, no call is running any more.
    """

    def __call__(
        self, function: Callable[[A], B], items: Iterable[A], *, workers: int
    ) -> Generator[B, None, None]:
        """Map with up to `workers` calls at once."""


@dataclass(frozen=True, kw_only=True)
class Executor:
    """A way to run many calls."""

    map: OrderedMap


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

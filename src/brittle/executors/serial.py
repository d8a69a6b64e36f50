"""One call after the other, in the caller's own thread."""

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from brittle.executors.base import Executor

A = TypeVar("A")
B = TypeVar("B")


def ordered(
    function: Callable[[A], B],
    items: Iterable[A],
    *,
    workers: int,  # noqa: ARG001 - one is all there is
) -> Generator[B, None, None]:
    """Yield the results one by one."""
    for item in items:
        yield function(item)


PART = Executor(map=ordered)

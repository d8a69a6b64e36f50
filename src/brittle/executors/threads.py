"""A pool of threads: right where the work releases the GIL, as kernels and codecs do."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from brittle.executors.base import Executor

A = TypeVar("A")
B = TypeVar("B")


def ordered(
    function: Callable[[A], B], items: Iterable[A], *, workers: int
) -> Generator[B, None, None]:
    """Yield the results in order while at most twice `workers` plus two items are in flight.

    That many, and not just `workers`, because a slow item at the head must not idle the others.
    """
    pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="brittle")
    flight: deque[Future[B]] = deque()
    try:
        for item in items:
            flight.append(pool.submit(function, item))
            if len(flight) >= 2 * workers + 2:
                yield flight.popleft().result()
        while flight:
            yield flight.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


PART = Executor(map=ordered)

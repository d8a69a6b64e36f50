"""One thread inside for each thread outside."""

import contextlib
from collections.abc import Iterator

import cv2


@contextlib.contextmanager
def one_inner_thread() -> Iterator[None]:
    """Keep OpenCV's own threads from competing with the workers, each of which fills a core."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)

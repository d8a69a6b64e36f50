"""Every executor, found by discovery, maps in order, lazily, and stops when it should."""

import threading
import time

import pytest

from brittle.executors import EXECUTORS


@pytest.fixture(params=EXECUTORS.names())
def mapped(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    return EXECUTORS.load(request.param).map


def test_results_come_in_order(mapped) -> None:  # type: ignore[no-untyped-def]
    def slow_first(number: int) -> int:
        time.sleep(0.002 * (number % 3 == 0))
        return number * number

    assert list(mapped(slow_first, range(40), workers=4)) == [n * n for n in range(40)]
    assert list(mapped(slow_first, [], workers=4)) == []


def test_items_are_taken_only_as_room_comes_free(mapped) -> None:  # type: ignore[no-untyped-def]
    taken = 0

    def items():  # type: ignore[no-untyped-def]
        nonlocal taken
        for number in range(10_000):
            taken += 1
            yield number

    with_room = mapped(lambda x: x, items(), workers=3)
    for wanted in range(5):
        assert next(with_room) == wanted
    assert taken < 5 + 3 * 4
    with_room.close()


def test_the_first_error_comes_in_its_place_and_ends_the_rest(mapped) -> None:  # type: ignore[no-untyped-def]
    done = []

    def fails(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        done.append(number)
        return number

    results = mapped(fails, range(1000), workers=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)
    assert len(done) < 20
    count = len(done)
    time.sleep(0.02)
    assert len(done) == count


def test_no_call_runs_after_closing(mapped) -> None:  # type: ignore[no-untyped-def]
    running = 0
    lock = threading.Lock()

    def works(number: int) -> int:
        nonlocal running
        with lock:
            running += 1
        time.sleep(0.01)
        with lock:
            running -= 1
        return number

    results = mapped(works, range(100), workers=4)
    next(results)
    results.close()
    assert running == 0


def test_threads_run_at_once() -> None:
    barrier = threading.Barrier(3, timeout=5)
    meet = EXECUTORS.load("threads").map(lambda _: barrier.wait(), range(3), workers=3)
    assert sorted(meet) == [0, 1, 2]

import io
import threading

import pytest

from brittle import progress
from brittle.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_plain_lines_come_every_ten_seconds_and_at_the_end(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(100, label="building", stream=stream) as bar:
        for _ in range(100):
            clock.now += 0.25
            bar.advance()
    assert stream.getvalue().splitlines() == [
        "building: 40 of 100 images, 4/s, 0:15 left",
        "building: 80 of 100 images, 4/s, 0:05 left",
        "building: 100 of 100 images, 4/s, took 0:25",
    ]


def test_a_terminal_gets_a_bar_on_one_line(clock: Clock) -> None:
    stream = Terminal()
    with Progress(4, label="building", stream=stream) as bar:
        for _ in range(4):
            clock.now += 0.06
            bar.advance()
    shown = stream.getvalue().split("\r")[1:]
    assert len(shown) == 3
    assert "[############............] 2 of 4" in shown[0]
    assert "[########################] 4 of 4" in shown[-1]
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().endswith("\n")


def test_what_was_done_before_is_no_part_of_the_rate(clock: Clock) -> None:
    with Progress(100, label="x", done=50, stream=io.StringIO()) as bar:
        clock.now += 10
        bar.advance(10)
        assert bar.line() == "60 of 100 images, 1/s, 0:40 left"


def test_an_early_end_says_where_it_stopped(clock: Clock) -> None:
    stream = io.StringIO()

    def stopped() -> None:
        with Progress(9, label="x", stream=stream) as bar:
            clock.now += 1
            bar.advance(3)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert stream.getvalue() == "x: 3 of 9 images, 3/s, 0:02 left\n"


def test_hours_and_nothing_done_yet(clock: Clock) -> None:
    with Progress(20_000, label="x", stream=io.StringIO()) as bar:
        assert bar.line() == "0 of 20000 images, 0/s"
        clock.now += 1
        bar.advance()
        assert bar.line().endswith("5:33:19 left")


def test_quiet_is_silent() -> None:
    stream = io.StringIO()
    with Progress(2, label="x", quiet=True, stream=stream) as bar:
        bar.advance(2)
    assert stream.getvalue() == ""
    assert bar.count == 2


def test_threads_lose_no_count() -> None:
    with Progress(8000, label="x", stream=io.StringIO()) as bar:
        threads = [
            threading.Thread(target=lambda: [bar.advance() for _ in range(1000)]) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert bar.count == 8000

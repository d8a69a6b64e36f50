"""Progress on stderr: a bar on a terminal, a plain line now and then elsewhere."""

import sys
import threading
import time
from types import TracebackType
from typing import Self, TextIO

BAR = 24
TERMINAL_PAUSE = 0.1
PLAIN_PAUSE = 10.0


class Progress:
    """Counts towards a total and shows count, rate and time left; safe from several threads.

    `done` is what an earlier run left finished: it counts towards the total, not in the rate.
    """

    def __init__(
        self,
        total: int,
        *,
        label: str,
        noun: str = "images",
        done: int = 0,
        quiet: bool = False,
        stream: TextIO | None = None,
    ) -> None:
        """Show nothing yet; `quiet` shows nothing at all."""
        self.total, self.label, self.noun, self.count = total, label, noun, done
        self._resumed = done
        self._quiet = quiet
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._pause = TERMINAL_PAUSE if self._terminal else PLAIN_PAUSE
        self._begun = self._shown = time.monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Start the clock."""
        self._begun = self._shown = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Show where it ended, finished or not."""
        with self._lock:
            self._show(last=True)

    def advance(self, count: int = 1) -> None:
        """Count further; shows it when the last showing is long enough ago."""
        with self._lock:
            self.count += count
            now = time.monotonic()
            if now - self._shown >= self._pause:
                self._shown = now
                self._show(last=False)

    def line(self) -> str:
        """Return the plain line: count, rate and time left, or time taken when finished."""
        taken = time.monotonic() - self._begun
        rate = (self.count - self._resumed) / taken if taken > 0 else 0.0
        text = f"{self.count} of {self.total} {self.noun}, {rate:.3g}/s"
        if self.count >= self.total:
            return f"{text}, took {_clock(taken)}"
        return f"{text}, {_clock((self.total - self.count) / rate)} left" if rate > 0 else text

    def _show(self, *, last: bool) -> None:
        if self._quiet:
            return
        if not self._terminal:
            self._stream.write(f"{self.label}: {self.line()}\n")
        else:
            full = BAR * min(self.count, self.total) // max(self.total, 1)
            bar = "#" * full + "." * (BAR - full)
            self._stream.write(f"\r{self.label} [{bar}] {self.line()}\x1b[K{chr(10) * last}")
        self._stream.flush()


def _clock(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""A person at a shell: types a line with a tab in a pseudo-terminal, and reads what appears."""

import os
import pty
import re
import select
import time
from pathlib import Path

SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[=>()][A-Z0-9]?)")
READY = b"ready-to-type"


def typed(command: list[str], prepare: str, line: str, wanted: str, *, home: Path) -> str:
    """Start an interactive shell, prepare it, type the line, and return what it shows after.

    It stops reading when what is wanted has come, or when nothing comes any more.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(HOME=str(home), ZDOTDIR=str(home), TERM="dumb", PS1="$ ", INPUTRC="/none")
        os.chdir(home)
        os.execvp(command[0], command)
    try:
        # Twice: the shell shows what is typed, and then prints it.
        os.write(terminal, f'{prepare}; echo ready-to-""type\n'.encode())
        _read(terminal, until=READY)
        os.write(terminal, line.encode())
        return _read(terminal, until=wanted.encode(), quiet=8).decode(errors="replace")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


def _read(terminal: int, *, until: bytes | None = None, quiet: float = 20) -> bytes:
    found, end = b"", time.monotonic() + 30
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], quiet)
        if not ready:
            break
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        found += piece
        if until and until in _plain(found):
            break
    return _plain(found)


def _plain(found: bytes) -> bytes:
    """Leave out what moves the cursor and what breaks a long line."""
    return SEQUENCE.sub(b"", found).replace(b"\r", b"").replace(b"\n", b"")

"""Gates: how much worse a new model may be.

>>> read_gate("relative mCE:2")
Gate(name='relative_mce', tolerance=2.0, text='relative mCE:2')
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from brittle.errors import ScoreError
from brittle.metrics import find
from brittle.scoring.bootstrap import Number


class Gate(NamedTuple):
    """A metric's name, and by how much it may get worse."""

    name: str
    tolerance: float
    text: str


class Verdict(NamedTuple):
    """Whether a gate holds, and why."""

    gate: str
    passed: bool
    why: str


def read_gate(text: str, named: Callable[[str], str] = lambda name: find(name)[0]) -> Gate:
    """Read `metric:tolerance`; `named` gives a score's canonical name."""
    name, _, number = text.rpartition(":")
    try:
        tolerance = float(number)
    except ValueError:
        tolerance = math.nan
    if not name or not 0 <= tolerance < math.inf:
        raise ScoreError(
            f"'{text}' is not a gate; write a metric, a colon and by how much it may get worse, "
            f"0 or more, such as mCE:1.0."
        )
    return Gate(named(name), tolerance, text)


def judged(gate: Gate, title: str, moved: Number, better: str, digits: int) -> Verdict:
    """Judge a difference (new minus old) with its interval.

    A gate fails when the whole interval lies beyond the tolerance on the worse side, so chance
    alone seldom fails it; what is worse but not surely so passes and is said. A difference that is
    no finite number is a `ScoreError`: nothing can be said of it, and so it must not pass.
    """
    if not all(map(math.isfinite, moved)):
        raise ScoreError(
            f"The gate {gate.text} cannot be judged: the difference of {title} is "
            f"{moved.value:g} [{moved.low:g}, {moved.high:g}], which is no number to judge by. "
            f"Take more images, or a gate on another score."
        )
    sign = 1 if better == "lower" else -1
    worse, surely = sign * moved.value, min(sign * moved.low, sign * moved.high)
    passed = not surely > gate.tolerance
    places = digits + 1
    said = f"{title} moved by {moved.value:+.{places}f} [{moved.low:+.{places}f}, "
    said += f"{moved.high:+.{places}f}]"
    if not passed:
        why = f"{said}: surely more than {gate.tolerance:g} worse"
    elif worse > gate.tolerance:
        why = f"{said}: more than {gate.tolerance:g} worse, but not surely so"
    else:
        why = f"{said}: no more than {gate.tolerance:g} worse"
    return Verdict(gate.text, passed, why)

"""Calibration: does confidence go with being right? One file a number (see `base.Measure`).

>>> answers = Answers([0.9, 0.8, 0.6, 0.4], [1, 1, 0, 1])
>>> round(measure(answers, "rms(size=2)"), 4), round(measure(answers, "aurra"), 4)
(0.1061, 0.8542)
"""

from typing import Any, NamedTuple

from brittle.calibration._answers import Answers
from brittle.calibration._bins import Bins
from brittle.calibration._curves import (
    ResponseCurve,
    plain,
    reliability,
    response_curve,
)
from brittle.calibration._temperature import Temperature, temperature
from brittle.calibration.base import Measure, Rows, Sample
from brittle.families import Family
from brittle.rows import make_row
from brittle.spec import Spec, parse

__all__ = [
    "CALIBRATION",
    "Answers",
    "Asked",
    "Bins",
    "Measure",
    "ResponseCurve",
    "Sample",
    "Temperature",
    "ask",
    "measure",
    "reliability",
    "response_curve",
    "temperature",
]

CALIBRATION: Family[Measure] = Family("measure of calibration", "brittle.calibration", Measure)


class Asked(NamedTuple):
    """A measure with its parameters, as a spec asked for it."""

    spec: Spec
    measure: Measure
    row: Any

    @property
    def title(self) -> str:
        """As printed, with the parameters that are not the usual ones."""
        given = str(Spec("", self.spec.params))
        return f"{self.measure.title} {given}" if given else self.measure.title

    def of(self, sample: Sample) -> Rows:
        """Return a number for each row of the sample."""
        self.measure.check(sample.answers)
        return self.measure.of(sample, self.row)


def ask(spec: str | Spec) -> Asked:
    """Read `rms` or `rms(size=50)`.

    >>> ask("ece(bins=10)").title
    'ECE (bins=10)'
    """
    made = parse(spec) if isinstance(spec, str) else spec
    part = CALIBRATION.load(made.name)
    return Asked(made, part, make_row(part.row, made.params, where=made.name))


def measure(answers: Answers, spec: str | Spec) -> float:
    """Return the number that a spec asks for."""
    return float(ask(spec).of(plain(answers))[0])

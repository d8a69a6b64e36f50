"""What a synthetic anomaly is, and how a spec becomes a picture.

A part's file holds a `Row` (its parameters with limits, all with a default), a function
`draw(stream, shape, row) -> draws`, a function `apply(draws, row) -> pixels`, and
`PART = Anomaly(citation=PAPER, ...)`. All that is random comes in through the draws, so that a test
can hand in others. The pixels are H x W x 3 uint8, of the shape that was drawn for.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from brittle.errors import SpecError
from brittle.rows import fields, make_row
from brittle.types import Draws, Pixels, Shape

PAPER = "Hendrycks, Mazeika and Dietterich, ICLR 2019, arXiv:1812.04606"
"""Outlier exposure, whose code these pictures come from."""

LARGEST = 1 << 14
"""Pixels of the longest side."""


@dataclass(frozen=True, kw_only=True)
class Anomaly:
    """A kind of picture that shows nothing: parameters, and the function of what is drawn."""

    row: Any
    """NamedTuple class of the parameters, each with its limits and a default."""
    draw: Callable[[int, Shape, Any], Draws]
    apply: Callable[[Draws, Any], Pixels]
    version: int = 1
    """Rises when the bytes change."""
    citation: str
    """Where it comes from."""

    @property
    def about(self) -> str:
        """The part's documentation: the docstring of its file."""
        return inspect.getdoc(sys.modules[self.row.__module__]) or ""

    def make(self, name: str, params: Mapping[str, Any]) -> Any:
        """Return the row for a spec's parameters; what is not given has its default."""
        if params and not fields(self.row):
            raise SpecError(f"{name} takes no parameters; leave {next(iter(params))} out.")
        return make_row(self.row, params, where=name)

    def __call__(self, stream: int, height: int, width: int, row: Any) -> Pixels:
        """Make the picture of a stream (see `brittle.seeds.stream`): H x W x 3 uint8."""
        if not (1 <= height <= LARGEST and 1 <= width <= LARGEST):
            raise SpecError(
                f"A picture is from 1 to {LARGEST} pixels high and wide; got {width}x{height}."
            )
        return self.apply(self.draw(stream, (height, width, 3), row), row)

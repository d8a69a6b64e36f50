"""What a corruption is, and how a spec becomes one that can be applied.

A part's file holds a `Row` (its parameters with limits), the severity tables of the editions, a
function `apply(pixels, row, draws) -> pixels`, a function `draw(stream, shape, row) -> draws`
where it draws anything, and `PART = Corruption(citation=PAPER, ...)`.

`apply` gets C-contiguous H x W x C uint8 with C = 1 or 3, never changes it, and returns a new array
of the same shape. All that is random in it comes in through `draws`.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from brittle.errors import SpecError
from brittle.rows import SEVERITIES, Tables, make_row
from brittle.types import Draws, Pixels, Shape

PAPER = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"
"""Where the nineteen come from."""

Group = Literal["noise", "blur", "weather", "digital"]


@dataclass(frozen=True, kw_only=True)
class Corruption:
    """A common corruption: parameters, severity tables and the function of pixels."""

    row: type[Any]
    """NamedTuple of the parameters, each with its limits."""
    tables: Tables[Any]
    """Table name -> the rows of severities 1 to 5."""
    apply: Callable[[Pixels, Any, Draws], Pixels]
    draw: Callable[[int, Shape, Any], Draws] | None = None
    settle: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Completes a spec's parameters by what this machine will really use, so the name says it."""
    group: Group
    extra: bool = False
    """Whether it is one of the four kept apart for validation."""
    version: int = 1
    """Rises when the bytes change."""
    citation: str
    """Where the corruption comes from."""

    @property
    def about(self) -> str:
        """The part's documentation: the docstring of its file."""
        return inspect.getdoc(sys.modules[self.row.__module__]) or ""

    def complete(self, params: Mapping[str, Any]) -> bool:
        """Whether the parameters make a row by themselves, without a severity."""
        defaults = getattr(self.row, "_field_defaults", {})
        return all(name in params or name in defaults for name in self.row._fields)

    def make(self, name: str, params: Mapping[str, Any], table: str) -> Any:
        """Return the row for a spec's parameters: a severity of `table`, changed by the others."""
        given = dict(params)
        severity = given.pop("severity", None)
        if severity is None:
            return make_row(self.row, given, where=name)
        if isinstance(severity, bool) or severity not in SEVERITIES:
            raise SpecError(
                f"{name}: severity must be 1, 2, 3, 4 or 5 (0 is the clean image); got {severity}."
            )
        if table not in self.tables:
            raise SpecError(f"{name} has no severities for {table}; give its parameters instead.")
        base = self.tables[table][int(severity) - 1]._asdict()
        return make_row(self.row, {**base, **given}, where=name)

    def __call__(self, pixels: Pixels, row: Any, stream: int) -> Pixels:
        """Draw from the stream what the part needs, and apply it."""
        if not pixels.flags.writeable:
            # Numba compiles a second kernel for read-only arrays; a copy is far cheaper.
            pixels = pixels.copy()
        shape = (pixels.shape[0], pixels.shape[1], pixels.shape[2])
        draws = None if self.draw is None else self.draw(stream, shape, row)
        return self.apply(pixels, row, draws)

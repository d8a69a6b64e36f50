"""What a perturbation is, and how its frames are made from a picture.

A part's file holds a `Row` (its parameters with limits, `frames` among them), a table of them by
edition, a generator `frames(pixels, row, draws, crop)`, a function `draw(stream, shape, row)` where
it draws anything, and `PART = Perturbation(citation=PAPER, ...)`.

`frames` gets the C-contiguous H x W x C uint8 picture (C = 1 or 3) with its margin, never changes
it, and yields `row.frames` new arrays of the size of `crop`, one at a time. A part that moves
nothing begins with `crop.of(pixels)`; one that moves the picture takes what comes in from the
margin. It may keep no scratch memory over a `yield`: another sequence may run in between.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from brittle.errors import SpecError
from brittle.rows import Tables, make_row
from brittle.types import Crop, Draws, Pixels, Reference, Shape

PAPER = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"
"""Where the fourteen come from; the numbers are those of the authors' generators."""


@dataclass(frozen=True, kw_only=True)
class Perturbation:
    """A small change that goes on from frame to frame: parameters, tables, the frames."""

    row: type[Any]
    """NamedTuple of the parameters, each with its limits; `frames` is one of them."""
    tables: Tables[Any]
    """Table name -> a row, or a row a strength."""
    frames: Callable[[Pixels, Any, Draws, Crop], Iterator[Pixels]]
    draw: Callable[[int, Shape, Any], Draws] | None = None
    reference: Reference
    """The frame that each is compared with: the first, or the one before."""
    unprepared: tuple[str, ...] = ()
    """Tables under which it acts on the source picture, each frame being prepared afterwards."""
    extra: bool = False
    """Whether it is one of the four kept apart for validation."""
    version: int = 1
    """Rises when the bytes change."""
    citation: str
    """Where the perturbation comes from."""

    def __post_init__(self) -> None:
        """Refuse a row that takes the word for the level, or does not say how many frames."""
        fields = self.row._fields
        if "strength" in fields or "frames" not in fields:
            raise SpecError(
                f"{self.row.__module__}: a row has a field frames and none named strength, which "
                f"is the number of a row; got {', '.join(fields)}."
            )

    @property
    def about(self) -> str:
        """The part's documentation: the docstring of its file."""
        return inspect.getdoc(sys.modules[self.row.__module__]) or ""

    def make(self, name: str, params: Mapping[str, Any], table: str) -> Any:
        """Return the row for a spec's parameters: a strength of `table`, changed by the others."""
        if table not in self.tables:
            raise SpecError(f"{name} has no numbers for {table}; it has {', '.join(self.tables)}.")
        listed = self.tables[table]
        given = dict(params)
        strength = given.pop("strength", None)
        if strength is not None and len(listed) == 1:
            raise SpecError(f"{name} has one strength only; leave strength={strength} out.")
        allowed = range(1, len(listed) + 1)
        if strength is not None and (isinstance(strength, bool) or strength not in allowed):
            raise SpecError(
                f"{name}: strength must be {', '.join(map(str, allowed[:-1]))} or {allowed[-1]}; "
                f"got {strength}."
            )
        base = listed[int(strength or 1) - 1]._asdict()
        return make_row(self.row, {**base, **given}, where=name)

    def __call__(self, pixels: Pixels, row: Any, stream: int, crop: Crop) -> Iterator[Pixels]:
        """Draw from the stream what the part needs, and yield the frames."""
        if not pixels.flags.writeable:
            # Numba compiles a second kernel for read-only arrays; a copy is far cheaper.
            pixels = pixels.copy()
        shape = (crop.height, crop.width, pixels.shape[2])
        draws = None if self.draw is None else self.draw(stream, shape, row)
        return self.frames(pixels, row, draws, crop)

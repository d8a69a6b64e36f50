"""Where names stand beside points so that none covers another, or a point."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LETTER, LINE = 6.4, 13.0
"""Pixels across and down that a letter of 11 pixels takes in a wide font."""
POINT = 5.0
"""Half the side of what a point keeps free."""


class Spot(NamedTuple):
    """A point and its name, in pixels from the upper left corner."""

    x: float
    y: float
    name: str
    needed: bool = False
    """Whether it must have its name, even if that covers something."""


class Box(NamedTuple):
    """What a name or a point takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Say whether two boxes overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def placed(spots: Sequence[Spot], width: float, height: float) -> list[Box | None]:
    """Return where each name stands; None where there is no room for it.

    Those that are needed come first, then the others in their order.

    >>> placed([Spot(10, 50, "ab"), Spot(11, 50, "cd")], 100, 100)[0]
    Box(left=18, top=34.5, right=30.8, bottom=47.5)
    """
    taken = [Box(s.x - POINT, s.y - POINT, s.x + POINT, s.y + POINT) for s in spots]
    found: list[Box | None] = [None] * len(spots)
    for at in sorted(range(len(spots)), key=lambda n: not spots[n].needed):
        spot = spots[at]
        offered = list(_offers(spot))
        inside = [
            box
            for box in offered
            if box.left >= 0 and box.right <= width and box.top >= 0 and box.bottom <= height
        ]
        free = [box for box in inside if not any(box.meets(other) for other in taken)]
        if free or spot.needed:
            box = (free or inside or offered)[0]
            taken.append(box)
            found[at] = box
    return found


def _offers(spot: Spot) -> Iterator[Box]:
    """Yield places around a point: above and beside it, since intervals go across and down."""
    wide = LETTER * len(spot.name)
    for x in (spot.x + 8, spot.x - 8 - wide):
        for y in (spot.y - 9, spot.y + 9, spot.y):
            yield Box(x, y - LINE / 2, x + wide, y + LINE / 2)
    for y in (spot.y - 14, spot.y + 14):
        yield Box(spot.x - wide / 2, y - LINE / 2, spot.x + wide / 2, y + LINE / 2)

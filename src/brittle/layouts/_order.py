"""What was asked for: the conditions, their edition, layout and seed, checked; and its plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brittle import editions, seeds, suites
from brittle.conditions import CLEAN, condition
from brittle.editions import Edition
from brittle.errors import BuildError
from brittle.layouts import LAYOUTS
from brittle.layouts._cells import Cell, cells
from brittle.layouts.base import Layout
from brittle.sequences import FrameSequence, sequence


@dataclass(frozen=True, kw_only=True)
class Order:
    """A set that is wanted of whatever source."""

    suite: str | None
    edition: Edition
    layout: Layout
    layout_name: str
    cells: tuple[Cell, ...]
    seed: int
    shard: int
    exif: bool

    @property
    def moving(self) -> bool:
        """Whether it is a set of sequences, and not of pictures."""
        return isinstance(self.cells[0].condition, FrameSequence)

    def plan(self, source: str, images: int, classes: Sequence[str]) -> dict[str, Any]:
        """Return the identity of the set that this order gives of a source."""
        placed = [
            {
                "name": cell.name,
                "group": cell.group,
                "severity": cell.severity,
                **({"frames": cell.frames} if self.moving else {}),
            }
            for cell in self.cells
        ]
        versions: dict[str, int] = {}
        for cell in self.cells:
            versions |= cell.condition.versions
        return {
            "suite": self.suite,
            "edition": self.edition.name,
            "conditions": placed,
            "versions": versions,
            "seed": self.seed,
            "generation": seeds.GENERATION,
            "layout": self.layout_name,
            "shard": self.shard if self.layout.sharded else None,
            "exif": self.exif,
            "source": source,
            "images": images,
            "classes": list(classes),
        }


def order(
    *,
    suite: str | None,
    extra: bool,
    edition: str | None,
    conditions: Sequence[str],
    perturbations: Sequence[str] = (),
    clean: bool,
    layout: str | None,
    seed: int,
    shard: int,
    exif: bool,
) -> Order:
    """Make an order; what is unknown or contradictory is refused here."""
    if isinstance(shard, bool) or not isinstance(shard, int) or shard < 1:
        raise BuildError(f"A shard must be 1 image or more; got {shard!r}.")
    seeds.stream(seed, "", "")
    found = None if suite is None else suites.get(suite)
    if found is None and extra:
        raise BuildError("Extra corruptions are a suite's; give a suite, or leave extra out.")
    used = editions.get(edition or (found.edition if found else "any"))
    name = layout or (found.layout if found else "folder")
    listed = found.conditions(extra=extra, edition=used.name) if found else ()
    texts = ([CLEAN] if clean else [], list(conditions))
    first, free = ([condition(text, edition=used.name) for text in some] for some in texts)
    moved = () if found is None else found.sequences(extra=extra, edition=used.name)
    if perturbations:
        moved = (*moved, *(sequence(text, edition=used.name) for text in perturbations))
    if moved and (first or free or listed):
        raise BuildError(
            "A set holds pictures or sequences: build perturbations apart from conditions and "
            "clean pictures."
        )
    kind = "sequences" if moved else "pictures"
    if layout is None and found is None and moved:
        name = "frames"
    fit = [one for one in LAYOUTS.names() if kind in LAYOUTS.load(one).holds]
    if name not in fit and name in LAYOUTS.names():
        raise BuildError(f"The layout {name} cannot hold {kind}; use one of {', '.join(fit)}.")
    return Order(
        suite=found.name if found else None,
        edition=used,
        layout=LAYOUTS.load(name),
        layout_name=name,
        cells=cells((*first, *listed, *free, *moved)),
        seed=seed,
        shard=shard,
        exif=exif,
    )

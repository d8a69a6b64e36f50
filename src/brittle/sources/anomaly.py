"""Synthetic anomalies, made when they are read: `anomaly:blobs(count=500, side=224, seed=0)`.

The word after the colon is one of `brittle list anomalies`; `count` (1000) is how many, `side` how
many pixels high and wide, `seed` (0) which; other parameters are the anomaly's own. Without a side
it is the one that the opener names, so that pictures can be made at a model's input size.
Items have keys such as `blobs-00017` and no label. A picture depends on seed, anomaly, key and
side alone: not on how many there are, nor on their order.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from brittle import seeds
from brittle.anomalies import ANOMALIES, Anomaly
from brittle.errors import SourceError, SpecError
from brittle.sources.base import Item, Kind, Options, Source
from brittle.spec import Spec, parse
from brittle.types import Pixels

PREFIX = "anomaly:"
COUNT, MOST = 1000, 100_000
"""How many there are if nobody says, and at most: their keys have five digits."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Anomalies(Source):
    """Pictures of one anomaly; what is read of one is the text that says how it is made."""

    kind: str
    root: Path
    items: tuple[Item, ...]
    classes: tuple[str, ...]
    part: Anomaly
    row: Any
    name: str
    """The anomaly with all of its parameters."""
    side: int
    seed: int

    def read(self, item: Item) -> bytes:
        """Return the text that names the picture: what it is made of, and by which version."""
        stem, dash, number = item.key.rpartition("-")
        mine = dash and number.isdecimal() and int(number) < len(self.items)
        if not mine or self.items[int(number)].key != item.key:
            raise SourceError(f"'{item.key}' is not an item of {self.root}; take one of items.")
        lines = (
            seeds.GENERATION,
            f"{PREFIX}{self.name}",
            f"version={self.part.version} seed={self.seed} side={self.side}",
            f"{stem}-{number}",
        )
        return "\n".join(lines).encode()

    def decode(self, item: Item, data: bytes) -> Pixels:
        """Make the picture that the text names."""
        if data != self.read(item):
            raise SourceError(f"{item.name} is not the picture that {data!r} names.")
        stream = seeds.stream(self.seed, f"{PREFIX}{self.name}", item.key)
        return self.part(stream, self.side, self.side, self.row)


def recognises(path: Path) -> bool:
    """Tell if it is the text of an anomaly, and no file."""
    return str(path).startswith(PREFIX) and not os.path.lexists(path)


def open_anomaly(path: Path, options: Options) -> Anomalies:
    """Read the spec; no picture is made yet."""
    if not recognises(path):
        raise SourceError(
            f"There is no anomaly in {path}; write {PREFIX}blobs(count=500, side=224, seed=0)."
        )
    spec = parse(str(path).removeprefix(PREFIX))
    part = ANOMALIES.load(spec.name)
    given = dict(spec.params)
    count = _whole(given.pop("count", COUNT), "count", 1, MOST)
    seed = _whole(given.pop("seed", 0), "seed", None, None)
    side = given.pop("side", options.side)
    row = part.make(spec.name, given)
    if side is None:
        raise SourceError(
            f"{path} does not say how large its pictures are, and no model has settled it: write "
            f"{PREFIX}{_with_side(spec)}."
        )
    side = _whole(side, "side", 1, None)
    if side * side > options.max_pixels:
        raise SourceError(
            f"{path}: pictures of {side}x{side} have more than the {options.max_pixels} pixels "
            f"that are allowed (the limit max_pixels)."
        )
    items = tuple(
        Item(f"{spec.name}-{number:05d}", None, f"{spec.name}[{number}]") for number in range(count)
    )
    name = str(Spec(spec.name, row._asdict()))
    return Anomalies("anomaly", path, items, (), part, row, name, side, seed)


def _with_side(spec: Spec) -> Spec:
    return Spec(spec.name, {**spec.params, "side": 224})


def _whole(value: Any, name: str, low: int | None, high: int | None) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or (low is not None and value < low) or (high is not None and value > high):
        limits = "" if low is None else f" of at least {low}"
        limits += "" if high is None else f" and at most {high}"
        raise SpecError(f"{PREFIX}... has {name}={value!r}; it must be a whole number{limits}.")
    return int(value)


PART = Kind(
    layout="anomaly:<name>(count=500, side=224, seed=0), pictures that are made and lie nowhere",
    recognises=recognises,
    open=open_anomaly,
)

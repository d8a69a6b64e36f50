"""Where a condition goes in a set: `fog/3` for a corruption of a grid, else a safe form."""

import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

from brittle.conditions import CLEAN, Condition
from brittle.errors import BuildError
from brittle.sequences import FrameSequence
from brittle.spec import Spec

LONGEST = 120


class Cell(NamedTuple):
    """A condition and its place: `group` is a folder or an array, `severity` a part of it."""

    condition: Condition | FrameSequence
    name: str
    """The canonical name of the condition."""
    group: str
    severity: int | None
    frames: int = 1
    """How many pictures it gives of an image."""

    @property
    def place(self) -> str:
        """The folder under the set's root, with forward slashes."""
        return self.group if self.severity is None else f"{self.group}/{self.severity}"

    @property
    def lossless(self) -> bool:
        """Whether it is the clean image, to which nothing is done, a lossy codec included."""
        return self.name == CLEAN

    @property
    def grain(self) -> bool:
        """Whether its frames are noise of their own each."""
        return isinstance(self.condition, FrameSequence) and self.condition.grain


def place(asked: FrameSequence) -> str:
    """Return a sequence's folder, as published: `tilt`, `gaussian_noise_2`, else a safe form.

    >>> from brittle.sequences import sequence
    >>> place(sequence("shot_noise(strength=2)")), place(sequence("tilt(step=0.5)"))
    ('shot_noise_2', 'tilt-step=0.5')
    """
    if set(asked.spec.params) == {"strength"}:
        return f"{asked.spec.name}_{asked.strength}"
    return safe(str(asked))


def cells(conditions: Iterable[Condition | FrameSequence]) -> tuple[Cell, ...]:
    """Place every condition; twins are a `BuildError`, and so is no condition at all."""
    made: list[Cell] = []
    taken: dict[str, str] = {}
    for item in conditions:
        cell = _cell(item)
        if cell.name in (other.name for other in made):
            raise BuildError(f"The condition {cell.name} is asked for twice; name it once.")
        if cell.place in taken:
            raise BuildError(
                f"The conditions {taken[cell.place]} and {cell.name} would share the folder "
                f"{cell.place}; build them as two sets."
            )
        for other in made:
            if other.group == cell.group and (other.severity is None) != (cell.severity is None):
                raise BuildError(
                    f"The conditions {other.name} and {cell.name} would share the folder "
                    f"{cell.group}; build them as two sets."
                )
        taken[cell.place] = cell.name
        made.append(cell)
    if not made:
        raise BuildError("There is no condition to build; give a suite or a condition.")
    return tuple(made)


def _cell(item: Condition | FrameSequence) -> Cell:
    name = str(item)
    if isinstance(item, FrameSequence):
        return Cell(item, name, place(item), None, item.count)
    if len(item.links) == 1:
        spec = item.links[0].spec
        severity = spec.params.get("severity")
        if isinstance(severity, int):
            # `fog/3` as published; what else the name says stands in the folder's name too, so
            # that frost of procedural ice can't be taken for the benchmark's.
            rest = {key: value for key, value in spec.params.items() if key != "severity"}
            return Cell(item, name, safe(str(Spec(spec.name, rest))), severity)
    return Cell(item, name, safe(name), None)


def safe(name: str) -> str:
    """Return a form of a condition's name for the file system.

    >>> safe("fog(severity=2)+snow(keep=1, mean=0.2)")
    'fog-severity=2+snow-keep=1,mean=0.2'
    """
    plain = name.replace(", ", ",").replace("(", "-").replace(")", "")
    plain = re.sub(r"[^A-Za-z0-9._=,+-]+", "_", plain)
    if len(plain) <= LONGEST:
        return plain
    return f"{plain[:LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"

"""Sequences: one name for the frames that a perturbation makes of an image.

The name is a spec under an edition, such as `tilt` or `gaussian_noise(strength=3)`; strength 1 is
the one in the paper's tables and is not spelled out. With the edition it says everything that
decides the bytes but seed and key.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brittle import editions, seeds
from brittle.editions import Edition, Wide
from brittle.perturbations import PERTURBATIONS, Perturbation
from brittle.spec import Spec, parse
from brittle.types import Pixels, Reference, whole


@dataclass(frozen=True)
class FrameSequence:
    """One perturbation bound to a row of parameters under an edition."""

    edition: Edition
    spec: Spec
    part: Perturbation
    row: Any

    def __str__(self) -> str:
        """Return the canonical name."""
        return str(self.spec)

    @property
    def count(self) -> int:
        """The number of frames."""
        return int(self.row.frames)

    @property
    def reference(self) -> Reference:
        """The frame that each is compared with."""
        return self.part.reference

    @property
    def strength(self) -> int:
        """The strength of a noise; 1 of all that has one only."""
        found = self.spec.params.get("strength", 1)
        return found if isinstance(found, int) else 1

    @property
    def grain(self) -> bool:
        """Whether its frames are noise of their own each, which a codec must be tuned for."""
        return self.reference == "first"

    @property
    def versions(self) -> dict[str, int]:
        """The version of its part, under a name that no corruption has."""
        return {f"perturbation:{self.spec.name}": self.part.version}

    def frames(
        self, pixels: Pixels, *, seed: int, key: str, prepare: bool = True
    ) -> Iterator[Pixels]:
        """Yield the frames, one at a time, of a source image (H x W x 1 or 3, C-contiguous).

        The edition prepares it as its published sequences were: the crop comes last. Without
        `prepare` the image is the frame itself, as it is, and nothing outside it is known.
        """
        stream = seeds.stream(seed, str(self.spec), key)
        if not prepare:
            return self.part(pixels, self.row, stream, whole(pixels))
        if self.edition.steps is not None and self.edition.table in self.part.unprepared:
            moved = self.part(pixels, self.row, stream, whole(pixels))
            return (_cropped(self.edition.wide(frame)) for frame in moved)
        wide = self.edition.wide(pixels)
        return self.part(wide.pixels, self.row, stream, wide.crop)


def _cropped(wide: Wide) -> Pixels:
    return wide.crop.of(wide.pixels)


@lru_cache(maxsize=1024)
def sequence(text: str, *, edition: str = "any") -> FrameSequence:
    """Make the sequence that a text names.

    >>> str(sequence("gaussian_noise(strength=1)")), str(sequence("tilt( step = 0.50 )"))
    ('gaussian_noise', 'tilt(step=0.5)')
    >>> sequence("translate", edition="cifar-32").count
    16
    """
    used = editions.get(edition)
    spec = parse(text)
    part = PERTURBATIONS.load(spec.name)
    row = part.make(spec.name, spec.params, used.table)
    params = dict(spec.params)
    strength = params.pop("strength", 1)
    if isinstance(strength, (int, float)) and strength != 1:
        params["strength"] = int(strength)
    return FrameSequence(used, Spec(spec.name, params), part, row)

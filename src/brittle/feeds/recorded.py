"""Frames of sequences that lie on disk, as published or as `brittle build` made them.

Recognised are a set with brittle's manifest; folders `perturbation/class/name.mp4`, also below
`noise`, `blur`, `weather`, `digital`, `extra` and `validation`, the archives that ImageNet-P comes
in; CIFAR-10-P's arrays `perturbation.npy`; and frames `perturbation/class/name/00.png`. A noise of
another strength lies under `gaussian_noise_2`.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from brittle import films, manifest
from brittle.editions import Edition
from brittle.errors import SourceError
from brittle.feeds import _strips
from brittle.feeds._grid import images
from brittle.feeds._strips import Strip
from brittle.feeds.base import Feed
from brittle.perturbations import PERTURBATIONS
from brittle.sequences import sequence
from brittle.sources import Item
from brittle.spec import parse
from brittle.types import Pixels

ARCHIVES = ("noise", "blur", "weather", "digital", "extra", "validation")
"""The archives of the published ImageNet-P, and the folders that they unpack to."""


class _Found(NamedTuple):
    """What lies on disk."""

    kind: str
    items: tuple[Item, ...]
    load: Callable[[Item, str], Iterator[Pixels]]
    fingerprint: str
    contents: dict[str, str]


def recorded(path: Path, edition: Edition) -> Feed | None:
    """Return the feed of the sequences at a path; None if there are none.

    A set of another edition, and sequences of other lengths than the edition's, are a
    `SourceError`.
    """
    if not path.is_dir():
        return None
    made = manifest.read(path) if (path / manifest.JSON).is_file() else None
    if made is not None:
        plan = made["plan"]
        if not any("frames" in cell for cell in plan["conditions"]):
            return None
        if plan["edition"] != edition.name:
            raise SourceError(
                f"{path} is a set of edition {plan['edition']}, and {edition.name} is measured; "
                f"give --edition {plan['edition']} or another set."
            )
        strips = [Strip(cell["name"], cell["group"]) for cell in plan["conditions"]]
    else:
        plan = {}
        strips = list(_named(path))
    if not strips:
        return None
    found = _open(path, strips, None if made is None else made["fingerprint"], edition)
    counts = {one.condition: sequence(one.condition, edition=edition.name) for one in strips}

    def give(item: Item, digest: str, names: Sequence[str]) -> Iterator[Pixels]:  # noqa: ARG001
        for name in names:
            count, wanted = 0, counts[name].count
            for pixels in found.load(item, name):
                count += 1
                if edition.side is not None and pixels.shape[:2] != (edition.side, edition.side):
                    raise SourceError(
                        f"{name} of {item.key} is {pixels.shape[1]}x{pixels.shape[0]}; frames of "
                        f"{edition.name} are {edition.side}x{edition.side}. Give the edition that "
                        f"it is."
                    )
                yield pixels
            if count != wanted:
                raise SourceError(
                    f"{name} of {item.key} has {count} frame{'s' * (count != 1)}, and "
                    f"{edition.name} has {wanted}; the set is damaged, so restore that sequence, "
                    f"or give the edition that it is."
                )

    return Feed(
        edition=edition,
        pixels="read",
        items=found.items,
        digests=("",) * len(found.items),
        conditions=tuple(one.condition for one in strips),
        versions=plan.get("versions", {}),
        fingerprint=hashlib.sha256(f"frames {found.fingerprint}".encode()).hexdigest(),
        give=give,
        facts={
            "layout": found.kind,
            # Frames that brittle stored without loss never went through the published codec.
            "codec_skipped": bool(plan) and edition.film and found.kind != _strips.Films.kind,
            **({"built": plan} if plan else {}),
        },
        contents=found.contents,
        references={name: one.reference for name, one in counts.items()},
        frames=lambda _, name: counts[name].count,
    )


def _open(path: Path, strips: Sequence[Strip], seal: str | None, edition: Edition) -> _Found:
    """List what the strips hold; all must hold the same sequences."""
    first = path / strips[0].place
    if first.with_name(f"{first.name}.npy").is_file():
        kind: Any = _strips.Arrays(path, strips, edition)
    elif _strips.has_films(first):
        films.need_video()
        kind = _strips.Films(path, strips)
    else:
        kind = _strips.Pictures(path, strips)
    contents = {} if seal is not None else {one.condition: kind.content(one) for one in strips}
    return _Found(kind.kind, kind.items, kind.load, seal or images(kind.items), contents)


def _named(path: Path) -> Iterator[Strip]:
    """Find sequences by the names of their folders or arrays."""
    for above in ("", *(f"{name}/" for name in ARCHIVES)):
        for name in PERTURBATIONS.names():
            for strength in ("", "_2", "_3"):
                place = f"{above}{name}{strength}"
                if not _strips.holds_frames(path / place):
                    continue
                spec = name if not strength else f"{name}(strength={strength[1:]})"
                assert parse(spec).name == name
                yield Strip(spec, place)

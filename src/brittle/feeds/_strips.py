"""Sequences in files: a film each, an array of all, or a folder of pictures each."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from brittle import films
from brittle.editions import Edition
from brittle.errors import SourceError
from brittle.feeds._arrays import LABELS, mapped
from brittle.feeds._folders import SAMPLED
from brittle.files import plain
from brittle.sequences import sequence
from brittle.sources import MAX_PIXELS, Item
from brittle.sources._classes import named, names_beside
from brittle.sources._decode import decode
from brittle.sources._keys import ordered, some, without_suffix
from brittle.sources._rows import row_items
from brittle.sources._tree import walk
from brittle.types import Pixels

_NUMBERED = re.compile(r"\d+\.png")


class Strip(NamedTuple):
    """A sequence of a set, and where it lies."""

    condition: str
    place: str
    """Below the set's root; of an array without its ending."""


def has_films(folder: Path) -> bool:
    """Say whether the first file below a folder is a film."""
    return folder.is_dir() and next(walk(folder), "").lower().endswith(films.ENDINGS)


def holds_frames(place: Path) -> bool:
    """Say whether there are frames: an array of them, films, or numbered pictures."""
    array = place.with_name(f"{place.name}.npy")
    if array.is_file():
        return len(mapped(array).shape) == 5
    if not place.is_dir():
        return False
    name = next(walk(place), "")
    # `gaussian_noise/1/n01440764/7.png` may be of a set of corruptions, whose severities are
    # folders; there every folder holds many pictures, and none of them is number 0.
    return name.lower().endswith(films.ENDINGS) or (
        bool(_NUMBERED.fullmatch(name.rpartition("/")[2]))
        and any((place / name).parent.glob(f"{'0' * n}.png") for n in range(1, 6))
    )


@final
class Films:
    """One film a sequence: `tilt/n01440764/ILSVRC2012_val_00000293.mp4`."""

    kind = "films"

    def __init__(self, root: Path, strips: Sequence[Strip]) -> None:
        """List the films, which must be the same for every strip."""
        self._root, self._places = root, {one.condition: one.place for one in strips}
        names = _same(
            root, strips, lambda f: (n for n in walk(f) if n.lower().endswith(films.ENDINGS))
        )
        self.items = ordered(Item(plain(without_suffix(n)), _label(n), n) for n in names)

    def load(self, item: Item, condition: str) -> Iterator[Pixels]:
        """Decode one film."""
        path = self._root / self._places[condition] / item.name
        if not path.is_file():
            raise SourceError(f"{path} is not there any more; the set was changed.")
        return films.decoded(str(path))

    def content(self, strip: Strip) -> str:
        """Hash the sizes of some films."""
        sample = self.items[:: -(-len(self.items) // SAMPLED)]
        return _sizes([self._root / strip.place / item.name for item in sample])


@final
class Pictures:
    """One folder a sequence: `tilt/n01440764/ILSVRC2012_val_00000293/00.png`."""

    kind = "frames"

    def __init__(self, root: Path, strips: Sequence[Strip]) -> None:
        """List the folders, which must be the same for every strip."""
        self._root, self._places = root, {one.condition: one.place for one in strips}
        names = _same(root, strips, _folders)
        self.items = ordered(Item(plain(name), _label(name), name) for name in names)

    def load(self, item: Item, condition: str) -> Iterator[Pixels]:
        """Decode the pictures of one sequence by number."""
        for path in self._pictures(self._places[condition], item):
            yield decode(path.read_bytes(), name=str(path), max_pixels=MAX_PIXELS)

    def content(self, strip: Strip) -> str:
        """Hash the sizes of the pictures of some sequences."""
        sample = self.items[:: -(-len(self.items) // SAMPLED)]
        return _sizes([path for item in sample for path in self._pictures(strip.place, item)])

    def _pictures(self, place: str, item: Item) -> list[Path]:
        folder = self._root / place / item.name
        try:
            names = [name for name in os.listdir(folder) if _NUMBERED.fullmatch(name)]
        except OSError as error:
            raise SourceError(f"{folder} cannot be listed ({error.strerror}).") from error
        names.sort(key=lambda name: int(name.partition(".")[0]))
        numbers = [int(name.partition(".")[0]) for name in names]
        if numbers != list(range(len(names))):
            raise SourceError(f"{folder} lacks a frame: its pictures are not numbered from 0 on.")
        return [folder / name for name in names]


@final
class Arrays:
    """One array a perturbation: `tilt.npy`, [sequences, frames, H, W, C]."""

    kind = "npy"

    def __init__(self, root: Path, strips: Sequence[Strip], edition: Edition) -> None:
        """Map the arrays; those of other lengths than the edition's are refused."""
        self._root = root
        self._arrays: dict[str, NDArray[np.uint8]] = {}
        for one in strips:
            path = root / f"{one.place}.npy"
            found = mapped(path)
            wanted = sequence(one.condition, edition=edition.name).count
            good = found.ndim == 5 and found.dtype == np.uint8 and found.shape[4] in (1, 3)
            if not good or found.shape[1] != wanted:
                raise SourceError(
                    f"{path} is {found.dtype} of shape {found.shape}; {one.condition} of "
                    f"{edition.name} is uint8, sequences x {wanted} frames x H x W x 3."
                )
            self._arrays[one.condition] = found
        counts = {len(found) for found in self._arrays.values()}
        if len(counts) != 1:
            raise SourceError(
                f"The arrays of {root} hold {' and '.join(map(str, sorted(counts)))} sequences; "
                f"all must hold the same ones."
            )
        count = counts.pop()
        self.items = row_items(_labels(root, count), [f"row {row}" for row in range(count)])

    def load(self, item: Item, condition: str) -> Iterator[Pixels]:
        """Copy the frames of one row."""
        for frame in self._arrays[condition][int(item.key)]:
            yield np.repeat(frame, 3, axis=2) if frame.shape[2] == 1 else np.array(frame)

    def content(self, strip: Strip) -> str:
        """Hash the array."""
        rows = self._arrays[strip.condition]
        hashed = hashlib.sha256(f"{rows.shape}".encode())
        for start in range(0, len(rows), 64):
            hashed.update(np.ascontiguousarray(rows[start : start + 64]).data)
        return hashed.hexdigest()[:16]


def _same(
    root: Path, strips: Sequence[Strip], listed: Callable[[Path], Iterator[str]]
) -> tuple[str, ...]:
    """Return the names below every strip; strips that differ are refused."""
    first = root / strips[0].place
    known = frozenset(listed(first))
    if not known:
        raise SourceError(f"{first} is the folder of a perturbation and holds no sequence.")
    for one in strips[1:]:
        found = frozenset(listed(root / one.place))
        if found != known:
            strange = some(found ^ known, 3)
            raise SourceError(
                f"{root / one.place} holds {len(found)} sequences and {first} {len(known)}; only "
                f"one of them has {strange}. All of a set must hold the same; complete or remove "
                f"the one."
            )
    return tuple(known)


def _folders(root: Path) -> Iterator[str]:
    known: set[str] = set()
    for name in walk(root):
        folder, _, file = name.rpartition("/")
        if folder and folder not in known and _NUMBERED.fullmatch(file):
            known.add(folder)
            yield folder


def _label(name: str) -> str | None:
    first, slash, _ = name.partition("/")
    return plain(first) if slash else None


def _sizes(paths: Sequence[Path]) -> str:
    hashed = hashlib.sha256()
    for path in paths:
        try:
            hashed.update(f"{path.stat().st_size} ".encode())
        except OSError as error:
            raise SourceError(f"{path} cannot be read ({error.strerror}).") from error
    return hashed.hexdigest()[:16]


def _labels(root: Path, count: int) -> list[str] | list[None]:
    path = root / LABELS
    if not path.is_file():
        return [None] * count
    labels = mapped(path)
    if labels.dtype.kind not in "iu" or labels.shape != (count,):
        raise SourceError(
            f"{path} is {labels.dtype} of shape {labels.shape}; it must hold a class index for "
            f"each of {count} sequences."
        )
    return named(labels.tolist(), names_beside(root), str(path))[0]

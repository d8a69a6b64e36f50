"""Label spaces: which name stands for which output of a model, and which outputs count.

Labels go by name and never by the order of what happens to be there. A list of names is a file of
this folder (`imagenet`: the 1000 wnids in index order, its 200-class subsets `imagenet-a`, `-o` and
`-r`, `cifar10`, `cifar100`) or a file of the user's, one name a line; what follows a tab is a
description.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brittle.errors import LabelError
from brittle.families import hint
from brittle.files import plain

SHOWN = 5


@lru_cache
def names() -> tuple[str, ...]:
    """Return the names of the lists that come with brittle, in ABC order."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".txt") for f in files if f.name.endswith(".txt")))


@lru_cache
def known(name: str) -> tuple[str, ...]:
    """Return the class names of a list that comes with brittle, in the order of the indices.

    >>> known("imagenet")[:2]
    ('n01440764', 'n01443537')
    """
    return tuple(_rows(name))


@lru_cache
def descriptions(name: str) -> Mapping[str, str]:
    """Return what a person calls the classes of a list that comes with brittle."""
    return {key: said or key for key, said in _rows(name).items()}


def which(classes: Sequence[str]) -> str | None:
    """Return the name of the list that these classes are, in any order; None if they are none."""
    listed = set(classes)
    return next((name for name in names() if set(known(name)) == listed), None)


def class_list(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return the class names that a known name, a file or a sequence gives, in index order."""
    if not isinstance(given, str):
        return _checked(given, "The classes")
    if given in names():
        return known(given)
    path = Path(given)
    if not path.is_file():
        raise LabelError(
            f"{hint(given, names(), 'list of classes')} Give one of them, or a file with a class "
            f"name a line, the first for output 0."
        )
    try:
        lines = path.read_text("utf-8-sig").rstrip().splitlines()
    except (OSError, UnicodeError) as error:
        raise LabelError(f"{path} cannot be read as UTF-8 text ({error}).") from error
    return _checked([line.partition("\t")[0].strip() for line in lines], str(path))


@dataclass(frozen=True, eq=False)
class Space:
    """The classes of a model in index order, and the subset of them that counts (None: all).

    Outputs of other classes are removed before argmax and softmax, so that a model of 1000 classes
    is judged on 200 as ImageNet-A, -O and -R are defined.
    """

    classes: tuple[str, ...]
    subset: str | None = None

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Class name -> output, for the classes that count."""
        place = {name: number for number, name in enumerate(self.classes)}
        if self.subset is None:
            return place
        listed = known(self.subset)
        if missing := [name for name in listed if name not in place]:
            raise LabelError(
                f"The subset {self.subset} needs classes that the model does not name: "
                f"{_some(missing)}. Give its classes in index order with --classes."
            )
        return {name: place[name] for name in listed}

    @property
    def allowed(self) -> int:
        """How many classes count."""
        return len(self.index)

    def check(self, labels: Iterable[str | None]) -> None:
        """Refuse labels that no counted class answers to, by name."""
        wrong = sorted({label for label in labels if label is not None} - self.index.keys())
        if wrong:
            which = "the model's classes" if self.subset is None else f"the subset {self.subset}"
            sample, case = _some(list(self.index)), self._nearly(wrong)
            raise LabelError(
                f"{_count(wrong)} of the images {'is' if len(wrong) == 1 else 'are'} not among "
                f"{which}: {_some(wrong)}. The "
                f"classes are {sample}. Labels go by name{case}: rename the folders, or give the "
                f"model's class names in index order with --classes."
            )

    def _nearly(self, wrong: Sequence[str]) -> str:
        """Say that case counts, where nothing else differs."""
        known = {name.casefold(): name for name in self.index}
        near = next((name for name in wrong if name.casefold() in known), None)
        return "" if near is None else f", and {near} is not {known[near.casefold()]}"

    def mask(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return logits with those of classes that do not count at minus infinity."""
        if self.subset is None:
            return logits
        out = np.full_like(logits, -np.inf)
        out[:, self._columns] = logits[:, self._columns]
        return out

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        return np.array(sorted(self.index.values()), np.int64)


def _rows(name: str) -> dict[str, str]:
    text = resources.files(__name__).joinpath(f"{name}.txt").read_text("utf-8")
    rows = (line.partition("\t") for line in text.splitlines())
    return {key: said for key, _, said in rows}


def _checked(found: Sequence[str], where: str) -> tuple[str, ...]:
    # Folders' names are brought to this form too, since some file systems store another one.
    listed = tuple(plain(str(name)) for name in found)
    if not listed or not all(listed):
        raise LabelError(f"{where}: every class needs a name; {len(listed)} were given.")
    if len(set(listed)) < len(listed):
        twice = next(name for name in listed if listed.count(name) > 1)
        raise LabelError(f"{where}: the class {twice} is named twice; tell them apart.")
    return listed


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _count(names: Sequence[str]) -> str:
    return "1 label" if len(names) == 1 else f"{len(names)} labels"

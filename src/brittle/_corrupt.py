"""Corrupting pictures from Python: one picture, a batch, or as a step of a pipeline.

Unlike a build, nothing here resizes, crops or re-encodes: an edition only chooses the severity
table. `brittle.editions.get("imagenet-224").prepare(image)` makes the picture that the published
set would have started from.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias, final, overload

import numpy as np

from brittle import seeds, suites
from brittle._pictures import Picture, give_back, take
from brittle.conditions import CLEAN, Condition, condition
from brittle.corruptions import CORRUPTIONS
from brittle.errors import AssetError, ImageError, SpecError
from brittle.executors import EXECUTORS, usable_cores
from brittle.spec import Spec
from brittle.types import UInt8

Named: TypeAlias = str | Spec
"""What names a condition: `fog(severity=3)`, a chain `a(...)+b(...)`, `fog` with a severity."""


def corrupt(
    image: Picture,
    spec: Named,
    *,
    severity: int | None = None,
    edition: str = "any",
    seed: int = 0,
    key: str | None = None,
) -> Picture:
    """Return a corrupted copy of one picture; the one given is never changed.

    `image` is a uint8 array of shape H x W, H x W x 1, H x W x 3 or H x W x 4, at least 1 x 1 and
    with any strides, or a PIL image of mode L, RGB or RGBA. The result has the same type, shape
    and mode; alpha is kept as it is. Anything else is an `ImageError`.

    `spec` is a corruption, `fog(severity=3)`, one with parameters of its own,
    `gaussian_noise(std=0.2)`, or a chain `fog(severity=2)+jpeg_compression(severity=3)`.
    `severity` (1 to 5, 0 for the clean picture) is for those that give none. `edition` chooses
    the severity table and nothing else: no picture is resized, and no JPEG is written.

    What is random depends on `seed`, the spec and `key`, the picture's name. Without a key its
    pixels are the name, so that equal pictures get equal draws and different ones different draws.

    >>> import numpy as np
    >>> picture = np.full((32, 48, 3), 128, np.uint8)
    >>> foggy = corrupt(picture, "fog", severity=3)
    >>> foggy.shape, foggy.dtype.name
    ((32, 48, 3), 'uint8')
    >>> np.array_equal(foggy, corrupt(picture, "fog(severity=3)"))
    True
    """
    made = _condition(spec, severity, edition)
    return apply_to(made, image, _seed(seed), key)


@overload
def corrupt_batch(
    images: UInt8,
    spec: Named,
    *,
    keys: Sequence[str] | None = ...,
    severity: int | None = ...,
    edition: str = ...,
    seed: int = ...,
    workers: int | None = ...,
) -> UInt8: ...
@overload
def corrupt_batch(
    images: Sequence[Picture],
    spec: Named,
    *,
    keys: Sequence[str] | None = ...,
    severity: int | None = ...,
    edition: str = ...,
    seed: int = ...,
    workers: int | None = ...,
) -> Sequence[Picture]: ...
def corrupt_batch(
    images: Any,
    spec: Named,
    *,
    keys: Sequence[str] | None = None,
    severity: int | None = None,
    edition: str = "any",
    seed: int = 0,
    workers: int | None = None,
) -> Any:
    """Return corrupted copies of many pictures, made on all cores.

    `images` is a list or tuple of what `corrupt` takes, sizes and kinds mixed, or one uint8 array
    N x H x W x C with C = 1, 3 or 4; the result is of the same kind. `keys` names every picture;
    equal keys get equal draws. The bytes are those of `corrupt` on each picture alone, whatever the
    number of `workers` (threads; by default one a core).

    >>> import numpy as np
    >>> batch = np.zeros((4, 8, 8, 3), np.uint8)
    >>> corrupt_batch(batch, "brightness(severity=3)", keys=["a", "b", "c", "d"]).shape
    (4, 8, 8, 3)
    """
    made, seed = _condition(spec, severity, edition), _seed(seed)
    _check_batch(images)
    if isinstance(keys, str):
        raise SpecError(f"keys is a list with a name for each picture; got the text {keys!r}.")
    names: Sequence[str | None] = [None] * len(images) if keys is None else list(keys)
    if len(names) != len(images):
        raise SpecError(f"There are {len(images)} pictures and {len(names)} keys; give one each.")
    if workers is not None and _whole(workers, "workers") < 1:
        raise SpecError(f"workers must be at least 1, or None for all cores; got {workers}.")
    at_once = min(usable_cores() if workers is None else workers, max(len(images), 1))
    threads = EXECUTORS.load("serial" if at_once == 1 else "threads").map

    def one(number: int) -> Any:
        try:
            return apply_to(made, images[number], seed, names[number])
        except ImageError as error:
            raise ImageError(f"Picture {number} of the batch: {error}") from error

    # Several pictures a task: handing one over costs as much as a small corruption.
    size = max(1, min(16, len(images) // (4 * at_once)))
    tasks = [range(i, min(i + size, len(images))) for i in range(0, len(images), size)]
    done = chain.from_iterable(
        threads(lambda task: [one(number) for number in task], tasks, workers=at_once)
    )
    if isinstance(images, np.ndarray):
        out = np.empty(images.shape, np.uint8)
        for number, picture in enumerate(done):
            out[number] = picture
        return out
    return list(done) if isinstance(images, list) else tuple(done)


@final
@dataclass(frozen=True)
class Corrupt:
    """One corruption as a step of a pipeline: called with a picture, returns the corrupted copy.

    It stands where pictures are still PIL images or uint8 arrays, before ToTensor: in the Compose
    of torchvision (v1 and v2), in timm's transforms, in a Dataset's `__getitem__` or a function
    for Hugging Face `datasets.map`. It pickles as four plain values into the workers of a
    DataLoader. Everything that is wrong with the spec is said when it is made.

    Without a `key` every picture is named by its pixels. Give the sample's own name as the key to
    get the bytes of a data set that was built from the same names.

    >>> from PIL import Image
    >>> Corrupt("fog", severity=3)
    Corrupt('fog(severity=3)', edition='any', seed=0)
    >>> Corrupt("fog", severity=3)(Image.new("RGB", (8, 8), "teal")).size
    (8, 8)
    """

    spec: Named
    severity: int | None = None
    edition: str = "any"
    seed: int = 0
    condition: Condition = field(init=False, repr=False, compare=False)
    """What is done to a picture; its text is the canonical name."""

    def __post_init__(self) -> None:
        """Refuse what is wrong here, and not in a worker after an hour."""
        _seed(self.seed)
        made = _condition(self.spec, self.severity, self.edition)
        object.__setattr__(self, "condition", made)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the plain values, and the name of what they mean here."""
        return {**self.__dict__, "condition": str(self.condition)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the condition anew; one that means something else in this process is refused."""
        meant = state.pop("condition")
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()
        if str(self.condition) != meant:
            raise AssetError(
                f"The step was made for {meant}, but in this process it would be "
                f"{self.condition}. Set BRITTLE_ASSETS to the folder of the photographs, so that "
                f"every process finds them."
            )

    def __call__(self, image: Picture, *, key: str | None = None) -> Picture:
        """Return the corrupted copy of a picture; see `corrupt`.

        The key goes by name, since torchvision's v2 would hand a label over in its place.
        """
        return apply_to(self.condition, image, _seed(self.seed), key)

    def __repr__(self) -> str:
        """Name the condition in its canonical form."""
        return f"Corrupt({str(self.condition)!r}, edition={self.edition!r}, seed={self.seed})"


def corruption_names() -> tuple[str, ...]:
    """Return all corruptions in the order of the tables: the fifteen, the extra four, others."""
    suite = suites.get("imagenet-c")
    known = CORRUPTIONS.names()
    first = [name for name in suite.corruptions + suite.extra if name in known]
    return (*first, *(name for name in known if name not in first))


def _condition(spec: Named, severity: int | None, edition: str) -> Condition:
    if not isinstance(spec, (str, Spec)):
        raise SpecError(
            f"A corruption is named by a text such as 'fog(severity=3)' or a Spec; got {spec!r}."
        )
    if severity is not None:
        severity = _whole(severity, "severity")
        if not 0 <= severity <= 5:
            raise SpecError(f"severity must be 0 (clean) or 1, 2, 3, 4 or 5; got {severity}.")
        if str(spec) != CLEAN and _speaks_for_itself(str(spec), edition):
            raise SpecError(
                f"severity={severity} has nothing to go to: '{spec}' says everything itself. Give "
                f"the one or the other."
            )
    return condition(str(spec), edition=edition, severity=severity)


@lru_cache(maxsize=256)
def _speaks_for_itself(text: str, edition: str) -> bool:
    """Whether every link of a spec is complete without a severity from outside."""
    try:
        condition(text, edition=edition)
    except SpecError:
        return False
    return True


def _seed(seed: int) -> int:
    return _whole(seed, "seed")


def _check_batch(images: Any) -> None:
    if isinstance(images, (list, tuple)):
        return
    if not isinstance(images, np.ndarray):
        raise ImageError(
            f"A batch is a list or a tuple of pictures or an array N x H x W x C; got a "
            f"{type(images).__name__}. Make it a list with list(images)."
        )
    if images.ndim != 4:
        raise ImageError(
            f"A batch in one array is N x H x W x C; got {images.ndim} axes. Add an axis with "
            f"images[..., None] for grey pictures or images[None] for a single one."
        )


def _whole(value: Any, name: str) -> int:
    try:
        if not isinstance(value, (bool, np.bool_)):
            return operator.index(value)
    except TypeError:
        pass
    raise SpecError(f"{name} must be a whole number; got {value!r}.")


def apply_to(made: Condition, image: Picture, seed: int, key: str | None) -> Picture:
    """Return a picture with a condition applied to all but its alpha; see `corrupt`."""
    parts = take(image)
    if key is None:
        key = seeds.content_key(parts.pixels)
    elif not isinstance(key, str):
        raise SpecError(f"A key is a text that names the picture; got {key!r}. Use str(key).")
    return give_back(image, parts, made.apply(parts.pixels, seed=seed, key=key))

"""What a model is: a classifier together with its own preprocessing.

A kind of model is one file of this folder that offers a `PART`: how to open what follows the colon
of `timm:resnet50` or `onnx:model.onnx(size=224)`. An opened model takes uint8 pictures, so the rest
of brittle knows no mean, no deviation and no axis order.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brittle.errors import SpecError
from brittle.spec import Value
from brittle.types import Pixels, UInt8

PRECISIONS = ("float32", "bfloat16", "float16")

_DEVICE = re.compile(r"auto|cpu|mps|cuda(:\d+)?")


class Outputs(NamedTuple):
    """What a model says of N pictures: float32, in the order given."""

    logits: NDArray[np.float32]
    """N x classes. Probabilities are handed over as their logarithms (see `Model.gives`)."""
    features: NDArray[np.float32] | None = None
    """N x D of the layer before the last, where they were asked for (`Settings.features`)."""
    samples: NDArray[np.float32] | None = None
    """N x passes x classes: the logits of stochastic passes (`Settings.passes`)."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a model is to be run. A kind that cannot follow one refuses it by name."""

    device: str = "auto"
    """`auto` (cuda, then mps, then cpu), `cpu`, `cuda`, `cuda:1`, `mps`."""
    precision: str = "float32"
    """`float32`, `bfloat16` or `float16`."""
    channels_last: bool | None = None
    """Memory order of pictures in a torch network: channels last where True, first where False.
    None takes what is the faster there: last on the CPU (a third to a half for convolutions),
    first elsewhere. Outputs differ in their last bits."""
    classes: tuple[str, ...] | None = None
    """Class names in index order given by the user; they go before those that a model brings."""
    features: bool = False
    """Whether the layer before the last is wanted as well."""
    passes: int = 0
    """Stochastic passes with dropout on, besides the usual one; what is dropped depends on the
    picture alone."""
    threads: int | None = None
    """CPU threads that the model may use; None leaves the library's own choice."""

    def __post_init__(self) -> None:
        """Refuse what no model could follow."""
        if not _DEVICE.fullmatch(self.device):
            raise SpecError(
                f"There is no device '{self.device}'; use auto, cpu, cuda, cuda:N or mps."
            )
        if self.precision not in PRECISIONS:
            raise SpecError(
                f"There is no precision '{self.precision}'; use {', '.join(PRECISIONS)}."
            )
        if self.threads is not None and self.threads < 1:
            raise SpecError(f"threads must be at least 1; got {self.threads}.")


class Model(ABC):
    """An opened classifier; called from one thread at a time."""

    name: str
    """Its canonical spec, as stored and shown."""
    classes: tuple[str, ...] | None
    """Class names in index order; None where nobody said."""
    size: tuple[int, int] | None
    """Height and width that it takes; None for any."""
    digest: str | None
    """SHA-256 in hexadecimal of its weights; None where they cannot be seen."""
    gives: str
    """`logits`; `probabilities`, whose logarithms are handed over; or `classes`, the foremost only,
    which is handed over as if it were sure."""
    facts: Mapping[str, Any]
    """What a reader must know to repeat it: preprocessing, device, precision, library versions."""

    @abstractmethod
    def prepare(self, image: Pixels) -> Pixels:
        """Bring a picture of any size to `size` as the model's authors do, still uint8 RGB.

        A picture that has that size already is returned as it is. Thread-safe.
        """

    @abstractmethod
    def predict(self, batch: UInt8) -> Outputs:
        """Classify N x H x W x 3 uint8 RGB, which is not changed, not resized and not cropped.

        Raises `OutOfMemoryError` where the device has no room for so many.
        """

    def __repr__(self) -> str:
        """Say what it is."""
        return f"<model {self.name}>"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of model, by its word before the colon."""

    about: str
    """One line for help: what follows the colon."""
    open: Callable[[str, Mapping[str, Value], Settings], Model]
    """Gets what follows the colon, the parameters in parentheses, and the settings."""
    params: Mapping[str, type | tuple[type, ...]] = field(default_factory=dict)
    """Name -> type (int, float, bool, str or tuple), or several, of the parameters it takes."""
    passes: bool = False
    """Whether it takes parameters of any other name besides, and checks them by itself."""
    places: tuple[str, ...] = ()
    """What names a place of files whose contents the digest or the facts cover: parameters, and
    `target` for what follows the colon. A run goes on where they lie elsewhere."""
    extra: str | None = None
    """Brittle's extra that brings the libraries it needs."""

"""What a detector is: outputs of a model to a score for each image, where higher is stranger.

A detector's file offers `PART = Detector(...)`. One that is fitted learns from outputs on
in-distribution images, and never sees a strange one. A score depends on the image's own outputs
and on what was fitted, so neither on the other images nor on their order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle._softmax import log_sigmoid, log_softmax
from brittle.errors import ScoreError

Floats: TypeAlias = NDArray[np.floating]
Need: TypeAlias = Literal["logits", "features", "samples"]
Task: TypeAlias = Literal["single", "multi"]
"""One label an image, by a softmax; or several, by a sigmoid each."""

_BLOCK = 1 << 22
"""Numbers of the outputs that are worked on at a time."""
_SHAPES = {
    "logits": (2, "images x classes"),
    "features": (2, "images x numbers"),
    "samples": (3, "passes x images x classes"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Outputs:
    """What a model gave for N images; the arrays given are not changed.

    >>> outputs = Outputs(logits=[[2.0, 0.0], [0.0, 0.0]])
    >>> len(outputs), outputs.probabilities().round(2).tolist()
    (2, [[0.88, 0.12], [0.5, 0.5]])
    """

    logits: Floats
    """N x C, before any softmax or sigmoid."""
    features: Floats | None = None
    """N x D, what the last layer sees."""
    samples: Floats | None = None
    """S x N x C: the logits of S stochastic passes, such as with dropout on."""
    task: Task = "single"

    def __post_init__(self) -> None:
        """Refuse what are not the outputs of one model."""
        if self.task not in ("single", "multi"):
            raise ScoreError(
                f"task must be single (a softmax) or multi (a sigmoid a class); got {self.task!r}."
            )
        for name, (axes, said) in _SHAPES.items():
            given = getattr(self, name)
            if given is None:
                continue
            values = np.asarray(given)
            if values.dtype.kind not in "fiu" or values.ndim != axes or not values.shape[-1]:
                raise ScoreError(
                    f"{name} must be {said}, in numbers; got {values.dtype} of the shape "
                    f"{values.shape}."
                )
            if not np.isfinite(values).all():
                raise ScoreError(
                    f"{name} hold NaN or infinity; leave those images out, or mend the model."
                )
            values = values if values.dtype.kind == "f" else values.astype(np.float64)
            object.__setattr__(self, name, values)
        for name, count in (
            ("features", None if self.features is None else self.features.shape[0]),
            ("samples", None if self.samples is None else self.samples.shape[1]),
        ):
            if count is not None and count != len(self):
                raise ScoreError(
                    f"There are logits of {len(self):,} images, but {name} of {count:,}."
                )

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.logits)

    def rows(self, chosen: slice | NDArray[Any]) -> "Outputs":
        """Return the outputs of some of the images."""
        return Outputs(
            logits=self.logits[chosen],
            features=None if self.features is None else self.features[chosen],
            samples=None if self.samples is None else self.samples[:, chosen],
            task=self.task,
        )

    def blocks(self) -> Iterator["Outputs"]:
        """Yield the images in blocks, so that memory is flat in their number."""
        wide = self.logits.shape[1] + (0 if self.features is None else self.features.shape[1])
        wide += 0 if self.samples is None else len(self.samples) * self.samples.shape[2]
        step = max(1, _BLOCK // wide)
        if len(self) <= step:
            yield self
            return
        for at in range(0, len(self), step):
            yield self.rows(slice(at, at + step))

    def log_probabilities(self) -> NDArray[np.float64]:
        """Return the logarithm of the softmax over the classes, or of the sigmoid of each."""
        return (log_softmax if self.task == "single" else log_sigmoid)(self.logits)

    def probabilities(self) -> NDArray[np.float64]:
        """Return the softmax over the classes, or the sigmoid of each."""
        return np.exp(self.log_probabilities())


class NoRow(NamedTuple):
    """No parameters."""


@dataclass(frozen=True, kw_only=True)
class Detector:
    """A detector: its functions, what they need, and where it comes from."""

    title: str
    """As printed: `MaxLogit`."""
    about: str
    """Its documentation: `__doc__` of its file."""
    formula: str
    citation: str
    score: Callable[[Outputs, Any, Any], NDArray[np.float64]]
    """(outputs, state, row) to N scores; state is what `fit` returned, or None."""
    fit: Callable[[Outputs, NDArray[np.intp] | None, Any, int], Any] | None = None
    """(outputs, labels, row, seed) to whatever `score` takes as its state."""
    fitted_on: str = "nothing"
    """What it is fitted on, in words."""
    labels: bool = False
    """Whether `fit` needs the labels."""
    needs: tuple[Need, ...] = ("logits",)
    tasks: tuple[Task, ...] = ("single", "multi")
    row: type[Any] = NoRow
    """A NamedTuple of parameters, every one with a default and its limits (see `brittle.rows`)."""


def check(detector: Detector, outputs: Outputs) -> None:
    """Refuse outputs that lack what a detector needs, or are of a task it makes no sense for."""
    for need in detector.needs:
        if getattr(outputs, need) is None:
            raise ScoreError(
                f"{detector.title} needs {need} ({_SHAPES[need][1]}), which these outputs do not "
                f"have; give Outputs(..., {need}=...)."
            )
    if outputs.task not in detector.tasks:
        kinds = {"single": "a softmax over classes", "multi": "a sigmoid for each class"}
        raise ScoreError(
            f"{detector.title} is for models with {kinds[detector.tasks[0]]}; these outputs are of "
            f"one with {kinds[outputs.task]}."
        )


def truth(labels: ArrayLike | None, outputs: Outputs, detector: Detector) -> NDArray[np.intp]:
    """Return the labels to fit with, or say what is wrong with them."""
    given = np.asarray(labels)
    if labels is None or given.shape != (len(outputs),) or given.dtype.kind not in "iu":
        got = "none" if labels is None else f"{given.dtype} of the shape {given.shape}"
        raise ScoreError(
            f"{detector.title} is fitted with labels: {len(outputs):,} whole numbers, the class of "
            f"each image; got {got}."
        )
    return given.astype(np.intp)

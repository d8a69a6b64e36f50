"""A detector that is ready to score."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle.detectors.base import Detector, Outputs, Task, check, truth
from brittle.errors import ScoreError
from brittle.spec import Spec


@dataclass(frozen=True, eq=False)
class Fitted:
    """A detector with its parameters and what it has learned."""

    spec: Spec
    detector: Detector
    row: Any
    state: Any = None
    shape: tuple[Task, int, int | None] | None = None
    """Task, classes and features that it was fitted on; None where nothing was fitted."""

    @property
    def title(self) -> str:
        """As printed, with the parameters that are not the usual ones."""
        given = str(Spec("", self.spec.params))
        return f"{self.detector.title} {given}" if given else self.detector.title

    def score(self, outputs: Outputs) -> NDArray[np.float64]:
        """Return a score for each image, in their order; higher is stranger."""
        check(self.detector, outputs)
        if self.shape is not None and shape(self.detector, outputs) != self.shape:
            raise ScoreError(
                f"{self.title} was fitted on {_said(self.shape)}, but is to score "
                f"{_said(shape(self.detector, outputs))}; fit it on outputs of the same model."
            )
        blocks = outputs.blocks()
        scores = [self.detector.score(block, self.state, self.row) for block in blocks]
        found = np.concatenate(scores).astype(np.float64, copy=False)
        if not np.isfinite(found).all():
            raise ScoreError(
                f"{self.title} gave {int((~np.isfinite(found)).sum()):,} scores that are not "
                f"finite; the outputs are too far apart for it."
            )
        return found


def fitted(
    spec: Spec,
    detector: Detector,
    row: Any,
    outputs: Outputs | None,
    labels: ArrayLike | None,
    seed: int,
) -> Fitted:
    """Fit a detector where it is one that is fitted."""
    if detector.fit is None:
        return Fitted(spec, detector, row)
    if outputs is None:
        raise ScoreError(
            f"{detector.title} is fitted on {detector.fitted_on}; give fit(...) those outputs "
            f"before it can score."
        )
    check(detector, outputs)
    if not len(outputs):
        raise ScoreError(f"{detector.title} cannot be fitted on no images at all.")
    classes = truth(labels, outputs, detector) if detector.labels else None
    state = detector.fit(outputs, classes, row, seed)
    return Fitted(spec, detector, row, state, shape(detector, outputs))


def shape(detector: Detector, outputs: Outputs) -> tuple[Task, int, int | None]:
    """Return what outputs must share with those that a detector was fitted on."""
    features = outputs.features if "features" in detector.needs else None
    wide = None if features is None else features.shape[1]
    return outputs.task, outputs.logits.shape[1], wide


def _said(shape: tuple[Task, int, int | None]) -> str:
    task, classes, wide = shape
    more = "" if wide is None else f" and {wide} features"
    return f"a {task}-label model of {classes} classes{more}"

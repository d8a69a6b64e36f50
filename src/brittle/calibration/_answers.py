"""What a model said of each image: its confidence, and whether it was right."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brittle._softmax import log_softmax
from brittle.errors import ScoreError

_BLOCK = 1 << 22
"""Numbers of a matrix that are worked on at a time."""


@dataclass(frozen=True, eq=False)
class Answers:
    """N answers; the arrays given are not changed.

    >>> answers = Answers.of_logits([[2.0, 0.0], [0.0, 1.0]], [0, 0])
    >>> answers.correct.tolist(), answers.confidence.round(3).tolist()
    ([1.0, 0.0], [0.881, 0.731])
    """

    confidence: NDArray[np.float64]
    """Of the class that was answered."""
    correct: NDArray[np.float64]
    """1 where the answer was right, else 0."""
    log_loss: NDArray[np.float64] | None = None
    """-log of the probability of the true class."""
    square_loss: NDArray[np.float64] | None = None
    """Sum over the classes of (probability - truth)^2, from 0 to 2."""

    def __post_init__(self) -> None:
        """Refuse what are not answers."""
        count = None
        for name in ("confidence", "correct", "log_loss", "square_loss"):
            given = getattr(self, name)
            if given is None:
                continue
            values = np.asarray(given)
            if values.dtype.kind not in "fiub" or values.ndim != 1 or not len(values):
                raise ScoreError(
                    f"{name} must be a list of at least one number; got {values.dtype} of the "
                    f"shape {values.shape}."
                )
            count = len(values) if count is None else count
            if len(values) != count:
                raise ScoreError(f"There are {count:,} confidences, but {len(values):,} of {name}.")
            if bad := int(np.isnan(values).sum() if values.dtype.kind == "f" else 0):
                raise ScoreError(f"{bad:,} of {count:,} values of {name} are NaN; leave them out.")
            object.__setattr__(self, name, values.astype(np.float64, copy=False))
        if not np.isin(self.correct, (0, 1)).all():
            raise ScoreError("correct must say for each answer whether it was right: 1 or 0.")

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self.confidence)

    @cached_property
    def within(self) -> bool:
        """Whether every confidence could be a probability."""
        return bool(self.confidence.min() >= 0 and self.confidence.max() <= 1)

    @cached_property
    def ranks(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The order by rising confidence, and where each run of equal confidences ends."""
        order = np.argsort(self.confidence, kind="stable")
        rising = self.confidence[order]
        return order, np.append(np.flatnonzero(rising[1:] != rising[:-1]), len(order) - 1)

    @classmethod
    def of_logits(cls, logits: ArrayLike, labels: ArrayLike) -> "Answers":
        """Take N x C logits of a softmax model and the N true classes."""
        table, truth = matrix(logits, labels, "logits")
        rows = max(1, _BLOCK // table.shape[1])
        parts = [
            _answered(log_softmax(table[at : at + rows]), truth[at : at + rows])
            for at in range(0, len(table), rows)
        ]
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    @classmethod
    def of_probabilities(cls, probabilities: ArrayLike, labels: ArrayLike) -> "Answers":
        """Take N x C probabilities that sum to 1, and the N true classes."""
        table, truth = matrix(probabilities, labels, "probabilities")
        sums = table.sum(axis=1, dtype=np.float64)
        if table.min() < 0 or np.abs(sums - 1).max() > 1e-3:
            raise ScoreError(
                f"Probabilities are at least 0 and sum to 1 in every row; these begin at "
                f"{table.min():g} and sum to {sums.min():g} up to {sums.max():g}. For logits there "
                f"is Answers.of_logits."
            )
        with np.errstate(divide="ignore"):
            return cls(*_answered(np.log(table.astype(np.float64)), truth))


def matrix(
    values: ArrayLike, labels: ArrayLike, name: str
) -> tuple[NDArray[np.floating], NDArray[np.intp]]:
    """Return N x C numbers and N class indices, or say what is wrong with them."""
    table, truth = np.asarray(values), np.asarray(labels)
    if table.dtype.kind not in "fiu" or table.ndim != 2 or 0 in table.shape:
        raise ScoreError(
            f"{name} must be images x classes, at least one of each; got {table.dtype} of the "
            f"shape {table.shape}."
        )
    if not np.isfinite(table).all():
        raise ScoreError(
            f"{int((~np.isfinite(table)).any(axis=1).sum()):,} of {len(table):,} rows of {name} "
            f"hold NaN or infinity; leave those images out, or mend the model."
        )
    if truth.shape != (len(table),) or truth.dtype.kind not in "iu":
        raise ScoreError(
            f"labels must be {len(table):,} whole numbers, the true class of each row of {name}; "
            f"got {truth.dtype} of the shape {truth.shape}."
        )
    if truth.min() < 0 or truth.max() >= table.shape[1]:
        raise ScoreError(
            f"labels must lie from 0 to {table.shape[1] - 1}, since {name} have {table.shape[1]} "
            f"classes; these lie from {truth.min()} to {truth.max()}."
        )
    return table, truth.astype(np.intp)


def _answered(
    logs: NDArray[np.float64], truth: NDArray[np.intp]
) -> tuple[NDArray[np.float64], ...]:
    every = np.arange(len(logs))
    answer = logs.argmax(axis=1)
    told = np.exp(logs)
    squares = np.square(told).sum(axis=1) - 2 * told[every, truth] + 1
    return told[every, answer], (answer == truth).astype(np.float64), -logs[every, truth], squares

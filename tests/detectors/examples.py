"""Outputs of a made model: in-distribution ones with labels, and strange ones."""

from typing import NamedTuple

import numpy as np

from brittle.detectors import Outputs

CLASSES, WIDE, PASSES = 6, 9, 4


class Example(NamedTuple):
    known: Outputs
    labels: np.ndarray
    strange: Outputs


def example(task="single", seed=0, known=300, strange=50):
    """Known images lie by the mean of their class and name it, or it and the next.

    Strange ones lie by none, and name half-heartedly two classes that never go together.
    """
    rng = np.random.default_rng(seed)
    means = rng.normal(0, 2, (CLASSES, WIDE))
    labels = rng.integers(0, CLASSES, known)
    features = means[labels] + rng.normal(0, 0.5, (known, WIDE))
    logits = rng.normal(-2, 0.5, (known, CLASSES))
    logits[np.arange(known), labels] = rng.normal(5, 1, known)
    if task == "multi":
        logits[np.arange(known), (labels + 1) % CLASSES] = rng.normal(4, 1, known)
    odd = rng.integers(0, CLASSES, strange)
    between = rng.normal(-2.5 if task == "single" else -1.2, 0.5, (strange, CLASSES))
    for away in (0, 3):
        between[np.arange(strange), (odd + away) % CLASSES] = rng.normal(1.5, 0.5, strange)
    return Example(
        _outputs(rng, logits, features, task, 0.1),
        labels,
        _outputs(rng, between, rng.normal(0, 3, (strange, WIDE)), task, 1),
    )


def _outputs(rng, logits, features, task, scatter):
    samples = logits + rng.normal(0, scatter, (PASSES, *logits.shape))
    return Outputs(
        logits=logits.astype(np.float32),
        features=features.astype(np.float32),
        samples=samples.astype(np.float32),
        task=task,
    )

"""Soft F1: how well low confidence marks the wrong answers, without a threshold.

Wrong answers are the positive class, and 1 - confidence says how much an answer is taken for one.
Higher is better; 0 to 1.
"""

import numpy as np

from brittle.calibration.base import DEEP, Measure, NoRow, Rows, Sample
from brittle.errors import ScoreError


def of(sample: Sample, row: NoRow) -> Rows:
    """Count softly."""
    answers = sample.answers
    doubt, wrong = 1 - answers.confidence, 1 - answers.correct
    twice = 2 * sample.sum(doubt * wrong)
    whole = twice + sample.sum(answers.confidence * wrong) + sample.sum(doubt * answers.correct)
    if whole[0] == 0:
        raise ScoreError(
            "Soft F1 says nothing where every answer is right with a confidence of 1: there is no "
            "wrong one to find."
        )
    return np.divide(twice, whole, out=np.full_like(whole, np.nan), where=whole > 0)


PART = Measure(
    title="soft F1",
    about=__doc__,
    formula="2 TP / (2 TP + FP + FN), TP = sum (1-conf) wrong, FP = sum (1-conf) right, "
    "FN = sum conf wrong",
    citation=DEEP,
    of=of,
    better="higher",
)

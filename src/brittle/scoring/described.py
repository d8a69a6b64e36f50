"""What any score is, whichever family it is of: error rates, separation, average precision."""

from typing import Literal, NamedTuple

from brittle.metrics import METRICS, find
from brittle.separation import SEPARATION, ask
from brittle.spec import parse


class Described(NamedTuple):
    """How papers print a score, and how it is computed."""

    name: str
    title: str
    better: Literal["lower", "higher"]
    unit: str
    digits: int
    formula: str
    divided: bool
    """Whether errors are divided by those of a baseline."""


PRECISION = {
    "map": ("mAP", "sum over classes of AP_c / C"),
    "weighted_map": (
        "frequency-weighted mAP",
        "sum over classes of n_c AP_c / sum of n_c, n_c images with the class",
    ),
}
"""Average precision of several classes a picture: name -> title and formula."""


def described(name: str) -> Described:
    """Return what a score is; an unknown name is a `SpecError`.

    >>> described("relative mCE").name, described("fpr(recall=0.8)").title, described("map").better
    ('relative_mce', 'FPR80', 'higher')
    """
    plain = name.strip().lower()
    if plain in PRECISION:
        title, formula = PRECISION[plain]
        return Described(plain, title, "higher", "%", 1, formula, False)
    if "(" in plain or plain in SEPARATION.names():
        asked = ask(parse(plain))
        part = asked.measure
        return Described(str(asked.spec), asked.title, part.better, "%", 1, part.formula, False)
    plain, metric = find(name)
    return Described(
        plain, metric.title, metric.better, metric.unit, metric.digits, metric.formula,
        metric.baseline,
    )  # fmt: skip


def known(name: str) -> bool:
    """Say whether a name is that of a score.

    >>> known("mce"), known("auroc"), known("somebody's")
    (True, True, False)
    """
    return name in PRECISION or name in SEPARATION.names() or name in METRICS.names()

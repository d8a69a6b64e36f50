"""Every detector: what it computes of what."""

from brittle.detectors import DETECTORS
from scripts.reference._markdown import cell, table

MODELS = {"single": "softmax", "multi": "sigmoid"}


def make() -> str:
    """Return the table."""
    lines = []
    for name in DETECTORS.names():
        part = DETECTORS.load(name)
        kinds = ", ".join(MODELS[task] for task in part.tasks)
        lines.append((f"`{name}`", part.title, cell(part.formula), ", ".join(part.needs), kinds))
    return table(("name", "printed as", "score", "needs", "models"), lines)

"""Every detector: its usual parameters, what it is fitted on, and where it comes from."""

from brittle.detectors import DETECTORS
from scripts.reference._markdown import cell, spec, table


def make() -> str:
    """Return the table."""
    loaded = {name: DETECTORS.load(name) for name in DETECTORS.names()}
    lines = [(spec(n, part), part.fitted_on, cell(part.citation)) for n, part in loaded.items()]
    return table(("with its usual parameters", "fitted on", "from"), lines)

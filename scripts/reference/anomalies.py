"""Every synthetic anomaly: its formula and parameters."""

import re

from brittle import rows
from brittle.anomalies import ANOMALIES
from scripts.reference._markdown import cell, sentence, spec, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in ANOMALIES.names():
        part = ANOMALIES.load(name)
        about = " ".join(part.about.split())
        formula = re.search(r"Formula: (.*?)\.(?= [A-Z]|$)", about)
        limits = "; ".join(f"`{key}` {f.limit}" for key, f in rows.fields(part.row).items())
        what = sentence(part.about).partition(": ")[2]
        lines.append(
            (spec(name, part), cell(what), cell(formula[1] if formula else ""), limits or "none")
        )
    return table(("anomaly", "is", "a channel value", "parameters"), lines)

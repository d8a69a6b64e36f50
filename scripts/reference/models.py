"""Every kind of model: what follows its colon, its parameters, the extra that it needs."""

from brittle.models import MODELS
from scripts.reference._markdown import cell, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in MODELS.names():
        part = MODELS.load(name)
        known = [f"`{key}`" for key in part.params]
        known += ["those of your function"] if part.passes else []
        needs = f"`brittle[{part.extra}]`" if part.extra else ""
        lines.append((f"`{name}:`", cell(part.about), ", ".join(known), needs))
    return table(("kind", "opens", "parameters", "needs"), lines)

"""Every layout: what a built set looks like on disk."""

import importlib

from brittle.layouts import LAYOUTS
from scripts.reference._markdown import cell, sentence, table


def make() -> str:
    """Return the table."""
    lines = []
    for name in LAYOUTS.names():
        part = LAYOUTS.load(name)
        about = sentence(importlib.import_module(f"brittle.layouts.{name}").__doc__ or "")
        lines.append((f"`{name}`", cell(about), ", ".join(part.holds)))
    return table(("layout", "is", "holds"), lines)

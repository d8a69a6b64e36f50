"""Write the tables of docs/detectors.md and docs/separation-and-calibration.md from the parts.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; all else on a page is prose.
"""

import argparse
import re
import sys
from pathlib import Path

from brittle.calibration import CALIBRATION
from brittle.detectors import DETECTORS
from brittle.separation import SEPARATION
from brittle.spec import Spec

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (DOCS / "detectors.md", DOCS / "separation-and-calibration.md")
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def cell(text):
    """Return text that may stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


def spec(name, part):
    """Return the spec of a part with its usual parameters."""
    return f"`{Spec(name, part.row._field_defaults)}`"


def table(head, lines):
    """Return a table in Markdown."""
    bars = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*bars, *(f"| {' | '.join(line)} |" for line in lines)]) + "\n"


def detectors():
    """Return the table of what detectors compute."""
    models = {"single": "softmax", "multi": "sigmoid"}
    lines = []
    for name in DETECTORS.names():
        part = DETECTORS.load(name)
        kinds = ", ".join(models[task] for task in part.tasks)
        lines.append((f"`{name}`", part.title, cell(part.formula), ", ".join(part.needs), kinds))
    return table(("name", "printed as", "score", "needs", "models"), lines)


def fitted():
    """Return the table of where detectors come from."""
    loaded = {name: DETECTORS.load(name) for name in DETECTORS.names()}
    lines = [(spec(n, part), part.fitted_on, cell(part.citation)) for n, part in loaded.items()]
    return table(("with its usual parameters", "fitted on", "from"), lines)


def measures(family):
    """Return the table of a family of numbers."""
    lines = []
    for name in family.names():
        part = family.load(name)
        line = (spec(name, part), part.title, cell(part.formula), part.better)
        lines.append((*line, cell(part.citation)))
    return table(("name", "printed as", "formula", "better", "from"), lines)


TABLES = {
    "detectors": detectors,
    "fitted": fitted,
    "separation": lambda: measures(SEPARATION),
    "calibration": lambda: measures(CALIBRATION),
}


def filled(text):
    """Return a page with its tables as they must be."""
    return BLOCK.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], text)


def main():
    """Write the pages; with --check only say whether they are up to date."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("--check", action="store_true")
    options = reader.parse_args()
    stale = [page for page in PAGES if page.read_text() != filled(page.read_text())]
    if options.check:
        return int(bool(stale))
    for page in stale:
        page.write_text(filled(page.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""List what there is: corruptions, perturbations, editions, suites, models, metrics and more.

Without a family, the names of all of them.
"""

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brittle.families import Family

EXAMPLES = """\
  brittle list
  brittle list corruptions
  brittle list suites --json
"""

FAMILIES = (
    "corruptions", "perturbations", "editions", "suites", "sources", "layouts", "models", "metrics",
    "baselines", "detectors", "separation", "calibration", "formats", "anomalies", "exports",
    "published", "sections",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("family", nargs="?", choices=FAMILIES, help="one family, with summaries")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print names, or the table of one family."""
    if args.family is None:
        named = {family: names(family) for family in FAMILIES}
        if args.json:
            print(json.dumps(named, indent=2))
        else:
            for family, listed in named.items():
                print(f"{family}: {', '.join(listed)}")
        return 0
    rows = _rows(args.family)
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    widths = {key: max(len(row[key]) for row in rows) for key in rows[0]}
    for row in rows:
        print("  ".join(value.ljust(widths[key]) for key, value in row.items()).rstrip())
    return 0


def _family(family: str) -> "Family[Any] | None":
    """Return a family of parts; None for what is data."""
    from brittle.anomalies import ANOMALIES
    from brittle.baselines import BASELINES
    from brittle.calibration import CALIBRATION
    from brittle.corruptions import CORRUPTIONS
    from brittle.detectors import DETECTORS
    from brittle.exports import EXPORTS
    from brittle.layouts import LAYOUTS
    from brittle.metrics import METRICS
    from brittle.models import MODELS
    from brittle.perturbations import PERTURBATIONS
    from brittle.reports import FORMATS
    from brittle.sections import SECTIONS
    from brittle.separation import SEPARATION
    from brittle.sources import FAMILY

    parts: dict[str, Family[Any]] = {
        "corruptions": CORRUPTIONS,
        "perturbations": PERTURBATIONS,
        "layouts": LAYOUTS,
        "sources": FAMILY,
        "models": MODELS,
        "metrics": METRICS,
        "baselines": BASELINES,
        "detectors": DETECTORS,
        "separation": SEPARATION,
        "calibration": CALIBRATION,
        "formats": FORMATS,
        "anomalies": ANOMALIES,
        "exports": EXPORTS,
        "sections": SECTIONS,
    }
    return parts.get(family)


def names(family: str) -> list[str]:
    """Return a family's names, importing none of its parts."""
    from brittle import editions, published, suites

    if family == "editions":
        return list(editions.EDITIONS)
    if family == "suites":
        return list(suites.names())
    if family == "published":
        return list(published.names())
    parts = _family(family)
    assert parts is not None
    return list(parts.names())


def _rows(family: str) -> list[dict[str, str]]:
    return [{"name": name, **_row(family, name)} for name in names(family)]


def _row(family: str, name: str) -> dict[str, str]:
    from brittle import editions, published, suites

    if family == "editions":
        return {"about": editions.get(name).about}
    if family == "suites":
        suite = suites.get(name)
        return {"edition": suite.edition, "about": suite.about}
    if family == "published":
        found = published.get(name)
        return {"rows": str(len(found.results)), "about": found.about}
    parts = _family(family)
    assert parts is not None
    part = parts.load(name)
    if family == "corruptions":
        kind = "extra" if part.extra else "test"
        return {"group": part.group, "set": kind, "about": _sentence(part.about)}
    if family == "perturbations":
        kind = "extra" if part.extra else "test"
        return {"reference": part.reference, "set": kind, "about": _sentence(part.about)}
    if family == "detectors":
        about = _after(part.title, _sentence(part.about))
        return {"needs": ", ".join(part.needs), "models": ", ".join(part.tasks), "about": about}
    if family in ("metrics", "separation", "calibration"):
        about = _after(part.title, _sentence(part.about))
        return {"title": part.title, "better": part.better, "about": about}
    if family in ("models", "baselines", "exports"):
        return {"about": _after(name, _sentence(part.about))}
    row = {"about": _after(name, _module_sentence(f"{parts.package}.{name}"))}
    return {**row, "looks like": part.layout} if family == "sources" else row


def _after(name: str, sentence: str) -> str:
    """Return a sentence without the name that it begins with, which stands beside it."""
    head, _, rest = sentence.partition(": ")
    return rest if head.lower() == name.lower() else sentence


def _module_sentence(module: str) -> str:
    import sys

    known = sys.modules.get(module)
    return _sentence(known.__doc__ or "") if known else "from an installed package"


def _sentence(text: str) -> str:
    """Return the first sentence of a documentation."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".") + "."

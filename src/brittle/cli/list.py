"""List what there is: corruptions, editions, suites, sources, layouts.

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

FAMILIES = ("corruptions", "editions", "suites", "sources", "layouts")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("family", nargs="?", choices=FAMILIES, help="one family, with summaries")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print names, or the table of one family."""
    if args.family is None:
        named = {family: _names(family) for family in FAMILIES}
        if args.json:
            print(json.dumps(named, indent=2))
        else:
            for family, names in named.items():
                print(f"{family}: {', '.join(names)}")
        return 0
    rows = _rows(args.family)
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    widths = {key: max(len(row[key]) for row in rows) for key in rows[0]}
    for row in rows:
        print("  ".join(value.ljust(widths[key]) for key, value in row.items()).rstrip())
    return 0


def _names(family: str) -> list[str]:
    """Return a family's names, importing none of its parts."""
    from brittle import editions, suites
    from brittle.corruptions import CORRUPTIONS
    from brittle.layouts import LAYOUTS
    from brittle.sources import FAMILY

    if family == "editions":
        return list(editions.EDITIONS)
    if family == "suites":
        return list(suites.names())
    parts: dict[str, Family[Any]] = {
        "corruptions": CORRUPTIONS,
        "layouts": LAYOUTS,
        "sources": FAMILY,
    }
    return list(parts[family].names())


def _rows(family: str) -> list[dict[str, str]]:
    from brittle import editions, suites
    from brittle.corruptions import CORRUPTIONS
    from brittle.layouts import LAYOUTS
    from brittle.sources import FAMILY

    rows = []
    for name in _names(family):
        row = {"name": name}
        if family == "corruptions":
            part = CORRUPTIONS.load(name)
            row["group"] = part.group
            row["set"] = "extra" if part.extra else "test"
            row["about"] = _sentence(part.about)
        elif family == "editions":
            row["about"] = editions.get(name).about
        elif family == "suites":
            suite = suites.get(name)
            row["edition"] = suite.edition
            row["about"] = suite.about
        else:
            parts: Family[Any] = LAYOUTS if family == "layouts" else FAMILY
            part = parts.load(name)
            row["about"] = _module_sentence(f"{parts.package}.{name}")
            if family == "sources":
                row["looks like"] = part.layout
        rows.append(row)
    return rows


def _module_sentence(module: str) -> str:
    import sys

    known = sys.modules.get(module)
    return _sentence(known.__doc__ or "") if known else "from an installed package"


def _sentence(text: str) -> str:
    """Return the first sentence of a documentation."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".") + "."

"""Fill the generated blocks of the pages: `python -m scripts.reference [--check] [--pictures]`.

A block stands between `<!-- made: NAME -->` and `<!-- end -->` (or `<!-- table: NAME -->`), and
NAME is the file of this folder whose `make()` returns it. All else on a page is prose. --pictures
also draws what the pages show.
"""

import argparse
import importlib
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"(<!-- (?:made|table): (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def block(name: str) -> str:
    """Return a block as it must be."""
    return str(importlib.import_module(f"scripts.reference.{name}").make())


def filled(text: str) -> str:
    """Return a page with its blocks as they must be."""
    return BLOCK.sub(lambda found: found[1] + block(found[2]) + found[3], text)


def main() -> int:
    """Write the pages; with --check only say which are not up to date."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("--check", action="store_true", help="write nothing, leave with 1 if stale")
    reader.add_argument("--pictures", action="store_true", help="draw the pictures as well")
    options = reader.parse_args()
    if options.pictures:
        from scripts.reference._pictures import draw

        draw(DOCS / "img")
    stale = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text()
        made = filled(text)
        if made != text:
            stale.append(page)
            if not options.check:
                page.write_text(made)
    for page in stale if options.check else ():
        print(f"{page.relative_to(DOCS.parent)} is not up to date: python -m scripts.reference")
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())

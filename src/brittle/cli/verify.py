"""Check a built set against its manifest: altered, missing, extra and renamed files.

Exit code 0: all is as it was built; 1: there are differences; 2: not a complete set.
"""

import argparse

EXAMPLES = """\
  brittle verify imagenet-c
  brittle verify imagenet-c --workers 8
"""

SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("set", metavar="OUT", help="folder of the set")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--all", action="store_true", help=f"list more than {SHOWN} of a kind")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Verify, and print the differences."""
    from brittle._verify import verify

    found = verify(args.set, workers=args.workers, quiet=args.quiet)
    moved = tuple(f"{old} -> {new}" for old, new in found.renamed)
    for word, paths in (
        ("altered", found.altered),
        ("missing", found.missing),
        ("extra", found.extra),
        ("renamed", moved),
    ):
        shown = paths if args.all else paths[:SHOWN]
        for path in shown:
            print(f"{word} {path}")
        if len(shown) < len(paths):
            print(f"{word} and {len(paths) - len(shown)} more; --all lists them")
    if not found.sealed:
        print("altered manifest: manifest.parquet and manifest.json do not belong together")
    if found.ok:
        print(f"{found.files} files are as they were built")
    return 0 if found.ok else 1

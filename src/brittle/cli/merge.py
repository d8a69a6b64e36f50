"""Join the shares of a run that several machines measured.

The shares must be of one model, the same images, seed and versions; they stay as they are.
"""

import argparse
import sys

EXAMPLES = """\
  brittle merge runs/share1 runs/share2 runs/share3 -o runs/whole
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shares", nargs="+", metavar="RUN", help="folders of the shares")
    parser.add_argument("-o", "--out", required=True, metavar="RUN", help="folder of the whole")


def run(args: argparse.Namespace) -> int:
    """Merge, and say what is still missing."""
    from brittle._merge import merge

    made = merge(args.shares, args.out)
    for name in made.suites:
        if missing := made.missing(name):
            some = ", ".join(f"{key} ({count} images)" for key, count in list(missing.items())[:3])
            more = f" and {len(missing) - 3} more conditions" if len(missing) > 3 else ""
            print(f"{name} still lacks {some}{more}; merge the other shares too", file=sys.stderr)
    print(f"{made.path}: {', '.join(made.suites)} of {made.model}")
    return 0

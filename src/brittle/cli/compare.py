"""Compare two runs on the same images: is the new model worse, where, and how surely?

Exit code 0: every gate holds; 1: a gate fails, that is, NEW is worse than OLD by more than the
gate allows, and surely so; 2: the runs cannot be compared.
"""

import argparse
import sys

from brittle.cli._numbers import add_difficulty, add_format, add_numbers

EXAMPLES = """\
  brittle compare runs/old runs/new
  brittle compare runs/old runs/new --gate mCE:1.0 --gate clean_error:0.5
  brittle compare runs/old runs/new --flips 20 --format md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("old", metavar="OLD", help="folder of the run to compare with")
    parser.add_argument("new", metavar="NEW", help="folder of the run in question")
    parser.add_argument("--suite", metavar="NAME", help="which, if the runs have several")
    parser.add_argument(
        "--score", action="append", metavar="NAME", help="only this score; repeatable"
    )
    parser.add_argument(
        "--gate",
        action="append",
        default=[],
        metavar="SCORE:TOLERANCE",
        help="fail if surely worse by more than this; repeatable",
    )
    parser.add_argument(
        "--flips", type=int, default=0, metavar="N", help="show so many images that flipped"
    )
    add_numbers(parser)
    add_difficulty(parser)
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Compare, print, and judge the gates."""
    from brittle import reports
    from brittle._compare import compare

    found = compare(
        args.old,
        args.new,
        suite=args.suite,
        scores=args.score,
        gates=args.gate,
        baseline=args.baseline,
        replicates=args.replicates,
        level=args.level,
        difficulty=args.difficulty,
    )
    print(reports.render(reports.comparison(found, flips=args.flips), args.format), end="")
    for verdict in found.verdicts:
        if not verdict.passed:
            print(f"brittle compare: gate {verdict.gate} failed: {verdict.why}", file=sys.stderr)
    return 0 if found.passed else 1

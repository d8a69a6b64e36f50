"""Show the published results of a suite in order, with your own runs among them.

Own runs are marked self-measured and have intervals. A rank in brackets belongs to a number that is
not on an equal footing: a sample of the pictures, another baseline, other corruptions; the notes
say which. Without SUITE, the suites that results are known of.
"""

import argparse
import sys

from brittle.cli._numbers import add_format, add_numbers

EXAMPLES = """\
  brittle leaderboard imagenet-c
  brittle leaderboard imagenet-c --run runs/mine --run runs/other --backbone resnet50
  brittle leaderboard imagenet-c --backbone resnet50 --standalone --format latex
  brittle leaderboard imagenet-c --sort relative_mce --columns
  brittle leaderboard cifar10-c --run runs/cifar --format csv -o leaderboard.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("suite", metavar="SUITE", nargs="?", help="such as imagenet-c")
    parser.add_argument(
        "--run",
        dest="runs",
        action="append",
        default=[],
        metavar="RUN",
        help="folder of a run; repeatable",
    )
    parser.add_argument("--backbone", metavar="NAME", help="only this network, such as resnet50")
    parser.add_argument(
        "--standalone", action="store_true", help="only single methods and plain networks"
    )
    parser.add_argument("--sort", metavar="METRIC", help="rank by it (default: the headline)")
    parser.add_argument(
        "--columns", action="store_true", help="show what the totals are summed from"
    )
    add_numbers(parser)
    add_format(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write there instead of printing")


def run(args: argparse.Namespace) -> int:
    """Print or write the leaderboard, or the suites."""
    from pathlib import Path

    from brittle import published
    from brittle._leaderboard import leaderboard
    from brittle.files import write_bytes

    if args.suite is None:
        for name in published.names():
            count = len(published.results(name))
            rows = "row " if count == 1 else "rows"
            print(f"{name:12} {count:3} {rows}  {published.get(name).about}")
        return 0
    text = leaderboard(
        args.suite,
        runs=args.runs,
        backbone=args.backbone,
        standalone=args.standalone,
        sort=args.sort,
        baseline=args.baseline,
        replicates=args.replicates,
        level=args.level,
    ).table(args.format, columns=args.columns)
    if args.out:
        write_bytes(Path(args.out), text.encode())
        print(f"brittle leaderboard: wrote {args.out}", file=sys.stderr)
    else:
        print(text, end="")
    return 0

"""Print the table of a run, or of several beside each other as papers print them.

One run: the error in every corruption and severity. Several: a row each with the clean error, the
suite's foremost score and its columns. csv and json hold full precision and intervals.
"""

import argparse
import sys

from brittle.cli._numbers import add_difficulty, add_format, add_numbers

EXAMPLES = """\
  brittle table runs/resnet50
  brittle table runs/resnet50 runs/augmix runs/vit --format latex -o table.tex
  brittle table runs/a runs/b --suite cifar10-c --score mean_corruption_error --format md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="folders of runs")
    parser.add_argument("--suite", metavar="NAME", help="which, if a run has several")
    parser.add_argument("--score", metavar="NAME", help="the headline (default: the suite's)")
    add_numbers(parser)
    add_difficulty(parser)
    add_format(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="write there instead of printing")


def run(args: argparse.Namespace) -> int:
    """Print or write the table."""
    from pathlib import Path

    from brittle import reports
    from brittle._run import Run
    from brittle.files import write_bytes

    text = reports.table(
        [Run.open(path) for path in args.runs],
        format=args.format,
        suite=args.suite,
        score=args.score,
        baseline=Run.baseline(args.baseline),
        replicates=args.replicates,
        level=args.level,
        difficulty=args.difficulty,
    )
    if args.out:
        write_bytes(Path(args.out), text.encode())
        print(f"brittle table: wrote {args.out}", file=sys.stderr)
    else:
        print(text, end="")
    return 0

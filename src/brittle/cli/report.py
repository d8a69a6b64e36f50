"""Write a report of runs: one HTML file to show around, with charts, pictures and methods.

The first run is what the others are compared with. Runs keep predictions and no pictures: give the
data again with --data to see those that broke.
"""

import argparse
import sys

from brittle.cli._numbers import add_numbers

EXAMPLES = """\
  brittle report runs/resnet50 -o report.html
  brittle report runs/resnet50 --data imagenet/val -o report.html
  brittle report runs/old runs/new --data photos --title "Release 12" -o report.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="folders of runs")
    parser.add_argument("-o", "--out", metavar="FILE", required=True, help="the .html file")
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="DIR",
        help="where the pictures are; may be repeated",
    )
    parser.add_argument("--kind", metavar="KIND", help="kind of source, if it is not plain")
    parser.add_argument("--split", default="test", help="part of a source that has several")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")
    parser.add_argument("--title", metavar="TEXT", help="default: the models' names")
    add_numbers(parser)


def run(args: argparse.Namespace) -> int:
    """Write the report and say where it is."""
    from brittle import assets
    from brittle._report import report

    if args.assets is not None:
        assets.use(args.assets)
    path = report(
        args.runs,
        args.out,
        data=args.data,
        title=args.title,
        baseline=args.baseline,
        replicates=args.replicates,
        level=args.level,
        kind=args.kind,
        split=args.split,
    )
    size = path.stat().st_size
    print(f"brittle report: wrote {path} ({size / 1e6:.1f} MB)", file=sys.stderr)
    return 0

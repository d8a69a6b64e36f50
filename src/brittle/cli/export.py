"""Write a run in the form of another tool: RobustBench, timm, a model card, MLflow.

Forms that are texts are printed, or written to OUT; mlflow needs OUT, a folder or the address of a
tracking server. A form that takes one suite needs --suite where the run has several.
"""

import argparse
import sys

from brittle.cli._numbers import add_numbers

EXAMPLES = """\
  brittle export runs/resnet50 --format robustbench --suite imagenet-c -o ResNet50.json
  brittle export runs/resnet50 --format timm-csv --suite imagenet-a -o results-imagenet-a.csv
  brittle export runs/resnet50 --format model-index
  brittle export runs/resnet50 --format mlflow -o mlruns
  brittle export runs/resnet50 --format mlflow -o http://localhost:5000
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run_path", metavar="RUN", help="folder of a run")
    parser.add_argument(
        "--format",
        required=True,
        metavar="NAME",
        help="mlflow, model-index, robustbench, timm-csv, or one of an installed package",
    )
    parser.add_argument("--suite", metavar="NAME", help="only this suite of the run")
    add_numbers(parser)
    parser.add_argument("-o", "--out", metavar="OUT", help="file; for mlflow a folder or address")


def run(args: argparse.Namespace) -> int:
    """Export, and print or say where."""
    from brittle.exports import export, find

    found = export(
        args.run_path,
        args.format,
        args.out,
        suite=args.suite,
        baseline=args.baseline,
        replicates=args.replicates,
        level=args.level,
    )
    if find(args.format).log is not None:
        print(found)
    elif args.out:
        print(f"brittle export: wrote {args.out}", file=sys.stderr)
    else:
        print(found, end="")
    return 0

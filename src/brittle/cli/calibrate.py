"""Does the model's confidence go with being right? Calibration in every cell of a suite.

Works on every run with labels; the Brier score and --temperature need a run with --keep logits.
Of a grid of corruptions each line is the mean over the severities.
"""

import argparse

from brittle.cli._numbers import add_format

EXAMPLES = """\
  brittle calibrate runs/resnet50
  brittle calibrate runs/resnet50 --suite imagenet-c --measure rms --measure "ece(bins=10)"
  brittle calibrate runs/kept --temperature --plot plots
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run_path", metavar="RUN", help="folder of a run")
    parser.add_argument("--suite", metavar="NAME", help="which, if the run has several")
    parser.add_argument(
        "--measure", action="append", metavar="SPEC",
        help="default: rms, ece, aurra, soft_f1, nll; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--temperature", action="store_true", help="fit one on half of the clean images"
    )
    parser.add_argument(
        "--replicates", type=int, default=1000, metavar="N", help="default: 1000; 0: no intervals"
    )
    parser.add_argument("--level", type=float, default=0.95, metavar="P", help="default: 0.95")
    parser.add_argument(
        "--plot", metavar="DIR", help="draw reliability diagrams and response-rate curves there"
    )
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, and print."""
    from brittle import reports
    from brittle._run import Run

    if args.plot:
        from brittle.plots._figure import need_plots

        need_plots()
    one = Run.open(args.run_path)
    suite = one.suite(args.suite)
    found = one.calibrate(
        args.measure,
        suite=suite.name,
        temperature=args.temperature,
        replicates=args.replicates,
        level=args.level,
    )
    print(reports.render(reports.calibration(one.model, suite, found), args.format), end="")
    if args.plot:
        from brittle._unknown_plots import draw_calibration

        draw_calibration(one, suite.name, args.plot)
    return 0

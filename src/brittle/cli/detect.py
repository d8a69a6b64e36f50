"""Does the model know when it does not know? Detectors on the stored outputs of a run.

The run must hold known and unknown pictures (suites ood, multilabel-ood, imagenet-o) with their
logits, which those suites keep. Detectors that are fitted learn from the set named fit, or from
half of the known pictures. Nothing is run again.
"""

import argparse

from brittle.cli._numbers import add_format

EXAMPLES = """\
  brittle detect runs/ood
  brittle detect runs/ood --detector msp --detector "knn(neighbours=20)" --against msp
  brittle detect runs/ood --measure "fpr(recall=0.8)" --format csv
  brittle detect runs/ood --detector max_logit --plot plots
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run_path", metavar="RUN", help="folder of a run")
    parser.add_argument("--suite", metavar="NAME", help="which, if the run has several")
    parser.add_argument(
        "--detector", action="append", metavar="SPEC", help="only this one; repeatable"
    )
    parser.add_argument(
        "--measure", action="append", metavar="SPEC", help="default: auroc, aupr, fpr; repeatable"
    )
    parser.add_argument("--against", metavar="SPEC", help="compare with this detector, paired")
    parser.add_argument(
        "--replicates", type=int, default=1000, metavar="N", help="default: 1000; 0: no intervals"
    )
    parser.add_argument("--level", type=float, default=0.95, metavar="P", help="default: 0.95")
    parser.add_argument(
        "--plot", metavar="DIR", help="draw ROC and precision-recall curves and histograms there"
    )
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Score the detectors, and print."""
    from brittle import reports
    from brittle._run import Run

    if args.plot:
        from brittle.plots._figure import need_plots

        need_plots()
    one = Run.open(args.run_path)
    suite = one.suite(args.suite)
    found = one.detect(
        args.detector,
        suite=suite.name,
        measures=args.measure or ("auroc", "aupr", "fpr"),
        against=args.against,
        replicates=args.replicates,
        level=args.level,
    )
    print(reports.render(reports.detection(one.model, suite, found), args.format), end="")
    if args.plot:
        from brittle._unknown_plots import draw_detection

        draw_detection(one.model, found, args.plot)
    return 0

"""Score a run: every score of its suites with an interval, or one with its columns.

Scores that cannot be given are listed with the reason. Intervals are bootstrap intervals over the
images. --by shows errors by class, category of corruption, severity, or your own groups of classes.
"""

import argparse

from brittle.cli._numbers import add_difficulty, add_format, add_numbers

EXAMPLES = """\
  brittle score runs/resnet50
  brittle score runs/resnet50 --score mCE --score "relative mCE" --format json
  brittle score runs/cifar --suite cifar10-c --score mCE --baseline unit
  brittle score runs/resnet50 --by class --format csv
  brittle score runs/resnet50 --by group --groups groups.tsv
  brittle score runs/resnet50 --suite imagenet-p --difficulty 2
  brittle score runs/resnet50 --suite imagenet-p --by sequence --most 10
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("run_path", metavar="RUN", help="folder of a run")
    parser.add_argument("--suite", metavar="NAME", help="only this suite of the run")
    parser.add_argument(
        "--score", action="append", metavar="NAME", help="a score with its columns; repeatable"
    )
    add_numbers(parser)
    add_difficulty(parser)
    parser.add_argument(
        "--by",
        choices=("class", "category", "severity", "group", "sequence", "frame"),
        help="errors by part; of frames, the sequences that flip most, or flips by frame",
    )
    parser.add_argument(
        "--groups", metavar="FILE", help="for --by group: lines of class, tab, group"
    )
    parser.add_argument(
        "--most", type=int, default=20, metavar="N",
        help="for --by sequence: so many (default: 20; 0: all)",
    )  # fmt: skip
    add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Score, and print."""
    from pathlib import Path

    from brittle import reports
    from brittle._run import Run
    from brittle.cli._unfinished import how_far
    from brittle.errors import ScoreError
    from brittle.scoring.breakdown import break_down, read_groups
    from brittle.scoring.scores import score_suite
    from brittle.scoring.unknowns import of_outputs

    one = Run.open(args.run_path)
    numbers = {"replicates": args.replicates, "level": args.level}
    if args.most < 0:
        raise ScoreError(f"--most must be 0 or more; got {args.most}.")
    if args.groups and args.by != "group":
        raise ScoreError("--groups goes with --by group.")
    if args.by == "group" and not args.groups:
        raise ScoreError("--by group needs --groups FILE, with lines of class, tab, group.")
    sheets = []
    if args.by:
        groups = read_groups(Path(args.groups)) if args.groups else None
        suite = one.suite(args.suite)
        outcomes = one.outcomes(suite.name)
        if args.by == "sequence":
            how = {"most": args.most, "difficulty": args.difficulty}
            sheets.append(reports.flipping(one, suite, outcomes, **how))
        elif args.by == "frame":
            how = {**numbers, "difficulty": args.difficulty}
            sheets.append(reports.frames(one, suite, outcomes, **how))
        else:
            found = break_down(suite, outcomes, by=args.by, groups=groups, **numbers)
            sheets.append(reports.parts(one.model, suite, found))
    elif args.score:
        suite = one.suite(args.suite)
        if of_outputs(suite):
            scores = one.scores(args.score, suite=suite.name, baseline=args.baseline, **numbers)
            print(
                reports.render([reports.detail(one.model, suite, s) for s in scores], args.format),
                end="",
            )
            return 0
        outcomes, baseline = one.outcomes(suite.name), Run.baseline(args.baseline)
        scores = score_suite(
            suite, outcomes, args.score, baseline=baseline, info=one.info,
            difficulty=args.difficulty, **numbers,
        )  # fmt: skip
        sheets += [reports.detail(one.model, suite, score) for score in scores]
    else:
        sheet = reports.summary(
            one,
            args.suite,
            baseline=Run.baseline(args.baseline),
            difficulty=args.difficulty,
            **numbers,
        )
        if not sheet.rows and (far := how_far(one, (one.suite(args.suite).name,))):
            raise ScoreError(
                f"No score can be given yet: {far}. The same brittle evaluate goes on where it "
                f"stopped, and brittle merge joins shares."
            )
        if not sheet.rows:
            raise ScoreError(f"No score of {args.run_path} can be given: {'; '.join(sheet.notes)}")
        sheets.append(sheet)
    print(reports.render(sheets, args.format), end="")
    return 0

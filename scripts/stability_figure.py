"""Draw how often two runs flip: by perturbation, those that flip most first, and by frame.

python scripts/stability_figure.py RUN [RUN ...] -o docs/img/stability.png
"""

import argparse
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from brittle import Run
from brittle.scoring.moving import by_frame

COLOURS = ("#0072b2", "#d55e00", "#009e73")
SHOWN = ("translate", "rotate", "brightness", "motion_blur")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--suite")
    args = parser.parse_args()
    runs = [Run.open(path) for path in args.runs]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    first = runs[0].score("mean_flip_probability", suite=args.suite)
    order = sorted(first.columns, key=lambda name: first.columns[name].value)
    for place, run in enumerate(runs):
        score = run.score("mean_flip_probability", suite=args.suite)
        at = [row + 0.16 * (place - (len(runs) - 1) / 2) for row in range(len(order))]
        found = [score.columns[name] for name in order]
        values = [one.value for one in found]
        reach = [
            [one.value - one.low for one in found],
            [one.high - one.value for one in found],
        ]
        left.errorbar(
            values, at, xerr=reach, fmt="o", ms=4, lw=1.2, color=COLOURS[place], label=run.model
        )
    left.set_yticks(range(len(order)), [name.replace("_", " ") for name in order])
    left.set_xlabel("flip probability in %, 95 % interval")
    left.set_xlim(left=0)
    left.grid(axis="x", alpha=0.3)
    left.legend(loc="lower right", frameon=False)
    suite = runs[0].suite(args.suite)
    steps = by_frame(suite, runs[0].outcomes(suite), replicates=0)
    for name, dash in zip(SHOWN, ("-", "--", "-.", ":"), strict=True):
        points = [(step.frame, step.flips[name].value) for step in steps if name in step.flips]
        right.plot(*zip(*points, strict=True), dash, lw=1.4, label=name.replace("_", " "))
    right.set_xlabel(f"frame, {runs[0].model}")
    right.set_ylabel("sequences that flip here in %")
    right.set_ylim(bottom=0)
    right.grid(alpha=0.3)
    right.legend(frameon=False, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=8)
    figure.savefig(args.out, dpi=110)


if __name__ == "__main__":
    main()

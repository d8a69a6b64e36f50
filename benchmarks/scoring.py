"""How long it takes to score 3.8 million stored predictions with intervals.

A full run of ImageNet-C has 50,000 images x 76 conditions. Ranks are made here with a generator, so
this is the part in memory; reading the store comes on top.

    python benchmarks/scoring.py [--images 50000] [--replicates 1000] [--rounds 3]
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from brittle.metrics._grid import TEST
from brittle.outcomes import Cell, Outcome, Suite
from brittle.scoring.breakdown import break_down
from brittle.scoring.comparing import compare_runs as compare
from brittle.scoring.scores import score_suite

CLASSES = 1000
NAMES = ("mce", "relative_mce", "maude", "mean_corruption_error", "clean_error")


class Made:
    """Stands in for a stored run."""

    model = "made up"
    suites = ("imagenet-c",)

    def __init__(self, images: int, seed: int) -> None:
        self.info = {"seed": 0}
        rng = np.random.default_rng(seed)
        cells = [Cell("val", "clean", "clean", "clean")]
        cells += [
            Cell("val", f"{name}(severity={severity})", "grid", name, severity)
            for name in TEST
            for severity in range(1, 6)
        ]
        right = np.array([0.8 - 0.1 * (cell.severity or 0) for cell in cells])
        ranks = rng.geometric(right, (images, len(cells))).astype(np.int16) - 1
        labels = tuple(f"n{number % CLASSES:08d}" for number in range(images))
        keys = tuple(f"{label}/ILSVRC2012_val_{n:08d}" for n, label in enumerate(labels))
        names = tuple(cell.condition for cell in cells)
        self.made = {"val": Outcome(keys, labels, ("",) * images, names, ranks)}
        self.own = Suite(
            name="imagenet-c",
            about="made up",
            edition="imagenet-224",
            cells=tuple(cells),
            scores=NAMES,
            baseline="alexnet",
            facts={"pixels": "generated"},
        )

    def suite(self, name: str | None = None) -> Suite:  # noqa: ARG002
        return self.own

    def outcomes(self, suite: str) -> dict[str, Outcome]:  # noqa: ARG002
        return self.made


def best(work: Callable[[], Any], rounds: int) -> float:
    """Return the seconds of the fastest round."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=50_000)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    old, new = Made(args.images, 0), Made(args.images, 1)
    count = args.images * len(old.own.cells)
    print(f"{count:,} predictions, {args.replicates:,} replicates, best of {args.rounds}")
    options = {"replicates": args.replicates}
    for name, work in {
        "five scores with columns": lambda: score_suite(old.own, old.made, **options),
        "five scores, no intervals": lambda: score_suite(old.own, old.made, replicates=0),
        "a run as baseline": lambda: score_suite(
            old.own, old.made, ["mce", "relative_mce"], baseline=new, **options
        ),
        "by class (1,000)": lambda: break_down(old.own, old.made, by="class", **options),
        "comparison of two runs": lambda: compare(old, new, **options),
    }.items():
        print(f"{name:26} {best(work, args.rounds):6.2f} s")


if __name__ == "__main__":
    main()

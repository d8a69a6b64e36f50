"""How long it takes to score 3.8 million stored predictions with intervals.

A full run of ImageNet-C has 50,000 images x 76 conditions. Ranks are made with a generator; first
they are scored in memory, then they are written as a run, as `brittle evaluate` writes it, and
scored from there: `brittle score` without its start; and a report is made of it.

    python benchmarks/scoring.py [--images 50000] [--replicates 1000] [--rounds 3]
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from brittle import store
from brittle._evaluate import SHARD
from brittle._report import report
from brittle._run import Run
from brittle.measuring.predict import shards
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


def written(made: Made, path: Path) -> Path:
    """Write the ranks as a run, with all the columns that an evaluation keeps."""
    (name,) = made.made
    outcome, rng = made.made[name], np.random.default_rng(0)
    conditions = outcome.conditions
    group = store.group_name(conditions)
    entry: dict[str, Any] = {
        **dict.fromkeys(store.SET_FIELDS),
        "edition": "imagenet-224",
        "images": len(outcome.keys),
        "pixels": "generated",
        "fingerprint": "0" * 64,
        "facts": {"jpeg": 85},
        "contents": {},
        "frames": {},
        "groups": {group: list(conditions)},
    }
    record: dict[str, Any] = {
        "model": {},
        "name": made.model,
        "seed": 0,
        "generation": "",
        "shard": SHARD,
        "versions": {},
        "sessions": [],
        "classes": sorted(set(map(str, outcome.labels))),
        "keep": [],
        "sets": {name: entry},
        "suites": {
            made.own.name: {
                "about": made.own.about,
                "edition": made.own.edition,
                "cells": [list(cell) for cell in made.own.cells],
                "scores": list(NAMES),
                "baseline": "alexnet",
                "citation": "",
                "facts": {"pixels": "generated", "classes": CLASSES},
            }
        },
    }
    with store.Store(path) as there:
        there.record.update(record)
        there.save()
        images = {"key": outcome.keys, "label": outcome.labels, "digest": outcome.digests}
        there.add_images(name, images)
        for number, rows in shards(len(outcome.keys), SHARD):
            count = len(rows) * len(conditions)
            table = {
                "key": repeated([outcome.keys[i] for i in rows], len(conditions)),
                "label": repeated([outcome.labels[i] for i in rows], len(conditions)),
                "condition": pa.array(list(conditions) * len(rows)).dictionary_encode(),
                "frame": pa.array(np.zeros(count, np.int16)),
                "rank": pa.array(
                    outcome.ranks[rows.start : rows.stop].reshape(-1).astype(np.int32)
                ),
            }
            for column, kind in (("top_classes", np.int32), ("top_probabilities", np.float32)):
                values = (rng.random(5 * count) * CLASSES).astype(kind)
                table[column] = pa.FixedSizeListArray.from_arrays(pa.array(values), 5)
            for column in ("max_logit", "log_sum_exp", "label_logit"):
                table[column] = pa.array(rng.random(count, np.float32))
            there.put(name, number, conditions, pa.table(table))
    return path


def repeated(texts: Sequence[str | None], times: int) -> Any:
    return pa.array([text for text in texts for _ in range(times)]).dictionary_encode()


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
        print(f"{name:32} {best(work, args.rounds):6.2f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        place = written(old, Path(folder) / "run")
        size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        print(f"{'a run on disk':32} {size / 2**20:6.0f} MiB")
        for name, work in {
            "reading ranks from disk": lambda: Run.open(place).outcomes(),
            "five scores with columns, disk": lambda: Run.open(place).scores(NAMES, **options),
        }.items():
            print(f"{name:32} {best(work, args.rounds):6.2f} s", flush=True)
        begun = time.perf_counter()
        size = report(place, Path(folder) / "report.html").stat().st_size
        print(f"{'a report of it (once)':32} {time.perf_counter() - begun:6.2f} s, {size:,} bytes")
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{'peak memory, all of the above':32} {most:6.0f} MiB")
        scored = Run.open(place).scores(NAMES, replicates=0)
        assert [s.value for s in scored] == [
            s.value for s in score_suite(old.own, old.made, replicates=0)
        ]


if __name__ == "__main__":
    main()

"""How long it takes to score stored sequences: flips, top-5 and Zipf distances with intervals.

ImageNet-P has 50,000 sequences of 31 frames a perturbation. Foremost classes are made with a
generator and written as a run, as `brittle evaluate` writes it, and scored from there. Beside it
the plain NumPy loop over comparisons, for as many sequences as take a second.

    python -m benchmarks.stability [--sequences 50000] [--perturbations 1] [--rounds 3]
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.scoring import best, repeated
from brittle import store
from brittle._evaluate import shard_of
from brittle._run import Run
from brittle.measuring.predict import shards
from brittle.metrics._sequences import TEST
from brittle.outcomes import Cell
from brittle.stability import top5_distance, zipf_distance

CLASSES, FRAMES, KEPT = 1000, 31, 5
SET = "imagenet-224-frames-0123456789"


def foremost(count: int, seed: int) -> np.ndarray:
    """Return count x frames x 5 classes that change places now and then."""
    rng = np.random.default_rng(seed)
    top = np.argsort(rng.random((count, 1, 40)), axis=2)[:, :, :KEPT].repeat(FRAMES, axis=1)
    new = rng.random((count, FRAMES)) < 0.2
    top[:, :, 4][new] = rng.integers(40, CLASSES, new.sum())
    swapped = rng.random((count, FRAMES)) < 0.2
    top[swapped] = top[swapped][:, [1, 0, 2, 3, 4]]
    return top.astype(np.int32)


def written(path: Path, sequences: int, names: tuple[str, ...]) -> Path:
    """Write a run of these perturbations with all the columns that an evaluation keeps."""
    group, size = store.group_name(names), shard_of(sequences, moving=True)
    keys = [f"n{number % CLASSES:08d}/ILSVRC2012_val_{number:08d}" for number in range(sequences)]
    entry = {**dict.fromkeys(store.SET_FIELDS), "groups": {group: list(names)}}
    entry["frames"] = dict.fromkeys(names, "previous")
    cells = [list(Cell(SET, name, "sequence", name)) for name in names]
    record: dict[str, Any] = {
        "model": {}, "name": "made up", "seed": 0, "generation": "", "shard": size,
        "versions": {}, "sessions": [], "classes": list(map(str, range(CLASSES))), "keep": [],
        "sets": {SET: entry},
        "suites": {"imagenet-p": {
            "about": "made up", "edition": "imagenet-224", "cells": cells, "baseline": None,
            "scores": ["mean_flip_probability", "mean_top5_distance"], "citation": "",
            "facts": {"pixels": "generated", "classes": CLASSES},
        }},
    }  # fmt: skip
    rng = np.random.default_rng(0)
    with store.Store(path) as there:
        there.record.update(record)
        there.save()
        images = {"key": keys, "label": [None] * sequences, "digest": [""] * sequences}
        there.add_images(SET, images)
        for number, rows in shards(sequences, size):
            each = len(names) * FRAMES
            count = len(rows) * each
            top = foremost(len(rows) * len(names), number).reshape(-1)
            table = {
                "key": repeated([keys[i] for i in rows], each),
                "label": pa.nulls(count, pa.string()),
                "condition": pa.array(
                    [name for _ in rows for name in names for _ in range(FRAMES)]
                ).dictionary_encode(),
                "frame": pa.array(np.tile(np.arange(FRAMES), count // FRAMES).astype(np.int16)),
                "rank": pa.array(np.full(count, -1, np.int32)),
                "top_classes": pa.FixedSizeListArray.from_arrays(pa.array(top), KEPT),
                "top_probabilities": pa.FixedSizeListArray.from_arrays(
                    pa.array(rng.random(KEPT * count, np.float32)), KEPT
                ),
            }  # fmt: skip
            for column in ("max_logit", "log_sum_exp", "label_logit"):
                table[column] = pa.array(rng.random(count, np.float32))
            there.put(SET, number, names, pa.table(table))
    return path


def looped(top: np.ndarray) -> float:
    """Return the mean top-5 distance with a loop over comparisons, as scripts do it."""
    cut = np.minimum(np.arange(CLASSES), 5)
    found = []
    for sequence in top:
        ranks = []
        for frame in sequence:
            rank = np.full(CLASSES, KEPT)
            rank[frame] = np.arange(KEPT)
            ranks.append(rank)
        for before, after, first in zip(ranks, ranks[1:], sequence, strict=False):
            assert before[first[0]] == 0
            found.append(np.abs(np.arange(KEPT) - cut[after[first]]).sum())
    return float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=50_000)
    parser.add_argument("--perturbations", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    names = TEST[: args.perturbations]
    top = foremost(args.sequences, 0)
    top5_distance(top[:2], "previous")
    print(f"{args.sequences:,} sequences x {FRAMES} frames, best of {args.rounds}")
    seconds = best(lambda: top5_distance(top, "previous"), args.rounds)
    print(f"{'top-5 distances, in memory':40} {seconds:8.2f} s")
    some = top[:1000]
    start = time.perf_counter()
    value = looped(some)
    loop = (time.perf_counter() - start) * len(top) / len(some)
    assert abs(value - top5_distance(some, "previous").mean()) < 1e-12
    print(f"{'a loop over comparisons (from 1,000)':40} {loop:8.2f} s, {loop / seconds:.0f}x")
    ranking = np.argsort(np.random.default_rng(0).random((50, FRAMES, CLASSES)), axis=2)
    zipf_distance(ranking[:1], "previous")
    each = best(lambda: zipf_distance(ranking, "previous"), args.rounds) / len(ranking)
    print(f"{'Zipf distances of 1,000 classes':40} {each * len(top):8.2f} s (from 50 sequences)")
    with tempfile.TemporaryDirectory() as folder:
        place = written(Path(folder) / "run", args.sequences, names)
        size = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        print(f"{f'a run of {len(names)} on disk':40} {size / 2**20:8.0f} MiB")
        wanted = ["mean_flip_probability", "mean_top5_distance"]
        for name, scores, replicates in (
            ("top-5 distance, from disk", wanted[1:], 0),
            ("both scores, 1,000 replicates, from disk", wanted, 1000),
        ):
            seconds = best(
                lambda s=scores, r=replicates: Run.open(place).scores(s, replicates=r),
                args.rounds,
            )
            print(f"{name:40} {seconds:8.2f} s", flush=True)


if __name__ == "__main__":
    main()

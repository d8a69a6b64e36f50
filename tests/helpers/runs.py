"""Small runs for tests: a picture source, a deterministic model, and what a run holds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from brittle._evaluate import evaluate
from brittle._run import Run

CLASSES = ("n00", "n01", "n02")
MODEL = "linear:random(classes=3, size=64)"
SUITE = """\
about = "Two corruptions at two severities."
edition = "imagenet-64"
corruptions = ["gaussian_noise", "contrast"]
severities = [2, 5]
scores = ["mean_corruption_error", "clean_error"]
"""


def pictures(root: Path, count: int = 11, *, side: int = 80, labelled: bool = True) -> Path:
    """Write PNG files of three classes."""
    for number in range(count):
        place = root / CLASSES[number % 3] if labelled else root
        place.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(number)
        small = rng.integers(0, 256, (5, 6, 3), dtype=np.uint8)
        cv2.imwrite(str(place / f"image_{number:03d}.png"), cv2.resize(small, (side + 16, side)))
    return root


def suite(root: Path, name: str = "small", text: str = SUITE) -> str:
    """Write a suite's file and return its path."""
    root.mkdir(parents=True, exist_ok=True)
    path = root / f"{name}.toml"
    path.write_text(text)
    return str(path)


def measured(source: Any, out: Path | None, chosen: Any, **options: Any) -> Run:
    """Evaluate with what tests usually want."""
    usual: dict[str, Any] = {
        "model": MODEL,
        "suite": chosen,
        "classes": CLASSES,
        "batch": 4,
        "shard": 4,
        "workers": 2,
    }
    given = {**usual, **options}
    return evaluate(given.pop("model"), data=source, out=out, **given)


def ranks(run: Run, suite: str | None = None) -> dict[tuple[str, str], int]:
    """Return (key, condition) -> rank."""
    table = run.predictions(suite, ["key", "condition", "rank"]).to_pydict()
    rows = zip(table["key"], table["condition"], table["rank"], strict=True)
    return {(key, condition): rank for key, condition, rank in rows}


def parts(run: Run | Path) -> Mapping[str, bytes]:
    """Return the bytes of every part and list of images by its path."""
    root = run.path if isinstance(run, Run) else run
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("parts", "sets")
        for path in sorted((root / folder).rglob("*.parquet"))
    }

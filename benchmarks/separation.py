"""How long AUROC, AUPR and FPR95 of given scores take, beside scikit-learn in the same run.

scikit-learn needs three calls (roc_auc_score, average_precision_score, roc_curve), which sort the
scores three times; it is timed on one thread, in turns with brittle. `two threads` is the
throughput of two threads, each with a set of scores of its own, over that of one.

    python benchmarks/separation.py
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from brittle.calibration import Answers
from brittle.scoring.calibrating import calibrate
from brittle.scoring.separating import separate
from brittle.separation import Groups, measure

NAMES = ("auroc", "aupr", "fpr")
PIXELS = 1280 * 720


def ours(strange: Any, usual: Any) -> list[float]:
    curve = Groups(strange, usual).curve
    return [float(measure(curve, name)[0]) for name in NAMES]


def theirs(strange: Any, usual: Any) -> list[float]:
    truth = np.concatenate([np.ones(len(strange), bool), np.zeros(len(usual), bool)])
    scores = np.concatenate([strange, usual])
    fpr, tpr, _ = roc_curve(truth, scores, drop_intermediate=False)
    at = np.argmin(np.abs(tpr - 0.95))
    return [roc_auc_score(truth, scores), average_precision_score(truth, scores), fpr[at]]


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def sets() -> dict[str, tuple[Any, Any]]:
    """Scores by what they are: the strange ones, the usual ones."""
    rng = np.random.default_rng(0)

    def drawn(strange: int, usual: int, kind: type) -> tuple[Any, Any]:
        return rng.normal(1, 1, strange).astype(kind), rng.normal(0, 1, usual).astype(kind)

    ties = drawn(20_000, PIXELS - 20_000, np.float32)
    return {
        "10,000 + 50,000 images": drawn(10_000, 50_000, np.float64),
        "a picture of 1280x720": drawn(20_000, PIXELS - 20_000, np.float32),
        "the same with ties (3 digits)": tuple(part.round(3) for part in ties),  # type: ignore[dict-item]
        "the same, half of it strange": drawn(PIXELS // 2, PIXELS // 2, np.float32),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    ours(np.arange(3.0), np.arange(3.0))  # compiles
    print(f"{'scores':32} {'brittle':>10} {'sklearn':>10} {'ratio':>7} {'2 threads':>10}")
    for name, pair in sets().items():
        assert np.allclose(ours(*pair)[:2], theirs(*pair)[:2], rtol=1e-9), name
        mine, other, both = [], [], []
        with ThreadPoolExecutor(2) as pool:
            for _ in range(args.rounds):
                mine.append(seconds(lambda: ours(*pair)))  # noqa: B023
                other.append(seconds(lambda: theirs(*pair)))  # noqa: B023
                both.append(seconds(lambda: list(pool.map(lambda _: ours(*pair), range(8)))))  # noqa: B023
        best = min(mine)
        print(
            f"{name:32} {1e3 * best:7.2f} ms {1e3 * min(other):7.1f} ms {min(other) / best:6.0f}x "
            f"{8 * best / min(both):9.2f}x",
            flush=True,
        )
    pair = sets()["10,000 + 50,000 images"]
    rng = np.random.default_rng(0)
    confidence = rng.random(50_000)
    answers = Answers(confidence, rng.random(50_000) < confidence)
    for name, work in {
        "the three with 1,000 replicates, 60,000 images": lambda: separate(*pair, NAMES),
        "RMS, AURRA, soft F1 with 1,000, 50,000 images": lambda: calibrate(answers),
    }.items():
        print(f"{name:50} {min(seconds(work) for _ in range(3)):6.2f} s", flush=True)


if __name__ == "__main__":
    main()

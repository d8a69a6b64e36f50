"""A run beside the errors that the same model made on the authors' own sets of the same pictures.

    brittle evaluate MODEL --suite imagenet-c-all --data images/imagenet-sample -o RUN
    python -m benchmarks.against_reference RUN

Takes `fidelity.json` of the reference data (see tests/helpers/shared.py). Draws differ, so errors
under random corruptions differ by chance; those that draw nothing must agree in every prediction,
which is counted where the authors' predictions are given. Leaves with 1 where a corruption differs
by more than 4 points, or the mean of the fifteen by more than 1.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from brittle import Run
from tests.helpers.shared import shared

EACH_POINTS, MEAN_POINTS = 4.0, 1.0
SEVERITIES = range(1, 6)


def errors(run: Run) -> dict[str, float]:
    """Return condition -> top-1 error."""
    found: dict[str, float] = {}
    for outcome in run.outcomes().values():
        wrong = (outcome.ranks > 0).mean(axis=0)
        found |= dict(zip(outcome.conditions, wrong.tolist(), strict=True))
    return found


def agreement(run: Run, reference: Mapping[str, Any], name: str) -> str:
    """Return in how many pictures and severities the foremost class is the authors'."""
    if "predictions" not in reference:
        return ""
    table = run.predictions(columns=["label", "condition", "top_classes"])
    rows = {
        (label, condition): top[0]
        for label, condition, top in zip(
            *(table[column].to_pylist() for column in ("label", "condition", "top_classes")),
            strict=True,
        )
    }
    # One picture a class, the classes in the order of their index.
    labels = sorted({label for label, _ in rows})
    if len(labels) != len(reference["predictions"]["clean"]):
        return ""
    same = total = 0
    for severity in SEVERITIES if name != "clean" else (None,):
        mine = name if severity is None else f"{name}(severity={severity})"
        theirs = reference["predictions"][name if severity is None else f"{name}_{severity}"]
        agree = [rows[label, mine] == other for label, other in zip(labels, theirs, strict=True)]
        same, total = same + sum(agree), total + len(agree)
    return f"{same} of {total}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="folder of the run")
    run = Run.open(parser.parse_args().run)
    reference = json.loads(shared("reference", "fidelity.json").read_text())[run.suite().edition]
    mine, rows = errors(run), []
    for name, theirs in reference["error"].items():
        names = [f"{name}(severity={severity})" for severity in SEVERITIES]
        if all(condition in mine for condition in names):
            rows.append((name, 100 * np.mean([mine[n] for n in names]), 100 * np.mean(theirs)))
    print(
        "| corruption | brittle | authors | difference | same prediction |\n|---|--:|--:|--:|--:|"
    )
    clean = 100 * mine["clean"], 100 * float(reference["clean_error"])
    for name, ours, theirs in [("clean", *clean), *rows]:
        same = agreement(run, reference, name)
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {ours - theirs:+.2f} | {same} |")
    fifteen = [row for row in rows if row[0] not in EXTRA]
    ours, theirs = (float(np.mean([row[i] for row in fifteen])) for i in (1, 2))
    print(f"| **mean of the fifteen** | {ours:.2f} | {theirs:.2f} | {ours - theirs:+.2f} | |")
    over = [row[0] for row in rows if abs(row[1] - row[2]) > EACH_POINTS]
    return int(bool(over) or abs(ours - theirs) > MEAN_POINTS)


EXTRA = ("speckle_noise", "gaussian_blur", "spatter", "saturate")

if __name__ == "__main__":
    sys.exit(main())

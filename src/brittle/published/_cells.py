"""From the published cells of a model to its scores, by the metrics themselves."""

from collections.abc import Mapping

import numpy as np

from brittle.metrics import METRICS, Errors, Normaliser
from brittle.outcomes import Cell

SCORES = ("mean_corruption_error", "mce", "relative_mce")


def errors(wrong: Mapping[str, tuple[int, ...]], images: int) -> dict[str, list[float]]:
    """Return corruption -> errors in percent, mildest first."""
    return {name: [100 * count / images for count in row] for name, row in wrong.items()}


def scores(
    rows: Mapping[str, list[float]],
    clean: float | None,
    baseline: Mapping[str, list[float]] | None,
    baseline_clean: float | None,
) -> dict[str, tuple[float, dict[str, float]]]:
    """Return metric -> its total and columns, for each that the cells are enough for."""
    rates = {
        Cell("published", f"{name}(severity={severity})", "grid", name, severity): np.array([error])
        for name, row in rows.items()
        for severity, error in enumerate(row, 1)
    }
    if clean is not None:
        rates[Cell("published", "clean", "clean", "clean")] = np.array([clean])
    divisor = None
    if baseline is not None:
        means = {name: np.array([np.mean(row)]) for name, row in baseline.items()}
        divisor = Normaliser(
            means, np.array([np.nan if baseline_clean is None else baseline_clean])
        )
    given = Errors(rates=rates, baseline=divisor)
    found = {}
    for name in SCORES:
        metric = METRICS.load(name)
        if metric.baseline and divisor is None:
            continue
        if any("clean" in roles for roles in metric.roles) and None in (clean, baseline_clean):
            continue
        total, columns = metric.of(given)
        found[name] = float(total[0]), {group: float(one[0]) for group, one in columns.items()}
    return found

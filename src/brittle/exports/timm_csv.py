"""timm_csv: a row as in the `results/*.csv` of timm (PyTorch Image Models).

One set of photographs makes one row with the columns of timm's validation: accuracies with three
decimals, millions of parameters, crop as a share. Its further columns (`top1_diff`, `rank_diff`)
are made by timm's own script, from this file and the one of the clean pictures.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from brittle.errors import ScoreError
from brittle.exports.base import Export, Scored, only

COLUMNS = (
    "model", "top1", "top1_err", "top5", "top5_err", "param_count", "img_size", "crop_pct",
    "interpolation",
)  # fmt: skip


def render(scored: Sequence[Scored]) -> str:
    """Write header and row."""
    one = only(scored, "A row of timm")
    if one.suite.graded:
        raise ScoreError(
            f"timm's results have no columns for corruptions, and {one.suite.name} is a grid of "
            f"them. Export a suite of photographs or clean, or this one as robustbench or "
            f"model-index."
        )
    if sum(cell.role == "shift" for cell in one.suite.cells) > 1:
        raise ScoreError(f"A row of timm is of one set, and {one.suite.name} has several.")
    top1, top5 = one.score("top1_error", "top5_error")
    row = {
        "model": _name(one),
        "top1": f"{100 - top1.value:.3f}",
        "top1_err": f"{top1.value:.3f}",
        "top5": f"{100 - top5.value:.3f}",
        "top5_err": f"{top5.value:.3f}",
        **_prepared(one.facts),
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerow(row)
    return out.getvalue()


def _name(one: Scored) -> str:
    """Return the name without the kind, as timm knows it."""
    model = one.run.model
    return model.removeprefix("timm:").partition("(")[0] if model.startswith("timm:") else model


def _prepared(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return what the run says of the model; what it does not say stays empty."""
    count, size, resize = (facts.get(name) for name in ("parameters", "size", "resize"))
    share = size[0] / resize[0] if size and resize else None
    return {
        "param_count": "" if count is None else f"{count / 1e6:,.2f}",
        "img_size": "" if size is None else f"{size[0]}",
        "crop_pct": "" if share is None else f"{share:.3f}",
        "interpolation": str(facts.get("interpolation", "")),
    }


PART = Export(about="a row as in timm's results/*.csv (photographs)", render=render)

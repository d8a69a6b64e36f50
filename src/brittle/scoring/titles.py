"""How a score is called: plainly where it is the published number, and what is off where not."""

from collections.abc import Mapping, Sequence

from brittle import labels
from brittle.conditions import CLEAN
from brittle.metrics.base import Metric
from brittle.outcomes import COLUMNED, FOOTAGE, MOVEMENTS, Cell, Suite
from brittle.rows import SEVERITIES
from brittle.scoring.normalise import Divisor
from brittle.scoring.rates import Sampler
from brittle.spec import parse

SHOWN = 3


PREPARED: Mapping[str, tuple[str, str]] = {
    "lossless": (
        "without JPEG",
        "the corrupted pictures made no round trip through a JPEG, as the published ones did",
    ),
    "resized": ("resized", "the prepared pictures were resized to the model's input"),
    "codec_skipped": (
        "no codec",
        "the frames did not go through a video codec, as the published ones did (with --codec they "
        "do, and so do sets built as films)",
    ),
    "exif": ("EXIF", "the pictures were turned upright by EXIF, which published ones are not"),
}
"""Fact of a suite -> what the title of each of its scores says, and the note."""


def title(sampler: Sampler, metric: Metric, cells: Sequence[Cell], divisor: Divisor | None) -> str:
    """Return the metric's title with what is off the number that it usually stands for."""
    suite = sampler.suite
    rows = [cell for cell in cells if cell.role in ("grid", "extra")]
    groups = _groups(cells)
    said = []
    if other_corruptions(metric, groups):
        said.append(f"{len(groups)} {noun(metric)}{'s' * (len(groups) > 1)}")
    if sampler.difficulty > 1:
        said.append(f"difficulty {sampler.difficulty}")
    if rows and (found := sorted({cell.severity or 0 for cell in rows})) != list(SEVERITIES):
        said.append(f"severities {', '.join(map(str, found))}")
    changed = [group for group in groups if parse(group).params]
    said += changed[:SHOWN]
    if len(changed) > SHOWN:
        said.append(f"{len(changed) - SHOWN} more changed")
    said += [short for short, _ in prepared(suite, cells)]
    brackets = f" [{'; '.join(said)}]" if said else ""
    divided = f" (baseline {divisor.title})" if divisor and not divisor.plain else ""
    return metric.title + brackets + divided


def notes(
    sampler: Sampler, metric: Metric, cells: Sequence[Cell], divisor: Divisor | None
) -> tuple[str, ...]:
    """Say what a reader must know besides the number."""
    groups = _groups(cells)
    said = []
    if other_corruptions(metric, groups):
        over = f"{len(groups)} {noun(metric)}{'s' * (len(groups) > 1)}"
        said.append(
            f"over {over}, where {metric.title} stands for {len(metric.corruptions)}: not the "
            f"published number"
        )
    said += [
        f"{group} is not the published {parse(group).name}: not the published number"
        for group in groups
        if parse(group).params
    ]
    said += [f"{why}: not the published number" for _, why in prepared(sampler.suite, cells)]
    if divisor is not None and divisor.published and sampler.difficulty > 1:
        said.append(
            f"the values of {divisor.title} are those of difficulty 1: not a published number"
        )
    if left := sampler.left_out(cells):
        said.append(f"{left} image{'s' * (left > 1)} without a known label left out")
    if metric.reads not in MOVEMENTS:
        said += _classes(sampler, cells)
    if metric.reads == "top5" and sampler.classes(cells) < 6:
        said.append("of fewer than six classes the top-5 error is 0 whatever the model does")
    return (*said, *(divisor.notes if divisor else ()))


def _classes(sampler: Sampler, cells: Sequence[Cell]) -> list[str]:
    """Say of how many classes there are images, where not of all that the model chooses among."""
    facts = sampler.suite.facts
    if not facts.get("classes"):
        return []
    subset = facts.get("subset")
    every = len(labels.known(str(subset))) if subset else int(facts["classes"])
    there = {
        sampler.outcomes[cell.set].labels[row]
        for cell in {cell.set: cell for cell in cells}.values()
        for row in sampler.images(cell).rows
    }
    return [] if len(there) >= every else [f"the images are of {len(there)} of {every:,} classes"]


def prepared(suite: Suite, cells: Sequence[Cell]) -> list[tuple[str, str]]:
    """Return what was done to the pictures of these cells besides what the suite says."""
    # Clean pictures and photographs make no round trip in any case.
    corrupted = any(cell.condition != CLEAN for cell in cells)
    return [
        said
        for fact, said in PREPARED.items()
        if suite.facts.get(fact) and (corrupted or fact != "lossless")
    ]


def noun(metric: Metric) -> str:
    """Say what a metric's columns are of."""
    return "perturbation" if metric.reads in MOVEMENTS else "corruption"


def _groups(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.group for cell in cells if cell.role in COLUMNED))


def other_corruptions(metric: Metric, groups: Sequence[str]) -> bool:
    """Say whether the corruptions are not those that the metric's title stands for."""
    names = sorted(parse(group).name for group in groups)
    if names == [FOOTAGE]:
        return False
    return bool(metric.corruptions) and names != sorted(metric.corruptions)

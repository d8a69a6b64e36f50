"""What a run says of itself, and what must not change while it grows."""

import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from brittle import manifest, seeds
from brittle._version import __version__
from brittle.errors import RunError
from brittle.executors import usable_cores
from brittle.measuring.asked import Asked
from brittle.measuring.plan import Set
from brittle.measuring.tally import TOP
from brittle.models import Model, Settings
from brittle.outcomes import Cell

PACKAGES = (
    *manifest.PACKAGES,
    "torch",
    "timm",
    "torchvision",
    "onnxruntime",
    "transformers",
)

FIXED = ("model", "seed", "generation", "shard", "top", "keep", "share")
"""What a run is begun with; another value of any of them is another run."""


def fixed(
    model: Model,
    settings: Settings,
    *,
    seed: int,
    shard: int,
    keep: Sequence[str],
    share: tuple[int, int] | None,
) -> dict[str, Any]:
    """Return what a run is begun with."""
    return {
        "model": {
            "spec": model.name,
            "digest": model.digest,
            "gives": model.gives,
            "precision": settings.precision,
        },
        "seed": seed,
        "generation": seeds.GENERATION,
        "shard": shard,
        "top": TOP,
        "keep": sorted(keep),
        "share": None if share is None else list(share),
    }


def settle(record: dict[str, Any], wanted: Mapping[str, Any], where: str) -> None:
    """Take up what a run is begun with, or refuse what differs from what it was begun with."""
    if not record:
        record.update(wanted, versions={}, sets={}, suites={}, sessions=[], classes=None)
        return
    there = _flat({name: record.get(name) for name in FIXED})
    if said := manifest.differences(there, _flat(wanted)):
        raise RunError(
            f"{where} is a run of something else: {'; '.join(said)}. Give another folder with -o."
        )


def add_set(record: dict[str, Any], one: Set, groups: Mapping[str, Sequence[str]]) -> None:
    """Note a set and the groups of conditions that are going to be measured of it."""
    for part, version in one.feed.versions.items():
        before = record["versions"].setdefault(part, version)
        if before != version:
            raise RunError(
                f"The run was made with version {before} of {part}, and this brittle has "
                f"{version}: pictures under one name would differ. Begin another run."
            )
    entry = record["sets"].setdefault(one.name, {"groups": {}})
    entry.update(
        edition=one.feed.edition.name,
        pixels=one.feed.pixels,
        subset=one.subset,
        resized=one.resized,
        images=len(one.feed.items),
        fingerprint=one.feed.fingerprint,
        facts=dict(one.feed.facts),
    )
    entry["groups"].update({name: list(listed) for name, listed in groups.items()})


def add_suite(record: dict[str, Any], asked: Asked, cells: Sequence[Cell], where: str) -> None:
    """Note a suite, or add cells to it; the same name for other images is refused."""
    rows = [list(cell) for cell in cells]
    before = record["suites"].get(asked.name, {"cells": []})["cells"]
    now = {row[0] for row in rows}
    if other := [row for row in before if row[0] not in now and row[1] in {r[1] for r in rows}]:
        raise RunError(
            f"{where} has measured the suite {asked.name} on other images ({other[0][0]}, and now "
            f"{', '.join(sorted(map(str, now)))}). Give another folder with -o, or the same data."
        )
    rows += [row for row in before if row not in rows]
    record["suites"][asked.name] = {
        "about": asked.suite.about,
        "edition": asked.edition,
        "cells": rows,
        "scores": list(asked.suite.scores),
        "baseline": asked.baseline,
        "citation": asked.suite.citation,
        "facts": {**asked.facts, "classes": len(record["classes"])},
    }


def host() -> dict[str, Any]:
    """Say where the run is made."""
    return {
        "platform": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "pid": os.getpid(),
        "made_with": {"brittle": __version__, **manifest.packages(PACKAGES)},
    }


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put the model's fields beside the others, so that a difference is named by its field."""
    flat = {name: value for name, value in values.items() if name != "model"}
    for name, value in (values.get("model") or {}).items():
        flat[f"model {name}"] = value
    return flat

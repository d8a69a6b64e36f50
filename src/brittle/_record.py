"""What a run says of itself, and what must not change while it grows."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from brittle import labels, manifest, seeds
from brittle._version import __version__
from brittle.errors import ModelError, RunError, SpecError
from brittle.executors import usable_cores
from brittle.measuring.asked import Asked
from brittle.measuring.plan import Set
from brittle.measuring.tally import TOP
from brittle.models import MODELS, Model, Settings, split
from brittle.outcomes import Cell
from brittle.spec import Spec, parse, parse_chain

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

DECIDES = (
    "size", "resize", "crop_mode", "interpolation", "mean", "std", "scale", "layout", "templates",
    "words", "precision", "config",
)  # fmt: skip
"""Facts of a model that decide its outputs besides its weights."""


def fixed(
    model: Model,
    settings: Settings,
    *,
    seed: int,
    shard: int | None,
    keep: Sequence[str],
    share: tuple[int, int] | None,
) -> dict[str, Any]:
    """Return what a run is begun with.

    Where the weights have a digest, the place that they were read from does not matter.
    """
    return {
        "model": {
            "kind": _kind(model),
            "digest": model.digest,
            "gives": model.gives,
            "precision": settings.precision,
            **({"passes": settings.passes} if settings.passes else {}),
            **{name: model.facts[name] for name in DECIDES if name in model.facts},
        },
        "seed": seed,
        "generation": seeds.GENERATION,
        "shard": shard,
        "top": TOP,
        "keep": sorted(keep),
        "share": None if share is None else list(share),
    }


def _kind(model: Model) -> str:
    """Return the model's spec without the places of files that its digest or its facts cover."""
    try:
        kind, target, params = split(model.name)
    except SpecError:
        return model.name
    if model.digest is None:
        return model.name
    files = MODELS.load(kind).places
    kept = {
        name: value
        for name, value in params.items()
        if name not in files or not Path(str(value)).exists()
    }
    target = "" if "target" in files and Path(target).exists() else target
    return f"{kind}:{target}{str(Spec('x', kept))[1:]}"


def settle(record: dict[str, Any], wanted: Mapping[str, Any], where: str) -> None:
    """Take up what a run is begun with, or refuse what differs from what it was begun with."""
    try:
        # As it will be read back: JSON knows no tuples.
        wanted = json.loads(json.dumps(wanted))
    except TypeError as error:
        raise ModelError(
            f"The facts of the model cannot be kept: {error}. They must be texts, numbers and "
            f"lists, since a run stores them."
        ) from error
    if not record:
        record.update(wanted, versions={}, sets={}, suites={}, sessions=[], classes=None)
        return
    there = _flat({name: record.get(name) for name in FIXED})
    if said := manifest.differences(there, _flat(wanted)):
        raise RunError(
            f"{where} is a run of something else: {'; '.join(said)}. Give another folder with -o."
        )


def settle_versions(record: dict[str, Any], versions: Mapping[str, int], where: str) -> None:
    """Note the versions of parts; another version of one that was used is refused."""
    for part, version in versions.items():
        before = record["versions"].setdefault(part, version)
        if before != version:
            raise RunError(
                f"{where}: {part} has version {version} here and {before} there, so pictures of "
                f"one name would differ. Begin another run."
            )


def settle_set(record: dict[str, Any], name: str, entry: Mapping[str, Any], where: str) -> None:
    """Note a set and its groups of conditions; other pictures under its name are refused."""
    known = record["sets"].setdefault(name, {**entry, "groups": {}, "contents": {}, "frames": {}})
    for field in ("fingerprint", "images", "subset", "edition"):
        if known[field] != entry[field]:
            raise RunError(
                f"{where} has other images under {name}: {field} is {entry[field]}, and was "
                f"{known[field]}. Give another folder with -o."
            )
    for condition, content in entry["contents"].items():
        if known["contents"].setdefault(condition, content) != content:
            raise RunError(
                f"{where} has other files of {condition} than were measured under {name}; give "
                f"another folder with -o."
            )
    for condition, how in entry["frames"].items():
        if known.setdefault("frames", {}).setdefault(condition, how) != how:
            raise RunError(
                f"{where} compares the frames of {condition} otherwise; begin another run."
            )
    known["groups"].update(entry["groups"])


def entry_of(one: Set, groups: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what a run says of a set and of the groups that are going to be measured."""
    return {
        "edition": one.feed.edition.name,
        "pixels": one.feed.pixels,
        "subset": one.subset,
        "resized": one.resized,
        "images": len(one.feed.items),
        "fingerprint": one.feed.fingerprint,
        "facts": dict(one.feed.facts),
        "contents": dict(one.feed.contents),
        "frames": dict(one.feed.references),
        "groups": {name: list(listed) for name, listed in groups.items()},
    }


def suite_of(asked: Asked, cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what a run says of a suite."""
    return {
        "about": asked.suite.about,
        "edition": asked.edition,
        "cells": [list(cell) for cell in cells],
        "scores": list(asked.suite.scores),
        "baseline": asked.baseline,
        "citation": asked.suite.citation,
        "facts": {**asked.facts, "subset": asked.suite.subset},
    }


def _facts(record: Mapping[str, Any], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return what tables and comparisons must know of the cells of a suite, all of them."""
    used = {row[0]: record["sets"][row[0]] for row in rows}
    parts = {
        f"perturbation:{link.name}" if row[2] == "sequence" else link.name
        for row in rows
        for link in parse_chain(row[1])
    }
    return {
        "classes": len(record["classes"]),
        "gives": record["model"]["gives"],
        "class_list": labels.which(record["classes"]),
        "resized": any(entry["resized"] for entry in used.values()),
        "lossless": any(entry["facts"].get("lossless", False) for entry in used.values()),
        "codec_skipped": any(entry["facts"].get("codec_skipped", False) for entry in used.values()),
        "exif": any(entry["facts"].get("exif", False) for entry in used.values()),
        "versions": {n: v for n, v in sorted(record["versions"].items()) if n in parts},
        "sets": {name: entry["fingerprint"] for name, entry in used.items()},
        "contents": {name: entry["contents"] for name, entry in used.items() if entry["contents"]},
    }


def settle_suite(
    record: dict[str, Any],
    name: str,
    entry: Mapping[str, Any],
    where: str,
    *,
    replace: bool = False,
) -> None:
    """Note a suite, or add cells to it; what would put two things under one name is refused."""
    rows = list(entry["cells"])
    before = record["suites"].get(name, {"cells": []})["cells"]
    # Frost of procedural ice makes way for that of the photographs, once they are there.
    now = {_place(row): row[3] for row in rows}
    for row in before:
        new = now.get(_place(row), row[3])
        if new != row[3] and (row[3] == parse(row[3]).name or not replace):
            raise RunError(
                f"{where} has measured {row[3]}, and now it would be {new}. Have the same "
                f"photographs at hand (--assets), or give another folder with -o."
            )
    rows += [row for row in before if row not in rows and _place(row) not in now]
    images = {own: found["images"] for own, found in record["sets"].items()}
    _check_cells(rows, name, where, images)
    lost = [row for row in before if row[2] in ("grid", "free") and _place(row) not in now]
    # Of files that lie on disk there may be fewer today; what was measured stays.
    made = [row for row in lost if record["sets"][row[0]]["pixels"] == "generated"]
    if made and name not in ADDED:
        raise RunError(
            f"The suite {name} has changed since {where} was begun: it had {made[0][1]}. Give the "
            f"changed suite another name, or another folder with -o."
        )
    record["suites"][name] = {
        **entry,
        "cells": rows,
        "facts": {**entry["facts"], **_facts(record, rows)},
    }


ADDED = ("conditions", "perturbations")
"""Suites that are what was asked for so far."""


def _place(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a cell stands for: of a grid a corruption at a severity, whatever its texture."""
    own, condition, role, group, severity = row
    if role in ("grid", "extra"):
        return own, role, parse(group).name, severity
    return own, role, group, condition


def _check_cells(
    rows: Sequence[Sequence[Any]], name: str, where: str, images: Mapping[str, int]
) -> None:
    places: dict[tuple[Any, ...], str] = {}
    roles: dict[str, str] = {}
    for row in rows:
        # The grid of a suite is of one set of images; so is each of the photographs.
        corrupted = row[2] in ("grid", "extra", "free")
        key = (
            ("corrupted",)
            if corrupted
            else tuple(row[2:4])
            if row[2] in ("shift", "out")
            else (row[2],)
        )
        if not corrupted and roles.setdefault(row[3], row[2]) != row[2]:
            raise RunError(
                f"{where}: {row[3]} is in-distribution in one place and a shift in another of the "
                f"suite {name}. Keep the order of --data, or give another folder with -o."
            )
        if places.setdefault(key, row[0]) != row[0]:
            sets = f"{_sized(places[key], images)} and {_sized(row[0], images)}"
            raise RunError(
                f"{where} has measured the suite {name} on other images or pixels: {sets}. Give "
                f"another folder with -o, or the same data and --limit."
            )


def _sized(name: str, images: Mapping[str, int]) -> str:
    """Return a set's name with how many images it has, which is what mostly differs."""
    return f"{name} ({images[name]:,} images)" if name in images else name


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

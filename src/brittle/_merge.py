"""One run of the shares that several machines measured."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brittle import _record, store
from brittle._run import Run
from brittle.errors import RunError
from brittle.files import replacing, sha256_file
from brittle.store import Store


def merge(shares: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> Run:
    """Join runs of one model on the same images, seed and versions into the run at `out`.

    The shares stay as they are. Runs of another model, seed, source or version are a `RunError`,
    and so are two that measured the same and differ.
    """
    if not shares:
        raise RunError("There is nothing to merge; give the folders of the shares.")
    places = [Path(share) for share in shares]
    records = [store.read(place) for place in places]
    with Store(Path(out)) as there:
        whole = there.record
        if any(place.resolve() == there.path.resolve() for place in places):
            raise RunError(f"{there.path} is one of the shares; give a new folder with -o.")
        for place, record in zip(places, records, strict=True):
            _join(whole, record, place)
        files: dict[Path, Path] = {}
        for place, record in zip(places, records, strict=True):
            for name in record["sets"]:
                _gather(place, there.path, name, files)
        # Nothing is written before nothing can be refused any more.
        there.save()
        for target, path in files.items():
            with replacing(target) as aside:
                shutil.copyfile(path, aside)
    return Run.open(Path(out))


def _join(whole: dict[str, Any], record: dict[str, Any], place: Path) -> None:
    """Take up what a share says of itself; refuse what is not the same run."""
    wanted = {name: record[name] for name in _record.FIXED}
    # A share is a share of the whole, and the whole is none.
    wanted["share"] = None
    _record.settle(whole, wanted, str(place))
    if whole["classes"] not in (None, record["classes"]):
        raise RunError(f"{place} has other classes than the other shares; give runs of one model.")
    for name in ("classes", "batch", "facts", "name"):
        whole[name] = record.get(name)
    for part, version in record["versions"].items():
        if whole["versions"].setdefault(part, version) != version:
            raise RunError(
                f"{place} was made with version {version} of {part}, the others with "
                f"{whole['versions'][part]}; measure it again with one version of brittle."
            )
    for name, entry in record["sets"].items():
        known = whole["sets"].setdefault(name, {**entry, "groups": {}})
        for field in ("fingerprint", "images", "subset"):
            if known[field] != entry[field]:
                raise RunError(
                    f"{place} measured other images under {name}: {field} is {entry[field]}, and "
                    f"{known[field]} in the others."
                )
        known["groups"].update(entry["groups"])
    for name, entry in record["suites"].items():
        known = whole["suites"].setdefault(name, {**entry, "cells": []})
        known["cells"] += [row for row in entry["cells"] if row not in known["cells"]]
    whole["sessions"] += [one for one in record["sessions"] if one not in whole["sessions"]]


def _gather(share: Path, out: Path, name: str, files: dict[Path, Path]) -> None:
    """Note the files of a set that are to be copied; what is there already must be the same."""
    paths = [share / "sets" / f"{name}.parquet"]
    paths += [path for _, _, path in store.parts(share, name)]
    for path in paths:
        target = out / path.relative_to(share)
        before = files.get(target, target)
        if not before.is_file():
            files[target] = path
        elif sha256_file(before) != sha256_file(path):
            raise RunError(
                f"{path} and what the other shares measured of the same images differ; they are "
                f"not of one run, or one was changed."
            )

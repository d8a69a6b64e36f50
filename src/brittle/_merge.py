"""One run of the shares that several machines measured."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brittle import store
from brittle._record import FIXED, settle, settle_set, settle_suite, settle_versions
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
        _refuse_twins(there.path, whole, files)
        # Nothing is written before nothing can be refused any more.
        there.save()
        for target, path in files.items():
            with replacing(target) as aside:
                shutil.copyfile(path, aside)
    return Run.open(Path(out))


def _join(whole: dict[str, Any], record: dict[str, Any], place: Path) -> None:
    """Take up what a share says of itself; refuse what is not the same run."""
    wanted = {name: record[name] for name in FIXED}
    # A share is a share of the whole, and the whole is none.
    wanted["share"] = None
    settle(whole, wanted, str(place))
    if whole["classes"] not in (None, record["classes"]):
        raise RunError(f"{place} has other classes than the other shares; give runs of one model.")
    for name in ("classes", "batch", "facts", "name", "spec"):
        whole[name] = record.get(name)
    settle_versions(whole, record["versions"], str(place))
    for name, entry in record["sets"].items():
        settle_set(whole, name, entry, str(place))
    for name, entry in record["suites"].items():
        settle_suite(whole, name, entry, str(place))
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
        elif not _same(before, path):
            raise RunError(
                f"{path} and what the other shares measured of the same images differ; they are "
                f"not of one run, or one was changed."
            )


def _refuse_twins(out: Path, whole: dict[str, Any], files: dict[Path, Path]) -> None:
    """Refuse parts that hold the same pictures under the same condition twice."""
    held: dict[tuple[str, int, str], Path] = {}
    there = {path: path for name in whole["sets"] for _, _, path in store.parts(out, name)}
    for target, path in {**there, **files}.items():
        name = target.parent.name
        if target.parent.parent.name != "parts":
            continue
        number, _, group = target.stem.partition("-")
        for condition in whole["sets"][name]["groups"].get(group, ()):
            other = held.setdefault((name, int(number), condition), path)
            if other != path:
                raise RunError(
                    f"{path} and {other} both hold {condition} of the same images, measured in "
                    f"different company. Merge only runs that were begun with the same suites."
                )


def _same(one: Path, other: Path) -> bool:
    """Whether two files hold the same rows, whatever version of a library wrote them."""
    if sha256_file(one) == sha256_file(other):
        return True
    return bool(store.read_table(one).equals(store.read_table(other)))

"""Measure a model once: every picture of a suite under every condition, into a run on disk.

What a run holds already is not measured again, so the same command goes on where it was stopped,
by whatever, and ends in the same predictions; another suite or condition computes only what is
missing.
"""

import os
import shutil
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from brittle import _record, labels, store, suites
from brittle._run import Run
from brittle.errors import SourceError, SpecError
from brittle.executors import usable_cores
from brittle.feeds import Feed
from brittle.labels import Space
from brittle.measuring import predict
from brittle.measuring.asked import Asked, ask
from brittle.measuring.batch import find as find_batch
from brittle.measuring.feeding import Data, Feeding
from brittle.measuring.plan import classes_of, sets_of, spaces_of, todo_of
from brittle.measuring.predict import Todo
from brittle.models import Model, Settings, open_model
from brittle.progress import Progress
from brittle.sources._memory import in_memory
from brittle.store import Store
from brittle.suites import Suite
from brittle.types import UInt8

SHARD = 64
"""Images a shard, unless asked otherwise."""

KEPT = ("logits", "features")

EASY = ("clean", "iid")
SUSPICIOUS = 100
"""Clean pictures from which on a model that only guesses is worth a word."""

Given: TypeAlias = Data | tuple[UInt8 | Sequence[UInt8], Sequence[str | int] | None]
"""A path, an opened source, or (images, labels) in memory."""


def evaluate(
    model: str | Model | Callable[..., Any],
    *,
    data: Given | Mapping[str, Given],
    suite: str | Sequence[str] | None = None,
    conditions: Sequence[str] = (),
    clean: Given | None = None,
    out: str | os.PathLike[str] | None = None,
    name: str | None = None,
    extra: bool = False,
    edition: str | None = None,
    seed: int = 0,
    classes: str | Sequence[str] | None = None,
    device: str = "auto",
    precision: str = "float32",
    channels_last: bool | None = None,
    threads: int | None = None,
    workers: int | None = None,
    batch: int | None = None,
    keep: Sequence[str] = (),
    resize: bool = False,
    jpeg: bool = True,
    share: tuple[int, int] | None = None,
    limit: int | None = None,
    shard: int = SHARD,
    skip_broken: bool = False,
    kind: str | None = None,
    exif: bool = False,
    split: str = "test",
    quiet: bool = True,
) -> Run:
    """Measure a model on suites and return the run; goes on with the one that lies at `out`.

    `model` is a spec such as `timm:resnet50`, an opened model, or a function of N x H x W x 3 uint8
    pictures that returns N x classes logits. `suite` is a name, a path to a TOML file, or several;
    without one and without `conditions` it is `imagenet-c`. `data` is a folder, arrays, tar shards
    or published corrupted files, an opened source, or `(images, labels)`; by name where suites or
    shifts have different data. `clean` holds the clean counterpart where the data do not.
    `conditions` are free ones besides, under the suite's edition or `edition`.

    `classes` names the model's outputs where it does not itself. `share=(1, 4)` takes the first of
    four shares, for `brittle.merge`; `limit` takes a sample of the images that depends on their
    keys alone. `keep` may hold `logits` and `features`. `resize` lets prepared pictures be resized
    to the model's input, `jpeg=False` leaves out the edition's JPEG round trip: both show in the
    name of the set. `name` is what tables call the model. Without `out` the run lives as long as
    the object that is returned.

    What cannot be measured as asked is a `BrittleError` that says what to do.
    """
    settings = Settings(
        device=device,
        precision=precision,
        channels_last=channels_last,
        threads=threads,
        classes=None if classes is None else labels.class_list(classes),
        features="features" in keep,
    )
    wanted = _suites(suite, conditions, edition, extra=extra)
    _refuse_options(keep=keep, share=share, shard=shard, workers=workers, batch=batch, seed=seed)
    held = _Held() if out is None else None
    path = held.path / "run" if held is not None else Path(str(out))
    opened = open_model(model, settings)
    with Store(path) as there:
        record = there.record
        _record.settle(
            record,
            _record.fixed(opened, settings, seed=seed, shard=shard, keep=keep, share=share),
            str(path),
        )
        if record["sessions"] and opened.digest is None:
            warnings.warn(
                f"The weights of {opened.name} cannot be seen, so nothing says that it is the "
                f"model that began {path}.",
                stacklevel=2,
            )
        workers = usable_cores() if workers is None else workers
        feeding = Feeding(
            root=path,
            seed=seed,
            limit=limit,
            workers=workers,
            skip_broken=skip_broken,
            kind=kind,
            exif=exif,
            split=split,
            jpeg=jpeg,
            quiet=quiet,
        )
        names = opened.classes or (tuple(record["classes"]) if record["classes"] else None)
        asked = [
            _bound(one, data, clean, feeding, names, extra=extra, edition=edition) for one in wanted
        ]
        sets, cells = sets_of(asked, opened, resize=resize)
        todo = todo_of(there, sets, cells, shard=shard, share=share)
        if record["classes"] is None:
            record["classes"] = classes_of(opened, asked, todo, precision=precision, resize=resize)
        spaces = spaces_of(record["classes"], sets)
        for one in sets.values():
            mine = {tuple(t.conditions) for t in todo if t.set == one.name}
            _record.add_set(record, one, {store.group_name(group): group for group in mine})
        for bound in asked:
            _record.add_suite(record, bound, cells[bound.name], str(path))
        record["facts"] = dict(opened.facts)
        record["name"] = name or record.get("name") or opened.name
        there.save()
        for one in sets.values():
            there.add_images(one.name, _columns(one.feed))
        if todo:
            _measure(
                there, opened, todo, spaces, batch, workers, resize=resize, keep=keep, quiet=quiet
            )
    run = Run.open(path, holding=held)
    if todo:
        _suspect_order(run, asked)
    return run


def _suspect_order(run: Run, asked: Sequence[Asked]) -> None:
    """Warn where clean pictures fare as if the outputs were named in another order."""
    chance = 1 / len(run.classes)
    for one in asked:
        suite = run.suite(one.name)
        for name, outcome in run.outcomes(suite).items():
            clean = [c.condition for c in suite.cells if c.set == name and c.role in EASY]
            for condition in clean:
                ranks = outcome.ranks[:, outcome.conditions.index(condition)]
                known = ranks[ranks >= 0]
                if len(known) >= SUSPICIOUS and (known == 0).mean() < 2 * chance:
                    warnings.warn(
                        f"{(known == 0).mean():.1%} of the clean pictures of {one.name} are right, "
                        f"about as many as by guessing among {len(run.classes)} classes. Are the "
                        f"class names in the order of the outputs (--classes)?",
                        stacklevel=3,
                    )


class _Held:
    """A folder that goes with the object, however the process ends."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="brittle-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def _measure(
    there: Store,
    model: Model,
    todo: Sequence[Todo],
    spaces: Mapping[str, Space],
    batch: int | None,
    workers: int,
    *,
    resize: bool,
    keep: Sequence[str],
    quiet: bool,
) -> None:
    """Measure what is missing, and note the session however it ends."""
    record, first = there.record, todo[0]
    size = batch or record.get("batch")
    if size is None:
        ready = predict.fitting(model, first.feed, resize=resize)
        size = find_batch(model, ready(next(first.feed.pictures(0, first.conditions[:1]))))
        record["batch"] = size
        there.save()
    most = max(len(one.conditions) for one in todo)
    side = first.feed.edition.side
    shape = model.size or (None if side is None else (side, side))
    workers = predict.bounded(workers, most, shape)
    total = sum(one.predictions for one in todo)
    begun, clock = datetime.now(UTC), time.perf_counter()
    progress = Progress(total, label="evaluating", noun="predictions", quiet=quiet)
    try:
        with progress:
            size = predict.measure(
                todo,
                model,
                spaces,
                there,
                workers=workers,
                batch=size,
                resize=resize,
                keep=keep,
                progress=progress,
            )
    finally:
        if batch is None:
            record["batch"] = size
        record["sessions"].append(
            {
                "begun": begun.isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - clock, 3),
                "predictions": progress.count,
                "of": total,
                "batch": size,
                "workers": workers,
                "device": model.facts.get("device"),
                **_record.host(),
            }
        )
        there.save()


def _bound(
    suite: Suite,
    data: Given | Mapping[str, Given],
    clean: Given | None,
    feeding: Feeding,
    names: tuple[str, ...] | None,
    *,
    extra: bool,
    edition: str | None,
) -> Asked:
    """Bind a suite to its data; labels in memory that are numbers are indices of the classes."""
    listed = names or (labels.known(suite.classes) if suite.classes else None)
    given = dict(data) if isinstance(data, Mapping) else {"": data}
    return ask(
        suite,
        {name: _data(one, listed) for name, one in given.items()},
        None if clean is None else _data(clean, listed),
        feeding,
        extra=extra and bool(suite.extra),
        edition=None if suite.photographs else edition,
        names=names,
    )


def _columns(feed: Feed) -> dict[str, list[str | None]]:
    return {
        "key": [item.key for item in feed.items],
        "label": [item.label for item in feed.items],
        "digest": list(feed.digests),
    }


def _suites(
    suite: str | Sequence[str] | None,
    conditions: Sequence[str],
    edition: str | None,
    *,
    extra: bool,
) -> list[Suite]:
    """Return the suites that are asked for; free conditions are one more."""
    if isinstance(conditions, str):
        raise SpecError(f"conditions is a list of texts; write ['{conditions}'].")
    given = [suite] if isinstance(suite, str) else list(suite or ())
    if not given and not conditions:
        given = ["imagenet-c"]
    found = [suites.get(name) for name in given]
    if len({one.name for one in found}) < len(found):
        raise SpecError("A suite is named twice; name it once.")
    if extra and not any(one.extra for one in found):
        raise SpecError("None of the suites has extra corruptions; leave --extra out.")
    if conditions:
        used = edition or next((one.edition for one in found if not one.photographs), "any")
        found.append(
            Suite(
                name="conditions",
                about="Conditions of one's own",
                edition=used,
                free=tuple(conditions),
                scores=("top1_error", "clean_error"),
            )
        )
    return found


def _data(given: Given, classes: Sequence[str] | None) -> Data:
    if not isinstance(given, tuple):
        return given
    if len(given) != 2:
        raise SourceError(f"In-memory data are (images, labels); got {len(given)} things.")
    images, known = given
    numbers = known is not None and not isinstance(known[0], str)
    return in_memory(images, known, classes=classes if numbers else None)


def _refuse_options(
    *,
    keep: Sequence[str],
    share: tuple[int, int] | None,
    shard: int,
    workers: int | None,
    batch: int | None,
    seed: int,
) -> None:
    if isinstance(keep, str) or not set(keep) <= set(KEPT):
        raise SpecError(f"keep is a list of {' and '.join(KEPT)}; got {keep!r}.")
    if share is not None and not 1 <= share[0] <= share[1]:
        raise SpecError(f"A share is i of n with 1 <= i <= n; got {share[0]} of {share[1]}.")
    for name, value in (("shard", shard), ("workers", workers), ("batch", batch)):
        if value is not None and (isinstance(value, bool) or value < 1):
            raise SpecError(f"{name} must be a whole number of at least 1; got {value!r}.")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise SpecError(f"The seed must be a whole number; got {seed!r}.")

"""Measure a model once: every picture of a suite under every condition, into a run on disk.

What a run holds already is not measured again, so the same command goes on where it was stopped,
by whatever, and ends in the same predictions; another suite or condition computes only what is
missing.
"""

import os
import secrets
import shutil
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brittle import _record, labels, store
from brittle._given import Given, by_name, check, check_texts, chosen_suites, opened, short
from brittle._run import Run
from brittle.errors import RunError, SpecError
from brittle.executors import usable_cores
from brittle.feeds import Feed
from brittle.files import disk_errors
from brittle.labels import Space
from brittle.measuring import predict
from brittle.measuring.asked import Asked, ask
from brittle.measuring.batch import find as find_batch
from brittle.measuring.feeding import Feeding
from brittle.measuring.plan import classes_of, sets_of, spaces_of, todo_of
from brittle.measuring.predict import Todo
from brittle.models import Model, Settings, open_model
from brittle.progress import Progress
from brittle.store import Store

SHARD = 64
"""Images a shard at most, unless asked otherwise."""

PASSES = 10
"""Stochastic passes, unless asked otherwise."""

EASY = ("clean", "iid")
SUSPICIOUS = 100
"""Clean pictures from which on a model that only guesses is worth a word."""


def evaluate(
    model: str | Model | Callable[..., Any],
    *,
    data: Given | Mapping[str, Given],
    suite: str | Sequence[str] | None = None,
    conditions: Sequence[str] = (),
    perturbations: Sequence[str] = (),
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
    passes: int | None = None,
    resize: bool = False,
    jpeg: bool = True,
    codec: bool = False,
    stride: int = 1,
    share: tuple[int, int] | None = None,
    limit: int | None = None,
    shard: int | None = None,
    skip_broken: bool = False,
    kind: str | None = None,
    exif: bool = False,
    split: str = "test",
    quiet: bool = True,
) -> Run:
    """Measure a model on suites and return the run; goes on with the one that lies at `out`.

    `model` is a spec such as `timm:resnet50`, an opened model, or a function of N x H x W x 3 uint8
    pictures that returns N x classes logits. `device`, `precision`, `channels_last` and `threads`
    say how it runs (see `brittle.models.Settings`), `batch` how many pictures at once (found by
    trying unless given). `classes` names its outputs where it does not itself: names in order, a
    file, or a list such as `imagenet`.

    `suite` is a name, a path to a TOML file, or several; without one and without `conditions` it is
    `imagenet-c`. `conditions` are free ones besides, under the suite's edition or `edition`, and
    `perturbations` sequences such as `tilt`, whose frames need no labels. `extra` takes the suite's
    extra corruptions or perturbations as well. `data` is a folder, arrays, tar shards or
    published corrupted files, an opened source, or `(images, labels)`; by name where suites or
    shifts have different data. `clean` holds the clean counterpart where the data do not. `kind`,
    `exif` and `split` say how paths are opened, `skip_broken` leaves broken pictures out.

    What is drawn depends on `seed` and the images' keys. `limit` takes a sample of the images that
    depends on their keys alone. `resize` lets prepared pictures be resized to the model's input,
    `jpeg=False` leaves out the edition's JPEG round trip: both show in tables. `codec` sends the
    frames of an edition that is published as films through their codec, and `stride` takes every
    so many-th frame of one's own films. `keep` may hold `logits`, `features`, `ranking`, which
    is what Zipf distances read, and `samples`: the logits of `passes` stochastic passes (10) with
    dropout on, which MC dropout reads.

    `out` is the run's folder; without it the run lives as long as the object that is returned.
    `name` is what tables call the model. `share=(1, 4)` takes the first of four shares, for
    `brittle.merge`; a part file holds `shard` images (64, or fewer where there are few,
    unless given). `workers` threads make pictures.

    What cannot be measured as asked is a `BrittleError` that says what to do.
    """
    check_texts(
        suite=suite,
        conditions=conditions,
        perturbations=perturbations,
        edition=edition,
        kind=kind,
        split=split,
        name=name,
    )
    numbers = check(
        keep=keep, share=share, seed=seed, shard=shard, workers=workers, batch=batch, limit=limit,
        stride=stride, passes=passes,
    )  # fmt: skip
    seed, shard, workers, batch, limit, stride = (
        numbers[one] for one in ("seed", "shard", "workers", "batch", "limit", "stride")
    )
    if numbers["passes"] is not None and "samples" not in keep:
        raise SpecError("passes are those that keep=['samples'] keeps; leave passes out.")
    share = numbers["share"]
    wanted = chosen_suites(suite, conditions, perturbations, edition, extra=extra)
    keep = tuple(dict.fromkeys([*keep, *(name for one in wanted for name in one.keep)]))
    settings = Settings(
        device=device,
        precision=precision,
        channels_last=channels_last,
        threads=threads,
        classes=None if classes is None else labels.class_list(classes),
        features="features" in keep,
        passes=(numbers["passes"] or PASSES) if "samples" in keep else 0,
    )
    held = _Held() if out is None else None
    path = held.path / "run" if held is not None else Path(str(out))
    opened_model = open_model(model, settings)
    named = by_name(data, wanted, settings.classes, opened_model.classes)
    with disk_errors(f"The run {path}", RunError), Store(path) as there:
        record = there.record
        begun = _record.fixed(
            opened_model,
            settings,
            seed=seed,
            shard=shard or record.get("shard"),
            keep=keep,
            share=share,
        )
        _record.settle(record, begun, str(path))
        if record["sessions"] and opened_model.digest is None:
            warnings.warn(
                f"The weights of {opened_model.name} cannot be seen, so nothing says that it is "
                f"the model that began {path}.",
                stacklevel=2,
            )
        cores = usable_cores()
        if workers is None:
            # A model on the processor needs a core for itself; the sources are read by all.
            on_cpu = str(opened_model.facts.get("device", "cpu")) == "cpu"
            workers = max(1, cores - on_cpu)
        feeding = Feeding(
            root=path,
            seed=seed,
            limit=limit,
            workers=max(workers, cores),
            skip_broken=skip_broken,
            kind=kind,
            exif=exif,
            split=split,
            jpeg=jpeg,
            codec=codec,
            stride=stride,
            side=None if opened_model.size is None else min(opened_model.size),
            quiet=quiet,
        )
        asked = [
            ask(
                one,
                named[one.name],
                None if clean is None else opened(clean, one, settings.classes, None),
                feeding,
                extra=extra and bool(one.extra),
                edition=edition,
                names=opened_model.classes,
                others=[other.name for other in wanted if other is not one],
            )
            for one in wanted
        ]
        sets, cells = sets_of(asked, opened_model, resize=resize)
        if record["shard"] is None:
            feeds = [one.feed for one in sets.values()]
            most = max(len(feed.items) for feed in feeds)
            record["shard"] = shard_of(most, moving=any(feed.frames is not None for feed in feeds))
        todo, before = todo_of(there, sets, cells, shard=record["shard"], share=share)
        record["classes"] = classes_of(
            opened_model,
            asked,
            todo,
            record["classes"],
            precision=str(opened_model.facts.get("precision", settings.precision)),
            resize=resize,
        )
        several = [one.name for one in asked if one.suite.task == "multi"]
        spaces = spaces_of(record["classes"], sets, cells, several)
        for one in sets.values():
            mine = {tuple(t.conditions) for t in todo if t.set == one.name}
            entry = _record.entry_of(one, {store.group_name(group): group for group in mine})
            _record.settle_set(record, one.name, entry, str(path))
        for bound in asked:
            # Of all its feeds: those of several suites may be of one set.
            for part in bound.parts:
                _record.settle_versions(record, part.feed.versions, str(path))
            entry = _record.suite_of(bound, cells[bound.name])
            _record.settle_suite(record, bound.name, entry, str(path), replace=True)
        record["facts"] = dict(opened_model.facts)
        record["spec"] = opened_model.name
        record["name"] = name or record.get("name") or short(opened_model.name)
        there.save()
        for one in sets.values():
            there.add_images(one.name, _columns(one.feed))
        if todo:
            size = batch or record.get("batch")
            _measure(
                there,
                opened_model,
                todo,
                spaces,
                size,
                workers,
                before=before,
                resize=resize,
                keep=keep,
                quiet=quiet,
            )
    run = Run.open(path, holding=held)
    if todo:
        _suspect_order(run, asked)
    return run


def _suspect_order(run: Run, asked: Sequence[Asked]) -> None:
    """Warn where clean pictures fare as if the outputs were named in another order."""
    for one in asked:
        suite = run.suite(one.name)
        subset = one.suite.subset
        chance = 1 / len(labels.known(subset) if subset else run.classes)
        for name, outcome in run.outcomes(suite).items():
            clean = [c.condition for c in suite.cells if c.set == name and c.role in EASY]
            for condition in clean:
                ranks = outcome.ranks[:, outcome.conditions.index(condition)]
                right = ranks[ranks >= 0] == 0
                # As many as guessing brings, or four standard errors more.
                most = chance + 4 * (chance * (1 - chance) / max(len(right), 1)) ** 0.5
                if len(right) >= SUSPICIOUS and right.mean() < most and right.mean() < 0.5:
                    warnings.warn(
                        f"{right.mean():.1%} of the clean pictures of {one.name} are right, about "
                        f"as many as by guessing ({chance:.1%}). Are the class names in the order "
                        f"of the outputs (--classes)?",
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
    before: int,
    resize: bool,
    keep: Sequence[str],
    quiet: bool,
) -> None:
    """Measure what is missing, and note the session however it ends."""
    record, first = there.record, todo[0]
    size = batch
    if size is None:
        ready = predict.fitting(model, first.feed, resize=resize)
        picture = ready(next(first.feed.pictures(0, first.conditions[:1])))
        size = record["batch"] = find_batch(model, picture)
        there.save()
    total = sum(one.predictions for one in todo)
    begun, clock = datetime.now(UTC), time.perf_counter()
    progress = Progress(
        before + total,
        label="evaluating, resumed" if before else "evaluating",
        noun="predictions",
        done=before,
        quiet=quiet,
    )
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
        if "batch" in record:
            record["batch"] = size
        record["sessions"].append(
            {
                "id": secrets.token_hex(8),
                "begun": begun.isoformat(timespec="seconds"),
                "seconds": round(time.perf_counter() - clock, 3),
                "predictions": progress.count - before,
                "of": total,
                "batch": size,
                "workers": workers,
                "device": model.facts.get("device"),
                **_record.host(),
            }
        )
        there.save()


def shard_of(images: int, *, moving: bool = False) -> int:
    """Return how many images a part holds: few enough that little is lost where there are few.

    An image whose sequences are measured has hundreds of pictures, so fewer of them are a part.
    """
    return min(SHARD // 8 if moving else SHARD, max(4, images // 16))


def _columns(feed: Feed) -> dict[str, list[str | None]]:
    return {
        "key": [item.key for item in feed.items],
        "label": [item.label for item in feed.items],
        "digest": list(feed.digests),
    }

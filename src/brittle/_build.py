"""A data set on disk: every image of a source under every condition, with a manifest.

The unit of work is a shard of images: each is decoded and prepared once and put through all
conditions. A build that was stopped, by whatever, goes on where it was when it is called again
with the same arguments, and ends in the same bytes.
"""

import contextlib
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from brittle import manifest
from brittle._survey import Kept, Survey, prepared_size, stamp_of, survey
from brittle._threads import one_inner_thread
from brittle.errors import BrittleError, BuildError
from brittle.executors import EXECUTORS, OrderedMap, usable_cores
from brittle.files import disk_errors
from brittle.layouts import Job, Writer
from brittle.layouts._files import check_labels, same_size
from brittle.layouts._order import Order, order
from brittle.layouts._work import Work
from brittle.progress import Progress
from brittle.sequences import FrameSequence
from brittle.sources import Source, open_source
from brittle.types import Pixels

SHARD = 64
"""Images a shard, unless asked otherwise."""


class BuildReport(NamedTuple):
    """What a build made, or found made."""

    out: Path
    images: int
    conditions: int
    files: int
    bytes: int
    skipped: tuple[str, ...]
    """Names of the broken images that were left out."""
    fingerprint: str
    resumed: int
    """Images that an earlier run had finished."""
    complete: bool
    """Whether the set was complete before, so that there was nothing to do."""


def build(
    source: Source | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    suite: str | None = "imagenet-c",
    extra: bool = False,
    edition: str | None = None,
    conditions: Sequence[str] = (),
    perturbations: Sequence[str] = (),
    clean: bool = False,
    layout: str | None = None,
    seed: int = 0,
    shard: int = SHARD,
    workers: int | None = None,
    executor: str | None = None,
    skip_broken: bool = False,
    kind: str | None = None,
    exif: bool = False,
    split: str = "test",
    quiet: bool = True,
) -> BuildReport:
    """Build the set in the folder `out`; finish or recognise the one that is there.

    The conditions are the clean image if asked for, those of the suite, and the free ones of
    `conditions`; a set of sequences holds those of the suite and `perturbations`. Edition and
    layout are the suite's unless given; without a suite they are `any` and `folder`, of sequences
    `frames`. `kind`, `exif` and `split` say how a path is opened; with an open source, give
    the `exif` that it was opened with. `workers` is the number of threads, all cores by default.
    What cannot be built, or is there but is something else, is a `BuildError`.
    """
    asked = order(
        suite=suite,
        extra=extra,
        edition=edition,
        conditions=conditions,
        perturbations=perturbations,
        clean=clean,
        layout=layout,
        seed=seed,
        shard=shard,
        exif=exif,
    )
    workers = usable_cores() if workers is None else workers
    if workers < 1:
        raise BuildError(f"There must be 1 worker or more; got {workers}.")
    mapped = EXECUTORS.load(executor or ("serial" if workers == 1 else "threads")).map
    root = Path(out)
    if not isinstance(source, Source):
        _refuse_within(Path(source), root)
        source = open_source(source, kind=kind, exif=exif, split=split)
    check_labels(source.items, source.classes)

    def look(work: Work) -> Survey:
        return survey(
            source,
            Kept(work.path / "scan.parquet"),
            stamp=stamp,
            workers=workers,
            skip_broken=skip_broken,
            quiet=quiet,
        )

    with disk_errors(f"The build of {root}", BuildError), Work(root) as work, one_inner_thread():
        stamp = stamp_of(source, exif)
        if done := manifest.read(root):
            if stamp is not None and done["source"]["stamp"] == stamp:
                known = done["plan"]["source"], done["plan"]["images"]
            else:
                seen = look(work)
                known = seen.fingerprint, len(seen.items)
            _refuse_other(root, done["plan"], asked.plan(*known, source.classes))
            if _whole(root):
                work.remove()
                return _report(root, done, resumed=known[1], complete=True)
            # Something was lost since, so it is no complete set any more; all of it is made anew.
            (root / manifest.JSON).unlink()
        seen = look(work)
        plan = asked.plan(seen.fingerprint, len(seen.items), source.classes)
        job = Job(
            root=root,
            scratch=work.path,
            items=seen.items,
            classes=source.classes,
            cells=asked.cells,
            size=prepared_size(seen, asked.edition),
            jpeg=asked.edition.jpeg,
            shard=asked.shard,
        )
        with contextlib.closing(asked.layout.open(job)) as writer:
            work.settle({**plan, "shard": asked.shard})
            writer.begin()
            one = _Image(source, seen, asked, writer)
            resumed = _run(one, job, work, mapped, workers=workers, quiet=quiet)
            facts = {
                "skipped": list(seen.skipped),
                "source": {"kind": source.kind, "stamp": stamp},
                "images_a_shard": asked.shard,
            }
            # A set with a manifest is complete, so everything else must be on the disk before it.
            os.sync()
            tables = _tables(work, writer, _shards(job) if asked.layout.files_a_shard else 0)
            made = manifest.write(root, plan, tables, facts)
        work.remove()
    return _report(root, made, resumed=resumed, complete=False)


def _run(
    one: "_Image", job: Job, work: Work, mapped: OrderedMap, *, workers: int, quiet: bool
) -> int:
    """Take all unfinished shards through; returns how many images were finished before."""
    todo = [number for number in range(_shards(job)) if not _ended(work, one.writer, number)]
    images = [index for number in todo for index in _indices(job, number)]
    before = len(job.items) - len(images)
    with (
        Progress(len(job.items), label="building", done=before, quiet=quiet) as progress,
        contextlib.closing(mapped(one, images, workers=workers)) as results,
        one,
    ):
        for index, written in zip(images, results, strict=True):
            one.writer.take(index, written)
            number = index // job.shard
            if index == _indices(job, number)[-1]:
                work.end(number, one.writer.end_shard(number))
            progress.advance()
    return before


class _StoppedError(Exception):
    """Ends the images that are under way when the build itself has ended."""


class _Image:
    """Takes one image through everything; called in the workers. On exit it stops them."""

    def __init__(self, source: Source, seen: Survey, asked: Order, writer: Writer) -> None:
        self._source, self._seen, self._asked, self.writer = source, seen, asked, writer
        self._stop = threading.Event()

    def __call__(self, index: int) -> Any:
        item = self._seen.items[index]
        data = self._source.read(item)
        if hashlib.sha256(data).hexdigest() != self._seen.digests[index]:
            raise BuildError(
                f"{item.name} has changed since the build began; restore it, or build anew."
            )
        pixels = self._source.decode(item, data)
        if not self._asked.moving:
            # A sequence prepares the picture itself: the crop is the last step of every frame.
            pixels = self._asked.edition.prepare(pixels)
        return self.writer.write(index, self._pictures(pixels, item.key))

    def _pictures(self, pixels: Pixels, key: str) -> Iterator[Pixels]:
        for cell in self._asked.cells:
            if self._stop.is_set():
                raise _StoppedError
            one, seed = cell.condition, self._asked.seed
            try:
                if isinstance(one, FrameSequence):
                    yield from one.frames(pixels, seed=seed, key=key)
                else:
                    yield one.apply(pixels, seed=seed, key=key)
            except BrittleError as error:
                raise BuildError(f"{cell.name} of {key}: {error}") from error

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._stop.set()


def _ended(work: Work, writer: Writer, number: int) -> bool:
    """Say whether an earlier run ended a shard and its files are there; if not, forget it."""
    rows = work.part(number)
    if rows is None:
        return False
    columns = (rows.column(name).to_pylist() for name in manifest.Row._fields[:3])
    if writer.intact(number, zip(*columns, strict=True)):
        return True
    work.undo(number)
    return False


def _tables(work: Work, writer: Writer, shards: int) -> Iterator[Any]:
    yield from work.parts(shards)
    yield manifest.table(writer.finish())


def _shards(job: Job) -> int:
    return -(-len(job.items) // job.shard)


def _indices(job: Job, number: int) -> range:
    return range(number * job.shard, min((number + 1) * job.shard, len(job.items)))


def _refuse_other(out: Path, there: dict[str, Any], plan: dict[str, Any]) -> None:
    if said := manifest.differences(there, plan):
        raise BuildError(
            f"{out} holds a complete set of something else: {'; '.join(said)}. Give another folder."
        )


def _whole(out: Path) -> bool:
    """Whether the files of a complete set are there, by size; `verify` looks inside them."""
    for table in manifest.rows(out):
        columns = (table.column(name).to_pylist() for name in ("path", "size"))
        if not all(same_size(out / path, size) for path, size in zip(*columns, strict=True)):
            return False
    return True


def _refuse_within(source: Path, out: Path) -> None:
    inner, outer = out.resolve(), source.resolve()
    if outer.is_dir() and inner.is_relative_to(outer):
        raise BuildError(
            f"The set {out} would lie inside its source {source} and become a part of it; give "
            f"a folder outside."
        )


def _report(out: Path, made: dict[str, Any], *, resumed: int, complete: bool) -> BuildReport:
    plan = made["plan"]
    return BuildReport(
        out=out,
        images=plan["images"],
        conditions=len(plan["conditions"]),
        files=made["files"],
        bytes=made["bytes"],
        skipped=tuple(made["skipped"]),
        fingerprint=made["fingerprint"],
        resumed=resumed,
        complete=complete,
    )

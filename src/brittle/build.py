"""A data set on disk: every image of a source under every condition, with a manifest.

The unit of work is a shard of images: each is decoded and prepared once and put through all
conditions. A build that was stopped, by whatever, goes on where it was when it is called again
with the same arguments, and ends in the same bytes.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from brittle import conditions as conditions_
from brittle import editions, manifest, seeds, suites
from brittle.errors import BuildError
from brittle.executors import usable_cores
from brittle.layouts import LAYOUTS, Job, cells
from brittle.layouts._survey import prepared_size, stamp_of, survey
from brittle.layouts._work import Work
from brittle.sources import Source

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
    was_complete: bool
    """Whether there was nothing to do."""


def build(
    source: Source | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    suite: str | None = "imagenet-c",
    extra: bool = False,
    edition: str | None = None,
    conditions: Sequence[str] = (),
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
    """Build the set in the folder `out`, or finish or recognise the one that is there.

    The conditions are the clean image if asked for, those of the suite, and the free ones of
    `conditions`. Edition and layout are the suite's unless given; without a suite they are `any`
    and `folder`. `kind`, `exif` and `split` say how a path is opened; with an open `source`, give
    the `exif` that it was opened with. `workers` is the number of threads, all cores by default.
    """
    found = None if suite is None else suites.get(suite)
    used = editions.get(edition or (found.edition if found else "any"))
    chosen = layout or (found.layout if found else "folder")
    part = LAYOUTS.load(chosen)
    listed = found.conditions(extra=extra, edition=used.name) if found else ()
    first = (conditions_.condition(conditions_.CLEAN, edition=used.name),) if clean else ()
    free = (conditions_.condition(text, edition=used.name) for text in conditions)
    placed = cells((*first, *listed, *free))
    workers = usable_cores() if workers is None else workers
    if shard < 1 or workers < 1:
        raise BuildError(
            f"There must be 1 image a shard and 1 worker or more; got {shard}, {workers}."
        )
    seeds.stream(seed, "", "")
    source, root = _opened(source, Path(out), kind=kind, exif=exif, split=split)

    with Work(root) as work:
        stamp = stamp_of(source, exif)
        done = manifest.read(root)
        plan: dict[str, Any] = {
            "suite": found.name if found else None,
            "edition": used.name,
            "conditions": [
                {"name": cell.name, "group": cell.group, "severity": cell.severity}
                for cell in placed
            ],
            "versions": {k: v for cell in placed for k, v in cell.condition.versions.items()},
            "seed": seed,
            "generation": seeds.GENERATION,
            "layout": chosen,
            "shard": shard if part.sharded else None,
            "exif": exif,
            "classes": list(source.classes),
        }
        if done is not None and stamp is not None and done["source"]["stamp"] == stamp:
            plan["source"], plan["images"] = done["plan"]["source"], done["plan"]["images"]
        else:
            seen = survey(
                source,
                work,
                stamp=stamp,
                workers=workers,
                skip_broken=skip_broken,
                quiet=quiet,
            )
            plan["source"], plan["images"] = seen.fingerprint, len(seen.items)
        if done is not None:
            if said := manifest.differences(done["plan"], plan):
                raise BuildError(
                    f"{root} holds a complete set of something else: {'; '.join(said)}. Give "
                    f"another folder."
                )
            work.remove()
            return _report(root, done, resumed=plan["images"], was_complete=True)

        size = prepared_size(seen, used)
        job = Job(root, work.path, seen.items, source.classes, placed, size, used.jpeg, shard)
        with contextlib.closing(part.open(job)) as writer:
            work.settle({**plan, "shard": shard})

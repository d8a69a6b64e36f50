"""A report of runs: one HTML file that shows what broke, how surely, and what exactly was run."""

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from brittle._run import Run
from brittle.errors import RunError, ScoreError, SpecError
from brittle.files import disk_errors, write_bytes
from brittle.scoring import bootstrap
from brittle.scoring.bootstrap import LEVEL, REPLICATES
from brittle.sections import SECTIONS, Known, Material, Missing, in_order
from brittle.sections._album import Album, Place
from brittle.sections._chart import need_charts
from brittle.sections._html import Html
from brittle.sections._material import names_of
from brittle.sections._shell import page
from brittle.sections._words import counted, listed

AnyRun: TypeAlias = Run | str | os.PathLike[str]


def report(
    runs: AnyRun | Sequence[AnyRun],
    out: str | os.PathLike[str],
    *,
    data: Place | Sequence[Place] = (),
    title: str | None = None,
    baseline: AnyRun | None = None,
    published: Mapping[str, Sequence[Known]] | None = None,
    replicates: int = REPLICATES,
    level: float = LEVEL,
    kind: str | None = None,
    split: str = "test",
) -> Path:
    """Write the report of one run or of several, and return the file's path.

    The first of several runs is the one that the others are compared with. `data` is where the
    pictures are, which a run does not keep: a path or a source as for `brittle.evaluate`, or
    several; only pictures with the recorded digests are shown. `kind` and `split` say how paths are
    opened. `published` holds rows of papers by suite (`brittle.sections.Known`), to stand beside
    the runs. `baseline`, `replicates` and `level` are those of `Run.scores`.

    The file is whole or not there. What cannot be reported is a `BrittleError` that says what to
    do; a section that the runs do not hold enough for says so on the page.
    """
    bootstrap.check(replicates, level)
    given = [runs] if isinstance(runs, (Run, str, os.PathLike)) else list(runs)
    if not given:
        raise RunError("A report needs at least one run; give the folder of one.")
    path = Path(out)
    if path.suffix.lower() not in (".html", ".htm") or path.is_dir():
        raise SpecError(f"A report is a file that ends in .html; got {path}.")
    need_charts()
    opened = tuple(map(Run.open, given))
    twice = [run.path for run in opened if [one.path for one in opened].count(run.path) > 1]
    if twice:
        raise RunError(f"The run {twice[0]} is given twice; give each once.")
    if strange := sorted(set(published or {}) - {name for run in opened for name in run.suites}):
        raise SpecError(f"There are published rows of {strange[0]}, and no run holds that suite.")
    places = [data] if isinstance(data, (str, Path)) or not isinstance(data, Sequence) else data
    material = Material(
        runs=opened,
        names=names_of(opened),
        baseline=Run.baseline(baseline),
        replicates=replicates,
        level=level,
        album=Album(tuple(places), kind=kind, split=split),
        published=published or {},
    )
    for name, views in material.suites.items():
        for view in views:
            if not view.whole:
                warnings.warn(
                    f"{view.name} is not finished on {name}: the same brittle evaluate goes on "
                    f"where it stopped. The report shows what there is.",
                    stacklevel=2,
                )
    text = _made(material, title)
    with disk_errors(f"The report {path}", RunError):
        write_bytes(path, text.encode())
    return path


def _placeless(text: str, material: Material) -> str:
    """Return a reason without the folders of this machine, which the page must not name."""
    for name, run in zip(material.names, material.runs, strict=True):
        text = text.replace(str(run.path), f"the run of {name}")
    return text


def _made(material: Material, title: str | None) -> str:
    parts: dict[str, tuple[str, Html]] = {}
    left_out: list[tuple[str, str]] = []
    for name in in_order():
        section = SECTIONS.load(name)
        try:
            made = section.make(material)
        except ScoreError as error:
            made = Missing(_placeless(str(error), material))
        if not isinstance(made, Missing):
            parts[name] = (section.title, made)
        elif made.why:
            left_out.append((section.title, made.why))
    about = (
        f"How easily {'it breaks' if len(material.names) == 1 else 'they break'}: "
        f"{listed(list(material.suites))}, {counted(len(material.runs), 'run')}."
    )
    return page(title or listed(material.names), about, parts, left_out)

"""Perturbing image files into films: what is read, where it goes, how it is written."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from brittle._corrupt_files import Task, mapped
from brittle._film_files import FORMATS, png_names, write
from brittle._perturb import frames_of
from brittle.errors import BuildError, ImageError, SpecError
from brittle.films import need_video
from brittle.layouts import place
from brittle.sequences import FrameSequence
from brittle.sources import Broken

ENDINGS = FORMATS[:-1]
"""The endings of files that hold a film; PNG frames lie in a folder."""


class Film(NamedTuple):
    """One picture under one perturbation, and the file or the folder that its frames go to."""

    task: Task
    asked: FrameSequence
    path: Path
    form: str

    @property
    def files(self) -> list[Path]:
        """The files that it will be."""
        if self.form != "png":
            return [self.path]
        return [self.path / name for name in png_names(self.asked.count)]


def films(
    tasks: Sequence[Task], asked: Sequence[FrameSequence], out: Path, form: str | None
) -> list[Film]:
    """Return what is to be made: `out` itself for one film, else `out/PERTURBATION/KEY`."""
    if not asked:
        raise SpecError("Say what to do with -p, such as -p tilt, or use --sheet.")
    names = [place(item) for item in asked]
    if twins := {name for name in names if names.count(name) > 1}:
        raise SpecError(f"The perturbation {min(twins)} is asked for twice; name it once.")
    count = len(tasks) * len(asked)
    ending = out.suffix.lower().removeprefix(".")
    if not out.is_dir() and ending in ENDINGS:
        if count != 1:
            raise SpecError(
                f"{out} is the name of one film, but {count} would be made; give a folder, and "
                f"--format {ending}."
            )
        if form not in (None, ending):
            raise SpecError(f"{out} and --format {form} contradict each other; leave one out.")
        made = [Film(tasks[0], asked[0], out, ending)]
    elif not out.is_dir() and ending and count == 1:
        raise SpecError(
            f"{out} has an ending that cannot be written; use one of .{', .'.join(ENDINGS)}, or "
            f"name a folder without a dot."
        )
    else:
        tail = f".{form}" if form in ENDINGS else ""
        made = [
            Film(task, item, out / name / f"{task.item.key}{tail}", form or "png")
            for task in tasks
            for item, name in zip(asked, names, strict=True)
        ]
    if made[0].form == "mp4":
        need_video()
    return made


def run(
    made: Sequence[Film],
    *,
    seed: int,
    fps: float,
    workers: int | None = None,
    quiet: bool = True,
) -> list[Broken]:
    """Make every film; returns the pictures that did not decode."""
    tasks = list({film.task.item.key: film.task for film in made}.values())
    mine: dict[str, list[Film]] = {task.item.key: [] for task in tasks}
    for film in made:
        mine[film.task.item.key].append(film)

    def one(task: Task) -> Broken | None:
        item = task.item
        try:
            pixels = task.source.load(item)
            for film in mine[item.key]:
                asked = film.asked
                frames = frames_of(asked, pixels, seed=seed, key=item.key, prepare=True)
                write(film.path, film.form, frames, asked.count, fps=fps, grain=asked.grain)
        except ImageError as error:
            said = str(error).removeprefix(f"{item.name}: ")
            return Broken(str(task.source.root / item.name), said)
        return None

    try:
        done = mapped(one, tasks, workers, quiet, "perturbing")
        return [broken for broken in done if broken is not None]
    except OSError as error:
        raise BuildError(
            f"{error.filename or 'A film'} cannot be written ({error.strerror or error}); "
            f"give another OUT, or make room there."
        ) from error

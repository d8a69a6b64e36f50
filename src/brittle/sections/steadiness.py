"""Steadiness: how often the answer changes while the picture hardly does, and where."""

import warnings
from collections.abc import Sequence

from brittle import reports
from brittle.baselines import BASELINES
from brittle.errors import ScoreError, SourceError
from brittle.labels import which
from brittle.outcomes import Cell
from brittle.scoring.bootstrap import Number
from brittle.scoring.moving import by_frame
from brittle.sections._album import ELSEWHERE, Album
from brittle.sections._answers import share
from brittle.sections._chart import figure, svg
from brittle.sections._html import Html, joined, tag
from brittle.sections._lines import Axis, Line, panel, top
from brittle.sections._marks import Bar, bars
from brittle.sections._material import Material, View
from brittle.sections._table import noted
from brittle.sections._thumbnail import thumbnail
from brittle.sections._unsteady import RULE, Film, chosen
from brittle.sections._words import breakable, called, legend, shown, under
from brittle.sections.base import Missing, Section
from brittle.types import Pixels

MOST, SHARED, SIDE = 3, 6, 120
"""Films of a run, and of all runs together; pixels of a frame."""
HOW = "To see the frames, give the pictures again: brittle report RUN --data DIR."


def make(material: Material) -> Html | Missing:
    """Show the suites that hold sequences."""
    if not material.only(lambda view: view.suite.moving):
        return Missing()
    steady = material.only(lambda view: view.suite.moving and bool(view.flips.errors))
    if not steady:
        return Missing("No perturbation was measured on every picture yet; finish the run.")
    count = max(1, min(MOST, SHARED // sum(map(len, steady.values()))))
    made = []
    for at, (name, views) in enumerate(steady.items()):
        parts = [_chart(views), *(_numbers(material, view) for view in views)]
        parts += [_where(at, views), _films(material.album, views, count)]
        made.append((name, parts))
    return under(made)


def _chart(views: Sequence[View]) -> Html:
    """Draw the flip probability under each perturbation, beside AlexNet's where that is fair."""
    rows: list[Bar] = []
    beside = False
    for cell in dict.fromkeys(cell for view in views for cell in view.flips.errors):
        for view in views:
            number = view.flips.errors.get(_same(view, cell))
            if number is not None:
                said = f"{cell.condition}, {view.name}: {shown(number, unit='%')}"
                rows.append(Bar(cell.condition, number, said, view.place))
        printed = _printed(views, cell)
        if printed is not None:
            beside = True
            said = f"{cell.condition}, AlexNet: {printed:g} %, as printed"
            rows.append(Bar(cell.condition, Number(printed, printed, printed), said))
    title = "flip probability in %, lower is steadier"
    alt = f"{title}: " + "; ".join(row.said for row in rows)
    caption = "How often the foremost class of a frame is not that of its reference." + (
        " Grey diamonds are AlexNet as the paper prints it, whose frames went through a video "
        "codec."
        if beside
        else ""
    )
    drawn = figure(lambda width: bars(rows, title=title, width=width), alt=alt, caption=caption)
    return joined(legend(views) if len(views) > 1 else None, drawn)


def _same(view: View, cell: Cell) -> Cell:
    """Return the cell of a run that stands in the same row as another run's."""
    found = (one for one in view.flips.errors if one.condition == cell.condition)
    return next(found, cell)


def _printed(views: Sequence[View], cell: Cell) -> float | None:
    """Return AlexNet's flip probability, of ImageNet's classes under the published sequences."""
    baseline = BASELINES.load("alexnet")
    fair = cell.condition == cell.group and all(
        view.suite.edition == baseline.edition and which(view.run.classes) == baseline.classes
        for view in views
    )
    return baseline.moves("flips", cell.group) if fair else None


def _numbers(material: Material, view: View) -> Html:
    sheet = reports.grid(
        view.run, view.suite.name, baseline=material.baseline, replicates=material.replicates,
        level=material.level,
    )  # fmt: skip
    return tag("details", tag("summary", f"{view.name}: all numbers"), noted(sheet))


def _where(at: int, views: Sequence[View]) -> Html:
    """Draw how many sequences flip at each frame, a panel a perturbation."""
    found: dict[str, list[Line]] = {}
    for view in views:
        try:
            steps = by_frame(
                view.suite, view.outcomes, replicates=view.replicates, level=view.level
            )
        except ScoreError:
            # Films of different lengths have no frame in common.
            continue
        for name in dict.fromkeys(name for step in steps for name in step.flips):
            some = [(step.frame, step.flips[name]) for step in steps if name in step.flips]
            line = Line(view.place, [frame for frame, _ in some], [rate for _, rate in some])
            found.setdefault(name, []).append(line)
    if not found:
        return joined()
    y = Axis(0, top([line for lines in found.values() for line in lines]))
    panels = [
        tag("div", tag("h4", breakable(name)), svg(_panel(lines, y), alt=_alt(name, lines, views)),
            class_="small")
        for name, lines in found.items()
    ]  # fmt: skip
    about = "Sequences that flip at each frame, in %. A peak is the perturbation's or a threshold's"
    return joined(
        tag("h4", "Where it flips"),
        tag("p", f"{about}; a level curve is chance.", class_="about"),
        legend(views, group=f"frames-{at}"),
        tag("div", panels, class_="curves"),
    )


def _panel(lines: Sequence[Line], y: Axis) -> dict[str, object]:
    return panel(lines, Axis(0, max(x for line in lines for x in line.x), whole=True), y)


def _alt(name: str, lines: Sequence[Line], views: Sequence[View]) -> str:
    names = {view.place: view.name for view in views}
    said = []
    for line in lines:
        place = max(range(len(line.x)), key=lambda n: line.y[n].value)
        most = f"most at frame {line.x[place]:g}, {line.y[place].value:.1f} %"
        said.append(f"{names[line.place]} {most}")
    return f"Sequences that flip under {name}, by frame: {'; '.join(said)}"


def _films(album: Album, views: Sequence[View], count: int) -> Html:
    films = [(view, film) for view in views for film in chosen(view, count)]
    if not films:
        return tag("p", "No sequence flips.", class_="about")
    frames = [_pictures(album, view, film) for view, film in films]
    made = [_film(*one, some) for one, some in zip(films, frames, strict=True)]
    why = (ELSEWHERE if album else HOW) if None in frames else None
    hint = tag("p", why, class_="refused") if why else None
    return joined(tag("h4", "Sequences that flip"), tag("p", RULE, class_="about"), made, hint)


def _pictures(album: Album, view: View, film: Film) -> list[Pixels] | None:
    """Return the frames up to the last one that is shown; None where they are not at hand."""
    if not album:
        return None
    last = film.frames[-1].number + 1
    try:
        return album.frames(view.run, film.cell.set, film.found.key, film.cell.condition, last)
    except SourceError as error:
        # Not on the page, which is shown around: the reason has places of this machine.
        warnings.warn(f"Frames of {view.name} are not shown: {error}.", stacklevel=2)
        return None


def _film(view: View, film: Film, pictures: list[Pixels] | None) -> Html:
    found = film.found
    told = []
    for frame in film.frames:
        said = called(view.run.classes, view.run.classes[frame.answer.place])
        alt = f"frame {frame.number} of {film.cell.condition}: called {said}"
        picture = thumbnail(pictures[frame.number], alt, side=SIDE) if pictures else None
        told.append(
            tag(
                "div",
                picture,
                tag("span", f"frame {frame.number}", class_="cond"),
                tag("span", "\u2192 " if frame.flips else None, said,
                    class_="flips" if frame.flips else None),
                share(frame.answer, known=not view.suite.foremost_only),
                class_="side",
            )
        )  # fmt: skip
    about = f"{view.name}, {film.cell.condition}: {found.flips} flips in {found.of} comparisons"
    truth = f"; truth: {called(view.run.classes, found.label)}" if found.label else ""
    caption = tag("figcaption", about, truth, tag("code", found.key))
    return tag("figure", tag("div", told, class_="film"), caption, class_="broke wide-strip")


PART = Section(
    title="How steady it is",
    needs="sequences: a suite such as imagenet-p, perturbations, or footage",
    place=65,
    make=make,
)

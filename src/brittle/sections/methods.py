"""Methods: what exactly was run on what, with what, and whom to cite."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from brittle._given import short
from brittle._version import __version__
from brittle.calibration import CALIBRATION
from brittle.conditions import CLEAN
from brittle.detectors import DETECTORS
from brittle.errors import ScoreError
from brittle.outcomes import UNLABELLED, UNNAMED, Cell
from brittle.scoring.described import described
from brittle.scoring.trusting import USUALLY
from brittle.sections._bibliography import entries
from brittle.sections._html import Html, joined, tag
from brittle.sections._material import Material, View
from brittle.sections._trust import possible
from brittle.sections._words import counted, listed
from brittle.sections.base import Missing, Section
from brittle.spec import parse

NAMED = ("iid", "shift", "out", "fit")
"""Roles of sets that have names of their own."""
SHOWN = 16
"""Letters of a digest on the page; the run holds the whole."""


def make(material: Material) -> Html | Missing:
    """Describe every run, how numbers were made, and give the references."""
    runs = [
        _run(
            name,
            run.info,
            [v for views in material.suites.values() for v in views if v.place == place],
        )
        for place, (name, run) in enumerate(zip(material.names, material.runs, strict=True))
    ]
    found, plain = entries(_citations(material))
    references = tag(
        "details",
        tag("summary", "References (BibTeX)"),
        tag("pre", "\n\n".join(found), class_="bib"),
        tag("ul", [tag("li", one) for one in plain], class_="notes") if plain else None,
        open=True,
    )
    return joined(runs, tag("h3", "Numbers"), tag("p", _numbers(material)), _formulas(material),
                  references)  # fmt: skip


def _run(name: str, info: Mapping[str, Any], views: list[View]) -> Html:
    rows = [*_model(info), *(row for view in views for row in _suite(view)), *_work(info)]
    pairs = [(tag("dt", title), tag("dd", said)) for title, said in rows if said]
    return joined(tag("h3", name), tag("dl", pairs))


def _model(info: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    model = info["model"]
    yield "model", short(str(info.get("spec") or model.get("kind") or model.get("spec") or ""))
    digest = model.get("digest")
    yield "weights", f"SHA-256 {digest[:SHOWN]}\u2026" if digest else "cannot be seen"
    prepared = {
        name: model[name]
        for name in ("size", "resize", "crop_mode", "interpolation", "mean", "std")
        if model.get(name) is not None
    }
    said = (f"{name} {_list(value, name)}" for name, value in prepared.items())
    yield "its preparation", "; ".join(said)
    yield "precision", str(model.get("precision", ""))


def _suite(view: View) -> Iterator[tuple[str, Any]]:
    suite, info = view.suite, view.run.info
    yield f"suite {suite.name}", suite.about
    for name in dict.fromkeys(cell.set for cell in suite.cells):
        entry = info["sets"][name]
        cells = [cell for cell in suite.cells if cell.set == name]
        outcome = view.outcomes[name]
        labelled = not all(cell.role in UNNAMED for cell in cells)
        unknown = int((outcome.ranks == UNLABELLED).any(axis=1).sum()) if labelled else 0
        names = dict.fromkeys(cell.group for cell in cells if cell.role in NAMED)
        yield (
            f"pictures: {', '.join(names)}" if names else "pictures",
            "; ".join(_pictures(entry, cells, unknown)),
        )
    versions = suite.facts.get("versions") or {}
    if versions:
        apart = [f"{part} {version}" for part, version in sorted(versions.items()) if version != 1]
        yield (
            "perturbations" if suite.moving else "corruptions",
            f"{len(versions)}, "
            + (f"version 1 each, but {listed(apart)}" if apart else "version 1 each"),
        )


def _pictures(entry: Mapping[str, Any], cells: Sequence[Cell], unknown: int) -> Iterator[str]:
    plain = all(cell.condition == CLEAN for cell in cells)
    under = "as they are" if plain else f"under {counted(len(cells), 'condition')}"
    yield f"{counted(entry['images'], 'image')} {under}"
    if unknown:
        yield f"{unknown:,} of them without a label, which no score counts"
    yield f"edition {entry['edition']}"
    said = {"generated": "pixels generated in memory", "read": "pixels read from files"}
    if not plain:
        yield said.get(entry["pixels"], f"pixels {entry['pixels']}")
    facts = entry["facts"]
    if entry.get("frames"):
        if facts.get("codec"):
            yield f"frames sent through {facts['codec']}"
        elif facts.get("codec_skipped"):
            yield "frames did not go through the video codec of the published set"
    elif entry["pixels"] == "generated" and not plain:
        quality = facts.get("jpeg")
        yield f"JPEG round trip at quality {quality}" if quality else "no JPEG round trip"
    if entry.get("subset"):
        yield f"outputs restricted to {entry['subset']}"
    if entry.get("resized"):
        yield "resized to the model's input"
    if facts.get("exif"):
        yield "turned upright by EXIF"
    if facts.get("skipped"):
        yield f"{counted(len(facts['skipped']), 'broken image')} left out"
    yield f"fingerprint {entry['fingerprint'][:SHOWN]}\u2026"


def _work(info: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "seed", f"{info['seed']} (draws {info['generation']})"
    sessions = info["sessions"]
    if not sessions:
        return
    total = sum(one["predictions"] for one in sessions)
    seconds = sum(one["seconds"] for one in sessions)
    yield (
        "measured",
        f"{sessions[0]['begun'][:10]}, {counted(total, 'prediction')} in {seconds / 60:,.1f} "
        "minutes" + (f" of {len(sessions)} sessions" if len(sessions) > 1 else ""),
    )
    last = sessions[-1]
    yield "on", f"{last['platform']}, {last['cores']} cores, device {last.get('device')}"
    made: dict[str, None] = {}
    for one in sessions:
        packages = ", ".join(f"{name} {version}" for name, version in one["made_with"].items())
        made[f"Python {one['python']}, {packages}"] = None
    yield "with", "; ".join(made)


def _numbers(material: Material) -> str:
    said = "Errors are top-1 unless a title says otherwise. "
    if material.replicates:
        said += (
            f"Intervals hold the middle {100 * material.level:g} % of {material.replicates:,} "
            "bootstrap replicates over images; all conditions of an image, and both models of a "
            "comparison, share their draws. They say how a number would vary over other images "
            "of the same kind, and not over other seeds of the corruptions or of training. "
        )
    return said + f"Scored, and this page made, by brittle {__version__}."


def _formulas(material: Material) -> Html:
    names = dict.fromkeys(
        score.name for views in material.suites.values() for view in views for score in view.scores
    )
    rows = []
    for name in names:
        metric = described(name)
        rows.append((tag("dt", metric.title), tag("dd", tag("code", metric.formula))))
    return tag("dl", rows)


def _citations(material: Material) -> list[str]:
    said: dict[str, None] = {}
    for name, views in material.suites.items():
        for view in views:
            said[view.suite.citation] = None
            for score in view.scores:
                said[score.citation] = None
            if view.suite.strange:
                with suppress(ScoreError):
                    rows = view.detection.rows
                    said |= {DETECTORS.load(parse(r.detector).name).citation: None for r in rows}
            if possible(view):
                said |= {CALIBRATION.load(one).citation: None for one in USUALLY}
        for row in material.beside(name):
            said[row.source] = None
    return [one for one in said if one]


def _list(value: Any, name: str) -> str:
    """Return sizes as height by width, and what is said of each colour as a list."""
    sign = " \u00d7 " if name in ("size", "resize") else ", "
    return sign.join(map(str, value)) if isinstance(value, list) else str(value)


PART = Section(
    title="Methods",
    needs="any suite",
    place=900,
    make=make,
)

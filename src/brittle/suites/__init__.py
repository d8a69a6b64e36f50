"""Suites: what to measure or to build, as data: one TOML file each, its name is the suite's.

A file says `about`, `edition`, `citation` and one of six things: `corruptions` (in the order of
the tables) with `severities` and perhaps `extra` corruptions; `conditions`, a list of free ones;
`perturbations`, whose frames are measured, and perhaps `extra` ones; `footage`, one's own films;
`outliers`, "one" set or "several" of what the model does not know; or `photographs`, which are
measured as they are: "one" set, or "several" of which the first is in-distribution. With
`task = "multi"` a picture may have several classes; `keep` says what of the outputs is kept.
`layout` says how it is built; `scores` (the foremost first), `baseline`, `classes`, `subset` and
`indices` say how it is measured. Your own file works by its path: `get("my/night.toml")`.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from brittle import conditions, editions, labels, separation
from brittle.baselines import BASELINES
from brittle.conditions import Condition
from brittle.corruptions import CORRUPTIONS
from brittle.errors import SpecError
from brittle.families import hint
from brittle.metrics import find
from brittle.perturbations import PERTURBATIONS
from brittle.rows import SEVERITIES
from brittle.sequences import FrameSequence, sequence
from brittle.spec import parse

PRECISIONS = ("map", "weighted_map")
"""Mean average precision, plain and weighted by how frequent classes are."""
KINDS = ("corruptions", "conditions", "perturbations", "footage", "outliers", "photographs")
"""What a suite is made of: one of these."""


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Conditions under one name; either a grid of corruptions and severities or a free list."""

    name: str
    about: str
    edition: str
    layout: str = "folder"
    citation: str = ""
    corruptions: tuple[str, ...] = ()
    severities: tuple[int, ...] = SEVERITIES
    extra: tuple[str, ...] = ()
    """More corruptions or perturbations, taken only when asked for."""
    free: tuple[str, ...] = ()
    """Texts of free conditions, chains among them, instead of a grid."""
    perturbations: tuple[str, ...] = ()
    """Texts of perturbations, in the order of the tables, instead of a grid."""
    footage: bool = False
    """Whether the data are films, whose frames are measured as they are."""
    outliers: str | None = None
    """`one` or `several` sets of what the model does not know, beside in-distribution pictures."""
    task: str = "single"
    """`single`, one class a picture; `multi`, several, each by a sigmoid."""
    keep: tuple[str, ...] = ()
    """What of the outputs the scores read besides what every run keeps."""
    photographs: str | None = None
    """`one` or `several`: sets of photographs that are measured as they are, instead of a grid."""
    scores: tuple[str, ...] = ("top1_error",)
    """Names of the metrics that sum it up, the foremost first."""
    baseline: str | None = None
    """The baseline that errors are divided by, in the suite's own edition."""
    classes: str | None = None
    """The list of classes of a model with so many outputs that does not name them."""
    subset: str | None = None
    """The classes that alone count; the outputs of others are left out."""
    indices: bool = False
    """Whether labels that are whole numbers are indices of `classes` (ImageNetV2's folders)."""

    def conditions(
        self, *, extra: bool = False, edition: str | None = None
    ) -> tuple[Condition, ...]:
        """Return the conditions in the suite's order: corruption by corruption, then severity."""
        if self.photographs is not None or self.outliers is not None or self.footage:
            raise SpecError(
                f"The suite {self.name} is of {'films' if self.footage else 'photographs'} as they "
                f"are: it has no conditions to build. Measure it with brittle evaluate."
            )
        if extra and not self.extra:
            raise SpecError(f"The suite {self.name} has no extra parts; leave --extra out.")
        if self.perturbations:
            return ()
        edition = self.edition if edition is None else edition
        names = self.corruptions + (self.extra if extra else ())
        return tuple(
            conditions.condition(name, edition=edition, severity=severity)
            for name in names
            for severity in self.severities
        ) + tuple(conditions.condition(text, edition=edition) for text in self.free)

    def sequences(
        self, *, extra: bool = False, edition: str | None = None
    ) -> tuple[FrameSequence, ...]:
        """Return the sequences in the suite's order; none where it has no perturbations."""
        if extra and not self.extra:
            raise SpecError(f"The suite {self.name} has no extra parts; leave --extra out.")
        edition = self.edition if edition is None else edition
        texts = self.perturbations + (self.extra if extra and self.perturbations else ())
        return tuple(sequence(text, edition=edition) for text in texts)


def names() -> tuple[str, ...]:
    """Return the names of the suites that come with brittle, in ABC order."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def get(name: str) -> Suite:
    """Return the suite of that name, or the one in the TOML file of that path."""
    if name in names():
        return read(name, resources.files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))
    if not name.endswith(".toml"):
        raise SpecError(f"{hint(name, names(), 'suite')} A path to your own suite ends in .toml.")
    path = Path(name)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise SpecError(f"The suite file {name} cannot be read: {error}.") from error
    if path.stem in names():
        raise SpecError(
            f"The suite file {name} has the name of brittle's own suite {path.stem}; rename it, "
            f"so that results under one name mean one thing."
        )
    return read(path.stem, text)


def read(name: str, text: str) -> Suite:
    """Make a checked suite from the text of its file."""
    where = f"The suite {name}"
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{where} is not TOML: {error}.") from error
    for key in found:
        if key not in _CHECKS:
            raise SpecError(f"{where}: {hint(key, _CHECKS, 'field')}")
    for key, (good, wanted) in _CHECKS.items():
        if key in found and not good(found[key]):
            raise SpecError(f"{where}: {key} must be {wanted}; got {found[key]!r}.")
    if missing := [key for key in ("about", "edition") if key not in found]:
        raise SpecError(f"{where} does not say its {' and '.join(missing)}.")
    if sum(key in found for key in KINDS) != 1:
        raise SpecError(f"{where} must give one of {', '.join(KINDS[:-1])} and {KINDS[-1]}.")
    if "severities" in found and "corruptions" not in found:
        raise SpecError(f"{where}: severities go with corruptions and nothing else.")
    if "extra" in found and not {"corruptions", "perturbations"} & found.keys():
        raise SpecError(f"{where}: extra goes with corruptions or perturbations.")
    editions.get(found["edition"])
    for key in ("classes", "subset"):
        if key in found and found[key] not in labels.names():
            raise SpecError(f"{where}: {hint(found[key], labels.names(), 'list of classes')}")
    for score in found.get("scores", ()):
        _check_score(score, found)
    if "baseline" in found and found["baseline"] not in BASELINES.names():
        raise SpecError(f"{where}: {hint(found['baseline'], BASELINES.names(), 'baseline')}")
    _known(where, found)
    free = found.pop("conditions", ())
    lists = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
    return Suite(name=name, free=tuple(free), **{**found, **lists})


def _check_score(score: str, found: Mapping[str, Any]) -> None:
    """Refuse the name of a score that no suite of this kind has."""
    if "outliers" in found:
        separation.ask(score)
    elif found.get("task") == "multi":
        if score not in PRECISIONS:
            raise SpecError(hint(score, PRECISIONS, "score of several classes a picture"))
    else:
        find(score)


def _known(where: str, found: Mapping[str, Any]) -> None:
    moving = "perturbations" in found
    listed = [*found.get("corruptions", ()), *found.get("extra", ())]
    for name in () if moving else listed:
        if name not in CORRUPTIONS.names():
            raise SpecError(f"{where}: {hint(name, CORRUPTIONS.names(), 'corruption')}")
    if moving:
        listed += found["perturbations"]
    for text in listed if moving else ():
        if parse(text).name not in PERTURBATIONS.names():
            raise SpecError(
                f"{where}: {hint(parse(text).name, PERTURBATIONS.names(), 'perturbation')}"
            )
        sequence(text, edition=found["edition"])
    for item in {*listed, *found.get("conditions", ())}:
        if [*listed, *found.get("conditions", ())].count(item) > 1:
            raise SpecError(f"{where} names {item} twice; name it once.")


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _severities(value: Any) -> bool:
    whole = isinstance(value, list) and all(type(item) is int for item in value)
    return whole and bool(value) and set(value) <= set(SEVERITIES) and value == sorted(set(value))


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "about": (_text, "a sentence"),
    "edition": (_text, "the name of an edition"),
    "layout": (_text, "the name of a layout"),
    "citation": (_text, "a text"),
    "severities": (_severities, "a rising list of severities from 1 to 5"),
    "corruptions": (_texts, "a list of corruptions"),
    "extra": (_texts, "a list of corruptions, or of perturbations"),
    "perturbations": (_texts, "a list of perturbations"),
    "outliers": (lambda value: value in ("one", "several"), "one or several"),
    "task": (lambda value: value in ("single", "multi"), "single or multi"),
    "keep": (_texts, "a list of logits, features, samples and ranking"),
    "footage": (lambda value: value is True, "true, or left out"),
    "conditions": (_texts, "a list of conditions"),
    "photographs": (lambda value: value in ("one", "several"), "one or several"),
    "scores": (_texts, "a list of metrics"),
    "baseline": (_text, "the name of a baseline"),
    "classes": (_text, "a list of classes that comes with brittle"),
    "subset": (_text, "a list of classes that comes with brittle"),
    "indices": (lambda value: isinstance(value, bool), "true or false"),
}

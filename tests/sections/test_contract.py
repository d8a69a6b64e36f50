"""Every section, found by discovery, makes HTML or says why not, whatever the runs hold."""

import sys
import types
import warnings

import cv2
import numpy as np
import pytest

from brittle import Run, films, open_model
from brittle.models import Settings
from brittle.sections import SECTIONS, Known, Material, Missing, in_order
from brittle.sections._album import Album
from brittle.sections._html import Html
from brittle.sections._material import names_of
from tests.helpers import runs as small
from tests.helpers.pages import fragment, nodes
from tests.sections.runs import GRID, labelled, measured, network
from tests.sections.strange import NARROW, WIDE, scenes, steady, strange

NAMES = SECTIONS.names()


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    """Material of every kind that a report may get."""
    root = tmp_path_factory.mktemp("kinds")
    source = labelled(root / "pictures", 36)
    one, _ = measured(root, "one", source=source, extra=True)
    two, _ = measured(root, "two", source=source, extra=True, model=network(seed=0))
    other, _ = measured(root, "other", source=labelled(root / "few", 4))
    shifts = small.measured(
        {"day": source, "night": labelled(root / "night", 12)}, root / "shifts", "shifts",
        model=network(),
    )  # fmt: skip
    free, _ = measured(
        root, "free", source=source,
        text=GRID[: GRID.index("corruptions = [")] + 'conditions = ["contrast(severity=2)"]\n',
    )  # fmt: skip
    flat, _ = measured(root, "flat", source=source, text=GRID.replace("[2, 5]", "[3]"))

    moved, moving = steady(root)
    again, _ = steady(root, "again", source=moving, model=f"{WIDE[:-1]}, seed=1)")
    clips = root / "clips"
    clips.mkdir()
    for key, count in (("a", 6), ("b", 9)):
        film(clips / f"{key}.mp4", count)
    footage = small.measured(clips, root / "footage", "footage", model=WIDE, classes=None)
    known_one = strange(root)
    known_two = strange(root, "stranger", model=f"{NARROW[:-1]}, seed=1)")

    few = strange(root, "unlabelled", count=30, labelled=False)
    # A shift that lacks classes, and sets on either side of a bin of calibration.
    night = root / "one"
    for number in range(12):
        place = night / small.CLASSES[2]
        place.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(place / f"{number}.png"), np.full((80, 96, 3), 20 * number, np.uint8))
    lacking = small.measured({"day": source, "night": night}, root / "lacking", "shifts",
                             model=network())  # fmt: skip
    with pytest.warns(UserWarning, match="about as many as by guessing"):
        uneven = small.measured(
            {"day": labelled(root / "many", 120), "night": labelled(root / "fewer", 87)},
            root / "uneven", "shifts", model=network(),
        )  # fmt: skip
    settings = Settings(classes=small.CLASSES)
    first = open_model(lambda batch: network()(batch).argmax(axis=1), settings)
    first.gives = "classes"
    chosen, _ = measured(root, "chosen", source=source, model=first)
    several = scenes(root / "scenes")
    part, _ = measured(root, "part", source=source, share=(1, 2))

    def made(*runs, **options):
        usual = {"replicates": 100}
        return Material(runs=runs, names=names_of(runs), **{**usual, **options})

    known = Known(name="<b>Paper</b>", source="Somebody, 2020", values={
        "mean_corruption_error": 50.0, "clean_error": 20.0, "mce": 70.0})  # fmt: skip
    return {
        "one": made(one),
        "two": made(one, two),
        "pictures": made(one, album=Album([source])),
        "published": made(one, published={"small": [known]}),
        "no intervals": made(one, two, replicates=0),
        "other pictures": made(one, other),
        "shifts": made(shifts),
        "free": made(free),
        "one severity": made(flat),
        "several suites": made(one, shifts),
        "sequences": made(moved),
        "sequences shown": made(moved, album=Album([moving])),
        "two of sequences": made(moved, again),
        "films": made(footage, album=Album([clips])),
        "strange": made(known_one),
        "two of strange": made(known_one, known_two),
        "few and unlabelled": made(few),
        "lacking": made(lacking),
        "uneven": made(uneven),
        "classes only": made(chosen, album=Album([source])),
        "several classes": made(several),
        "unfinished": made(part),
    }


KINDS = (
    "one", "two", "pictures", "published", "no intervals", "other pictures", "shifts", "free",
    "one severity", "several suites", "sequences", "sequences shown", "two of sequences", "films",
    "strange", "two of strange", "few and unlabelled", "lacking", "uneven", "classes only",
    "several classes", "unfinished",
)  # fmt: skip
MOVING = {"sequences", "sequences shown", "two of sequences", "films"}
STRANGE = {"strange", "two of strange", "few and unlabelled"}
SHIFTS = {"shifts", "lacking", "uneven"}
ERRORS = set(KINDS) - MOVING - STRANGE - {"several classes"}


def film(path, count):
    """A film of noise that changes now and then."""
    frames = (
        np.random.default_rng(n // 3).integers(0, 256, (64, 64, 3), dtype=np.uint8)
        for n in range(count)
    )
    path.write_bytes(films.encoded(frames, grain=False))


def test_every_kind_is_tried(kinds):
    assert tuple(kinds) == KINDS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_makes_html_or_says_why_not(name, kind, kinds):
    made = SECTIONS.load(name).make(kinds[kind])
    assert isinstance(made, (Html, Missing))
    if isinstance(made, Missing):
        assert not made.why or made.why.endswith(".")
        return
    tree = fragment(str(made))
    ids = [node.get("id") for node in tree.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    assert all(node.get("alt") for node in nodes(tree, "img"))
    assert all(node.get("aria-label") for node in tree.iter() if node.get("role") == "img")
    assert "nan" not in str(made)
    assert str(SECTIONS.load(name).make(kinds[kind])) == str(made)


def test_a_section_says_what_it_is():
    places = [SECTIONS.load(name).place for name in NAMES]
    assert len(set(places)) == len(places)
    assert [SECTIONS.load(name).place for name in in_order()] == sorted(places)
    for name in NAMES:
        section = SECTIONS.load(name)
        assert section.title
        assert section.needs
        assert sys.modules[section.make.__module__].__doc__


WANTED = {
    "headline": set(KINDS),
    "tradeoff": {"two", "published", "no intervals", "other pictures"},
    "heat_map": ERRORS - SHIFTS - {"free"},
    "curves": ERRORS - SHIFTS - {"free", "one severity"},
    "changes": {"two", "no intervals", "two of sequences", "two of strange"},
    "broken": ERRORS - SHIFTS - {"free"},
    "steadiness": MOVING,
    "classes": ERRORS - {"unfinished"},
    "confidence": (ERRORS | STRANGE) - {"few and unlabelled", "classes only", "unfinished"},
    "unknowns": STRANGE,
    "methods": set(KINDS),
}


def test_sections_are_there_where_the_runs_hold_enough(kinds):
    for name, wanted in WANTED.items():
        there = {
            kind
            for kind, material in kinds.items()
            if isinstance(SECTIONS.load(name).make(material), Html)
        }
        assert there == wanted, name


def test_a_section_of_another_package_is_found(monkeypatch):
    from brittle.families import Family
    from brittle.sections.base import Section

    class Point:
        name, value = "roc", "somewhere:PART"

        @staticmethod
        def load():
            return Section(title="ROC", needs="scores", place=85, make=lambda _: Missing())

    module = types.SimpleNamespace(
        entry_points=lambda group: [Point] if "sections" in group else []
    )
    monkeypatch.setattr("brittle.families.importlib.metadata", module)
    family = Family("section", "brittle.sections", Section)
    assert "roc" in family.names()
    assert family.load("roc").place == 85


def test_runs_of_one_model_are_told_apart(kinds):
    runs = kinds["two"].runs
    assert names_of(runs) == tuple(f"{run.model} ({run.path.name})" for run in runs)
    same = Run(runs[0].path, runs[0].info)
    assert len(set(names_of([runs[0], same]))) == 2
    assert names_of(runs[:1]) == (runs[0].model,)


def test_nothing_warns_but_what_is_missing(kinds):
    material = kinds["two"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in NAMES:
            SECTIONS.load(name).make(material)

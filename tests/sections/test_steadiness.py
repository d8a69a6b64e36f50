"""Steadiness on the page: flips counted by hand, frames those that the model saw."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

import brittle
from brittle import Run, films
from brittle.errors import SourceError
from brittle.sections import SECTIONS, Material
from brittle.sections._album import Album
from brittle.sections._html import Html
from brittle.sections._material import names_of
from brittle.sections._unsteady import SHOWN, chosen, shown
from brittle.sequences import sequence
from tests.helpers import runs as small
from tests.helpers.pages import fragment, nodes, table, words
from tests.sections.strange import WIDE, steady


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return steady(tmp_path_factory.mktemp("steady"))


def material(*runs, **options):
    return Material(runs=runs, names=names_of(runs), **{"replicates": 100, **options})


def page(*runs, **options):
    found = SECTIONS.load("steadiness").make(material(*runs, **options))
    assert isinstance(found, Html)
    return fragment(str(found))


def answers(run):
    """Condition -> sequences x frames of the foremost class, straight from the rows."""
    rows = run.predictions(columns=["key", "condition", "frame", "top_classes"]).to_pylist()
    found = {}
    for row in rows:
        one = found.setdefault(row["condition"], {}).setdefault(row["key"], {})
        one[row["frame"]] = row["top_classes"][0]
    return {
        condition: {key: [frames[n] for n in sorted(frames)] for key, frames in keys.items()}
        for condition, keys in found.items()
    }


def flips(condition, frames):
    before = frames[:1] * (len(frames) - 1) if "noise" in condition else frames[:-1]
    return np.array(frames[1:]) != np.array(before)


def test_the_flips_are_those_counted_by_hand(made):
    run, _ = made
    tree = page(run)
    counted = {
        condition: 100 * np.mean([flips(condition, frames).mean() for frames in keys.values()])
        for condition, keys in answers(run).items()
    }
    assert len(set(counted.values())) == 3
    rows = {row[0]: row for row in table(nodes(tree, "table")[0])}
    for condition, value in counted.items():
        assert rows[condition][1] == f"{value:.2f}"
    (alt, *_) = {n.get("aria-label") for n in tree.iter() if "flip probability" in
                 (n.get("aria-label") or "")}  # fmt: skip
    for condition, value in counted.items():
        assert f"{condition}, {run.model}: {value:.1f} %" in alt


def test_a_panel_says_where_most_flip(made):
    run, _ = made
    tilt = np.mean([flips("tilt", frames) for frames in answers(run)["tilt"].values()], axis=0)
    most = f"most at frame {tilt.argmax() + 1}, {100 * tilt.max():.1f} %"
    labels = [n.get("aria-label") for n in page(run).iter() if n.get("role") == "img"]
    assert any(label.startswith("Sequences that flip under tilt") and most in label
               for label in labels)  # fmt: skip


def test_the_frames_are_those_of_the_sequence(made):
    run, source = made
    tree = page(run, album=Album([source]))
    strips = [n for n in nodes(tree, "figure") if "broke" in (n.get("class") or "")]
    assert len(strips) >= 2
    said, opened = answers(run), brittle.open_source(source)
    items = {item.key: item for item in opened.items}
    seen = set()
    for strip in strips:
        key = words(nodes(strip, "code")[0])
        condition = re.search(r", (\w+): \d+ flips", words(strip))[1]
        seen |= {key, condition}
        one = sequence(condition, edition="imagenet-64")
        frames = list(one.frames(opened.load(items[key]), seed=0, key=key))
        sides = [n for n in nodes(strip, "div") if n.get("class") == "side"]
        assert len(sides) == SHOWN
        for side in sides:
            (about,) = [n for n in nodes(side, "span") if n.get("class") == "cond"]
            number = int(words(about).removeprefix("frame "))
            assert np.array_equal(picture(side), frames[number])
            told = said[condition][key]
            before = told[0 if one.reference == "first" else max(number - 1, 0)]
            assert ("\u2192" in words(side)) == (told[number] != before)
            assert run.classes[told[number]] in words(side)
    assert len(seen) == 2 * len(strips)


def picture(node):
    data = nodes(node, "img")[0].get("src").partition("base64,")[2]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


def test_the_sequences_are_those_that_flip_most(made):
    run, _ = made
    (view,) = material(run).suites["moving"]
    first = chosen(view, 1)[0]
    shares = {
        (key, condition): flips(condition, frames).mean()
        for condition, keys in answers(run).items()
        for key, frames in keys.items()
    }
    most = max(shares.values())
    assert (first.found.key, first.cell.condition) == min(k for k, v in shares.items() if v == most)


def test_without_data_it_says_how_to_see_them(made):
    run, _ = made
    tree = page(run)
    assert "brittle report RUN --data DIR" in words(tree)
    assert not nodes(tree, "img")


def test_other_pictures_are_not_shown(made, tmp_path):
    run, _ = made
    other = small.pictures(tmp_path / "other", 9, side=96, labelled=False)
    with pytest.warns(UserWarning, match="Frames of .* are not shown"):
        tree = page(run, album=Album([other]))
    assert not nodes(tree, "img")
    with pytest.raises(SourceError, match="image_"):
        Album([other]).frames(run, next(iter(run.info["sets"])), "image_000", "tilt", 4)


def test_frames_on_disk_are_read_back(made, tmp_path):
    run, source = made
    suite = small.suite(tmp_path, "moving", (run.path.parent / "suites/moving.toml").read_text())
    brittle.build(source, suite=suite, out=tmp_path / "set", layout="frames")
    read = small.measured(tmp_path / "set", tmp_path / "read", suite, model=WIDE, classes=None)
    name = next(iter(read.info["sets"]))
    key = brittle.open_source(source).items[0].key
    found = Album([tmp_path / "set"]).frames(read, name, key, "tilt", 5)
    one = sequence("tilt", edition="imagenet-64")
    item = brittle.open_source(source).items[0]
    frames = list(one.frames(brittle.open_source(source).load(item), seed=0, key=key))
    assert all(map(np.array_equal, found, frames[:5]))
    with pytest.raises(SourceError, match="holds no sequences"):
        Album([source]).frames(read, name, key, "tilt", 5)


def test_films_of_ones_own_are_shown(tmp_path):
    clips = tmp_path / "clips"
    clips.mkdir()
    pixels = [np.full((64, 64, 3), 20 * n, np.uint8) for n in range(10)]
    for n in (0, 1):
        (clips / f"{n}.mp4").write_bytes(films.encoded(iter(pixels[n:]), grain=False))
    run = small.measured(clips, tmp_path / "run", "footage", model=WIDE, classes=None, stride=2)
    album = Album([clips])
    found = album.frames(run, next(iter(run.info["sets"])), "0", "footage(stride=2)", 9)
    assert len(found) == 5
    assert [round(float(frame.mean()), -1) for frame in found] == [0, 40, 80, 120, 160]
    assert isinstance(SECTIONS.load("steadiness").make(material(run, album=album)), Html)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("length", [2, 5, 8, 9, 31])
def test_what_is_shown_of_a_sequence(length, first):
    for flip in range(1, length):
        found = shown((flip,), length, first=first)
        assert found == sorted(set(found))
        assert set(found) <= set(range(length))
        assert len(found) == min(length, SHOWN)
        assert flip in found
        assert (0 if first else flip - 1) in found


def test_an_unfinished_run_is_said_to_be(made):
    run, _ = made
    half = Run(run.path, {**run.info, "sets": {
        name: {**entry, "groups": {}} for name, entry in run.info["sets"].items()}})  # fmt: skip
    found = SECTIONS.load("steadiness").make(material(half))
    assert found.why.startswith("No perturbation was measured on every picture yet")

"""The report: one file that is right, whole, safe, and says what it does not show."""

import base64
import io
import itertools
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import brittle
from brittle import Run
from brittle.errors import MissingExtraError, RunError, ScoreError, SourceError, SpecError
from brittle.sections import Known
from brittle.sections._shell import policy
from tests.helpers import runs as small
from tests.helpers.pages import nodes, parse, table, words
from tests.sections.runs import GRID, labelled, measured, network
from tests.sections.test_html import HOSTILE


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two runs on the same pictures, and where the pictures are."""
    root = tmp_path_factory.mktemp("report")
    source = labelled(root / "pictures", 36)
    one, _ = measured(root, "one", source=source, extra=True, name="first")
    two, _ = measured(root, "two", source=source, extra=True, model=changed(), name="second")
    return one, two, source


def changed():
    """The model of `network`, a little astray."""
    inner, noise = network(), network(seed=5)
    return lambda batch: inner(batch) + 0.4 * noise(batch)


def page(path):
    return parse(path.read_text("utf-8"))


def section(tree, name):
    return next(node for node in nodes(tree, "section") if node.get("id") == name)


def test_it_holds_the_numbers_of_the_run(made, tmp_path):
    run, _, source = made
    path = brittle.report(run, tmp_path / "r.html", data=source, replicates=200)
    assert path == tmp_path / "r.html"
    tree = page(path)
    (scores,) = nodes(section(tree, "headline"), "table")
    rows = {row[0]: row for row in table(scores)[1:]}
    for score in run.scores(replicates=200):
        shown = [f"{number:.1f}" for number in score.number]
        assert rows[score.title][1:4] == ["first", shown[0], f"[{shown[1]}, {shown[2]}]"]
    ranks = next(iter(run.outcomes().values()))
    (heat,) = nodes(section(tree, "heat_map"), "table")
    at = {row[0]: row for row in table(heat) if len(row) > 2}
    for group in ("gaussian_noise", "contrast", "glass_blur", "saturate"):
        for place, severity in ((1, 2), (2, 5)):
            column = ranks.conditions.index(f"{group}(severity={severity})")
            assert at[group][place] == f"{100 * (ranks.ranks[:, column] > 0).mean():.1f}"


def test_the_pictures_are_the_runs_own(made, tmp_path):
    run, _, source = made
    tree = page(brittle.report(run, tmp_path / "r.html", data=[source], replicates=0))
    pairs = [n for n in nodes(section(tree, "broken"), "figure") if n.get("class") == "broke"]
    assert len(pairs) >= 3
    edition = brittle.sources.open_source(source)
    items = {item.key: item for item in edition.items}
    for pair in pairs:
        key = words(nodes(pair, "code")[0])
        clean, broken = (picture_of(image) for image in nodes(pair, "img"))
        wanted = brittle.editions.get("imagenet-64").prepare(edition.load(items[key]))
        assert np.array_equal(clean, wanted)
        assert not np.array_equal(broken, wanted)
        assert key.startswith(words(nodes(pair, "b")[0]))


def picture_of(image):
    data = image.get("src").partition("base64,")[2]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


def test_what_changed_is_that_of_compare(made, tmp_path):
    one, two, _ = made
    tree = page(brittle.report([one, two], tmp_path / "r.html", replicates=200))
    found = brittle.compare(one, two, replicates=200)
    (scores,) = nodes(section(tree, "changes"), "table")
    rows = {row[0]: row for row in table(scores)[1:]}
    for change in found.changes:
        step = change.step
        shown = [f"{step.old.value:.1f}", f"{step.new.value:.1f}", f"{step.difference.value:+.2f}"]
        assert rows[change.title][1:4] == shown
    assert f"{found.flips.broke} times right to wrong" in words(section(tree, "changes"))


def test_runs_on_other_pictures_are_said_to_be(made, tmp_path):
    one, _, _ = made
    other, _ = measured(tmp_path, "other", source=labelled(tmp_path / "few", 12), extra=True)
    tree = page(brittle.report([one, other], tmp_path / "r.html", replicates=100))
    assert "is not on the same pictures as first" in words(section(tree, "headline"))
    left_out = words(section(tree, "absent"))
    assert "What changed: first and" in left_out
    assert "The runs cannot be compared" in left_out


def test_without_data_it_says_how_to_get_the_pictures(made, tmp_path):
    run, _, _ = made
    tree = page(brittle.report(run, tmp_path / "r.html", replicates=0))
    broken = section(tree, "broken")
    assert "brittle report RUN --data DIR" in words(broken)
    assert not nodes(broken, "img")
    assert len(table(nodes(broken, "table")[0])) >= 4


def test_a_chart_says_whose_number_is_of_another_kind(made, tmp_path):
    """Three corruptions are no mean corruption error of fifteen."""
    run, _, _ = made
    row = Known(name="Paper", values={"mean_corruption_error": 12.5}, source="x")
    path = brittle.report(run, tmp_path / "r.html", published={"small": [row]}, replicates=0)
    (figure,) = nodes(section(page(path), "headline"), "figure")
    said = words(nodes(figure, "figcaption")[0])
    assert f"first is {run.score('mean_corruption_error', replicates=0).title}." in said
    assert "[3 corruptions; severities 2, 5]" in said


def test_published_rows_stand_beside_and_are_marked(made, tmp_path):
    run, _, _ = made
    row = Known(name="Paper", values={"mean_corruption_error": 12.5, "clean_error": 3},
                source="Somebody, 2020")  # fmt: skip
    path = brittle.report(run, tmp_path / "r.html", published={"small": [row]}, replicates=100)
    tree = page(path)
    _, printed = nodes(section(tree, "headline"), "table")
    assert table(printed) == [
        ["model", "mean corruption error", "clean error", "source"],
        ["Paper", "12.5", "3.0", "Somebody, 2020"],
    ]
    assert "Somebody, 2020" in words(section(tree, "methods"))
    assert "tradeoff" in {node.get("id") for node in nodes(tree, "section")}


def test_published_numbers_stand_beside_those_divided_by_the_same():
    from brittle.sections._published import published
    from tests.metrics.examples import flat, grid

    suite, _ = grid(flat(0.3), clean=0.2)
    rows = [
        Known(name="both", values={"mce": 80.0, "clean_error": 20.0}, source="x"),
        Known(name="divided", values={"mce": 70.0, "relative_mce": 90.0}, source="x"),
    ]
    assert [row.name for row in published(suite, rows)] == ["AlexNet", "both", "divided"]
    left = published(suite, rows, divided=False)
    assert [(row.name, dict(row.values)) for row in left] == [
        ("AlexNet", {"clean_error": 43.5}),
        ("both", {"clean_error": 20.0}),
    ]


@pytest.mark.parametrize(("baseline", "stands"), [(None, True), ("alexnet", True), ("unit", False)])
def test_another_baseline_sends_the_published_mce_away(baseline, stands, made):
    from brittle.sections import Material
    from brittle.sections._material import names_of

    run = made[0]
    entry = {**run.info["suites"]["small"], "baseline": "alexnet"}
    run = Run(run.path, {**run.info, "suites": {"small": entry}})
    known = Known(name="x", values={"mce": 70.0, "clean_error": 20.0}, source="y")
    material = Material(runs=(run,), names=names_of([run]), baseline=baseline,
                        published={"small": [known]})  # fmt: skip
    (row,) = material.beside("small")
    assert ("mce" in row.values) is stands
    assert "clean_error" in row.values


def test_of_many_published_rows_the_chart_shows_the_nearest(made, tmp_path):
    run, _, _ = made
    rows = [
        Known(name=f"paper {n:02}", source="x", values={"mean_corruption_error": 2.0 * n})
        for n in range(50)
    ]
    path = brittle.report(run, tmp_path / "r.html", published={"small": rows}, replicates=0)
    headline = section(page(path), "headline")
    own = run.score("mean_corruption_error").value
    nearest = sorted(range(1, 49), key=lambda n: abs(2.0 * n - own))[:10]
    (figure,) = nodes(headline, "figure")
    labels = {words(n) for n in figure.iter() if n.tag.endswith("}text")}
    shown = {int(label[-2:]) for label in labels if label.startswith("paper ")}
    assert shown == {0, 49, *nearest}
    assert labels_of(figure) == sorted(labels_of(figure), key=lambda one: value_of(one, own))
    assert len(table(nodes(headline, "table")[1])) == 51


def labels_of(figure):
    """The names of a dot chart's rows, from top to bottom, in its wide form."""
    (wide,) = [n for n in nodes(figure, "div") if n.get("class") == "wide"]
    texts = [words(n) for n in wide.iter() if n.tag.endswith("}text")]
    return [one for one in texts if one.startswith("paper ") or one == "first"]


def value_of(label, own):
    return own if label == "first" else 2.0 * int(label[-2:])


def test_where_higher_is_better_the_best_is_on_top_too(tmp_path):
    text = GRID[: GRID.index("corruptions = [")] + (
        'conditions = ["contrast(severity=2)"]\nscores = ["accuracy"]\n'
    )
    run, _ = measured(tmp_path, text=text, name="first")
    own = run.score("accuracy").value
    rows = [
        Known(name=f"paper {n:02}", source="x", values={"accuracy": 2.0 * n}) for n in (1, 49, 9)
    ]
    path = brittle.report(run, tmp_path / "r.html", published={"small": rows}, replicates=0)
    headline = section(page(path), "headline")
    (figure,) = nodes(headline, "figure")
    order = sorted(["first", *(row.name for row in rows)], key=lambda one: -value_of(one, own))
    assert labels_of(figure) == order
    printed = [row[0] for row in table(nodes(headline, "table")[1])[1:]]
    assert printed == ["paper 49", "paper 09", "paper 01"]


def test_the_imagenet_suites_stand_beside_alexnet():
    from brittle.sections._published import published
    from tests.metrics.examples import flat, grid

    suite, _ = grid(flat(0.3), clean=0.2)
    (row,) = published(suite)
    assert (row.name, row.values["mce"], row.values["clean_error"]) == ("AlexNet", 100.0, 43.5)
    for facts in ({"class_list": None, "classes": 10}, {"subset": "imagenet-a"}):
        assert published(replace(suite, facts=facts)) == ()
    twin = Known(name="AlexNet", values={"mce": 100.0}, source="x")
    assert published(suite, [twin]) == (twin,)


def test_methods_say_what_was_run(made, tmp_path):
    run, _, _ = made
    text = words(section(page(brittle.report(run, tmp_path / "r.html")), "methods"))
    entry = next(iter(run.info["sets"].values()))
    for said in (
        "36 images under 9 conditions", "edition imagenet-64", "pixels generated in memory",
        "JPEG round trip at quality 85", entry["fingerprint"][:16], f"numpy {np.__version__}",
        "0 (draws brittle-1)", "1,000 bootstrap replicates", "@inproceedings{hendrycks2019",
        "@software{brittle",
    ):  # fmt: skip
        assert said in text, said


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_gets_out_of_its_place(text, tmp_path):
    """Names of models and classes, and the title, come from others."""
    sign = "".join(one for one in text if one.isprintable() and one != "\ud800")
    names = [f"a{sign}", f"b{sign}", f"c{sign}"]
    pictures = np.random.default_rng(0).integers(0, 256, (12, 64, 64, 3), dtype=np.uint8)
    labels = [names[place] for place in network()(pictures).argmax(axis=1)]
    run = small.measured(
        (pictures, labels), tmp_path / "run", small.suite(tmp_path), model=network(),
        classes=names, name=sign,
    )  # fmt: skip
    twin = small.measured(
        (pictures, labels), tmp_path / "twin", small.suite(tmp_path), model=changed(),
        classes=names, name=sign,
    )  # fmt: skip
    data = brittle.sources._memory.in_memory(pictures, labels, classes=None)
    known = Known(name=text, values={"mean_corruption_error": 3.0, "clean_error": 1.0}, source=text)
    path = brittle.report(
        [run, twin], tmp_path / "r.html", title=text, data=data, published={"small": [known]},
        replicates=100,
    )  # fmt: skip
    tree = page(path)
    (script,) = nodes(tree, "script")
    (meta,) = [n for n in nodes(tree, "meta") if n.get("http-equiv") == "Content-Security-Policy"]
    assert meta.get("content") == policy(script.text)
    assert not [key for node in tree.iter() for key in node.attrib if key.startswith("on")]
    assert all(n.get("src").startswith("data:image/") for n in nodes(tree, "img"))
    assert not nodes(tree, "iframe")
    assert sign in words(nodes(tree, "h1")[0]) or "\ufffd" in words(nodes(tree, "h1")[0])


def test_it_is_well_formed_asks_nobody_and_is_accessible(made, tmp_path):
    one, two, source = made
    path = brittle.report([one, two], tmp_path / "r.html", data=source, replicates=100)
    text = path.read_text("utf-8")
    tree = parse(text)
    ids = [node.get("id") for node in tree.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    for node in tree.iter():
        for key in ("href", "src", "{http://www.w3.org/1999/xlink}href", "action", "data"):
            if (where := node.get(key)) is not None:
                assert where.startswith(("#", "data:")), where
    assert not re.search(r"url\((?!#)|@import", text)
    assert all(node.get("alt") for node in nodes(tree, "img"))
    assert all(node.find("*") is not None for node in nodes(tree, "table"))
    links = [node.get("href")[1:] for node in nodes(nodes(tree, "nav")[0], "a")]
    assert set(links) <= set(ids)
    levels = [int(n.tag[-1]) for n in tree.iter() if re.search(r"\}h[1-6]$", str(n.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 2 for before, after in itertools.pairwise(levels))
    assert nodes(tree, "html")[0].get("lang") == "en"


def test_the_same_runs_make_the_same_bytes_and_no_place_is_told(made, tmp_path):
    one, two, source = made
    first, second = (
        brittle.report([one, two], tmp_path / f"{n}.html", data=source, replicates=100)
        for n in range(2)
    )
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text("utf-8")
    assert str(source) not in text
    assert str(one.path.parent) not in text


def test_pictures_that_are_elsewhere_are_told_to_the_caller_alone(made, tmp_path):
    run, _, source = made
    other, _ = measured(tmp_path, "other", source=labelled(tmp_path / "few", 12, start=50))
    with pytest.warns(UserWarning, match="Pictures of .* are not shown: .*has no picture"):
        path = brittle.report([run, other], tmp_path / "r.html", data=source, replicates=0)
    text = path.read_text("utf-8")
    assert "they are not in the data that were given" in text
    assert str(tmp_path) not in text


def test_what_cannot_be_made_again_is_listed_beside_what_can(made, tmp_path):
    run, _, source = made
    run = Run(run.path, {**run.info, "versions": {**run.info["versions"], "contrast": 99}})
    with pytest.warns(UserWarning, match="contrast has version 1 here and 99 in the run"):
        path = brittle.report(run, tmp_path / "r.html", data=source, replicates=0)
    broken = section(page(path), "broken")
    (listed,) = nodes(broken, "table")
    assert [row[0] for row in table(listed)[1:]] == ["contrast"]
    conditions = [words(n) for n in nodes(broken, "span") if n.get("class") == "cond"]
    assert "contrast, severity 2" not in conditions
    assert len(conditions) >= 4


def test_a_large_run_of_heavy_pictures_is_under_four_megabytes(tmp_path):
    """Noise is what a JPEG is worst at; the fifteen corruptions, two runs."""
    pictures = np.random.default_rng(0).integers(0, 256, (24, 224, 224, 3), dtype=np.uint8)
    names = ["n00", "n01", "n02"]

    def model(batch, seed=0):
        weights = np.random.default_rng(seed).normal(size=(28 * 28 * 3, 3))
        shrunk = batch.reshape(len(batch), 28, 8, 28, 8, 3).mean(axis=(2, 4))
        return (shrunk.reshape(len(batch), -1) / 255 - 0.5) @ weights

    labels = [names[place] for place in model(pictures).argmax(axis=1)]
    text = """about = "Many."
edition = "imagenet-224"
corruptions = ["gaussian_noise", "shot_noise", "impulse_noise", "speckle_noise", "brightness",
  "contrast", "pixelate", "jpeg_compression", "saturate", "fog", "spatter", "gaussian_blur"]
severities = [1, 5]
scores = ["mean_corruption_error", "clean_error"]
"""
    suite = small.suite(tmp_path, "many", text)
    runs = [
        small.measured((pictures, labels), tmp_path / name, suite, model=own, classes=names)
        for name, own in (("a", model), ("b", lambda batch: model(batch) + 0.5 * model(batch, 1)))
    ]
    data = brittle.sources._memory.in_memory(pictures, labels, classes=None)
    path = brittle.report(runs, tmp_path / "r.html", data=data, replicates=100)
    images = nodes(section(page(path), "broken"), "img")
    assert len(images) >= 16
    assert max(len(image.get("src")) for image in images) < 60_000
    assert path.stat().st_size < 4_000_000


def test_a_failure_leaves_the_old_report(made, tmp_path, monkeypatch):
    run, _, source = made
    path = tmp_path / "r.html"
    path.write_text("old")
    with pytest.raises(SourceError, match="do not hold the pictures"):
        brittle.report(run, path, data=labelled(tmp_path / "few", 3, start=50), replicates=0)
    assert path.read_text() == "old"
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(RunError, match="disk full"):
        brittle.report(run, path, replicates=0)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["r.html"]
    monkeypatch.undo()
    brittle.report(run, path, replicates=0, data=source)
    assert path.read_text() != "old"


def test_refusals(made, tmp_path, monkeypatch):
    run, _, _ = made
    out = tmp_path / "r.html"
    with pytest.raises(RunError, match="needs at least one run"):
        brittle.report([], out)
    with pytest.raises(SpecError, match=r"ends in \.html; got .*r\.pdf"):
        brittle.report(run, tmp_path / "r.pdf")
    with pytest.raises(RunError, match="is given twice"):
        brittle.report([run, Run.open(run.path)], out)
    with pytest.raises(RunError, match="is not a run"):
        brittle.report(tmp_path / "nothing", out)
    with pytest.raises(ScoreError, match="replicates must be at least 100"):
        brittle.report(run, out, replicates=5)
    with pytest.raises(SpecError, match="no run holds that suite"):
        brittle.report(run, out, published={"imagenet-c": []})
    with pytest.raises(SpecError, match="There is no metric 'mcee'"):
        Known(name="x", values={"mcee": 1.0}, source="y")
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"brittle\[report\]"):
        brittle.report(run, out)
    assert not out.exists()


def test_an_unfinished_run_is_reported_as_far_as_it_goes(tmp_path):
    run, _ = measured(tmp_path)
    parts = sorted((run.path / "parts").rglob("*.parquet"))
    parts[-1].unlink()
    with pytest.warns(UserWarning, match="is not finished on small"):
        path = brittle.report(Run.open(run.path), tmp_path / "r.html", replicates=100)
    tree = page(path)
    text = words(nodes(tree, "main")[0])
    assert "not measured on every picture" in text
    assert "mean_corruption_error is not given" in text

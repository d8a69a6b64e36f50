"""Every plot becomes a file that says what it shows, the same every time."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from brittle import plots
from brittle.calibration import Answers, measure
from brittle.errors import MissingExtraError, ScoreError
from brittle.plots._figure import COLOURS, DASHES, styles, thin
from brittle.separation import Groups
from brittle.separation import measure as separation

RNG = np.random.default_rng(0)
STRANGE, USUAL = RNG.normal(1, 1, 80), RNG.normal(0, 1, 240)
CURVES = {"MSP": Groups(STRANGE, USUAL).curve, "energy": Groups(STRANGE + 1, USUAL).curve}
CONFIDENCE = RNG.uniform(0.2, 1, 300)
ANSWERS = Answers(CONFIDENCE, RNG.random(300) < CONFIDENCE - 0.1)
DRAW = {
    "roc": lambda path: plots.roc(CURVES, path, title="In against out"),
    "precision_recall": lambda path: plots.precision_recall(CURVES, path),
    "histogram": lambda path: plots.histogram(STRANGE, USUAL, path, title="MSP"),
    "reliability": lambda path: plots.reliability(ANSWERS, path, title="A model"),
    "response_rate_accuracy": lambda path: plots.response_rate_accuracy({"A": ANSWERS}, path),
}


def test_every_plot_is_tried():
    assert set(DRAW) == set(plots.__all__)


@pytest.mark.parametrize("name", DRAW)
def test_a_png_is_a_picture_and_an_svg_the_same_every_time(name, tmp_path):
    DRAW[name](tmp_path / "one.png")
    with Image.open(tmp_path / "one.png") as picture:
        assert min(picture.size) > 500
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20
    for number in (1, 2):
        DRAW[name](str(tmp_path / f"{number}.svg"))
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def text(name, tmp_path):
    DRAW[name](tmp_path / "x.svg")
    return (tmp_path / "x.svg").read_text()


def test_the_numbers_are_those_of_the_measures(tmp_path):
    for name, spec in (("roc", "auroc"), ("precision_recall", "aupr")):
        said = text(name, tmp_path)
        for label, curve in CURVES.items():
            assert f"{label}  {separation(curve, spec)[0]:.3f}" in said
        assert said.index(">energy  ") < said.index(">MSP  ")  # the best comes first
    assert f"AUROC {separation(CURVES['MSP'], 'auroc')[0]:.3f}" in text("histogram", tmp_path)
    assert f"ECE {measure(ANSWERS, 'ece'):.3f}" in text("reliability", tmp_path)
    assert f"A  {measure(ANSWERS, 'aurra'):.3f}" in text("response_rate_accuracy", tmp_path)
    assert "In against out" in text("roc", tmp_path)


def test_a_name_keeps_its_looks_whatever_its_value():
    one, two = styles({"a": 0.1, "b": 0.9}), styles({"a": 0.9, "b": 0.1})
    assert list(one) == ["b", "a"]
    assert list(two) == ["a", "b"]
    assert one["a"]["color"] == two["a"]["color"] != one["b"]["color"]
    many = styles({str(n): 0.5 for n in range(21)}).values()
    assert len({(s["color"], s["linestyle"]) for s in many}) == len(COLOURS) * len(DASHES) == 21


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=4000))
def test_thinning_keeps_the_area(steps):
    x, y = np.cumsum(np.array(steps, float), axis=0).T
    x, y = x / max(x[-1], 1), y / max(y[-1], 1)
    short = thin(x, y)
    assert np.trapezoid(*short[::-1]) == pytest.approx(np.trapezoid(y, x), abs=2e-3)
    assert [part[0] for part in short] == [x[0], y[0]]
    assert [part[-1] for part in short] == [x[-1], y[-1]]


def test_thinning_keeps_an_end_that_is_near_its_neighbour():
    line = np.linspace(0, 0.9999, 10**5)
    assert thin(line, line)[0][-1] == line[-1]


def test_scores_far_away_and_without_end(tmp_path):
    strange = np.append(STRANGE, [np.inf, 1e300])
    plots.histogram(strange, np.append(USUAL, -np.inf), tmp_path / "a.png")
    plots.histogram([np.inf], [-np.inf], tmp_path / "b.png")
    plots.histogram([1.0, 1.0], [1.0], tmp_path / "c.png")


def test_one_answer_or_bin_can_be_drawn(tmp_path):
    plots.reliability(Answers([0.3], [1]), tmp_path / "a.png", bins=1)
    plots.response_rate_accuracy({"one": Answers([0.3], [0])}, tmp_path / "b.png")


def test_what_is_drawn_is_not_changed(tmp_path):
    kept = STRANGE.copy(), CURVES["MSP"].true.copy(), ANSWERS.confidence.copy()
    for name, draw in DRAW.items():
        draw(tmp_path / f"{name}.png")
    for before, now in zip(kept, (STRANGE, CURVES["MSP"].true, ANSWERS.confidence), strict=True):
        assert np.array_equal(before, now)


@pytest.mark.parametrize("name", DRAW)
def test_other_files_are_refused(name, tmp_path):
    with pytest.raises(ScoreError, match=r"A plot is a PNG or an SVG.*not plot\.pdf"):
        DRAW[name](tmp_path / "plot.pdf")
    assert not list(tmp_path.iterdir())


def test_nothing_to_draw(tmp_path):
    for draw in (plots.roc, plots.precision_recall, plots.response_rate_accuracy):
        with pytest.raises(ScoreError, match="nothing to draw"):
            draw({}, tmp_path / "x.png")


def test_a_missing_library_is_named_with_its_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r'pip install "brittle\[plot\]"'):
        plots.roc(CURVES, tmp_path / "x.png")

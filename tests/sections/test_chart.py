"""Charts are well-formed SVG with a text of their own, and hostile names stay names."""

import sys
import xml.etree.ElementTree as ET

import pytest

from brittle.errors import MissingExtraError
from brittle.scoring.bootstrap import Number
from brittle.sections import _chart
from brittle.sections._marks import Dot, dots
from tests.sections.test_html import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"


def drawn(rows, **options):
    spec = dots(rows, title="mCE", width=_chart.WIDE, **options)
    return ET.fromstring(str(_chart.svg(spec, alt="what it shows")))


def dot(name, value=50.0, low=45.0, high=55.0, **options):
    return Dot(name=name, number=Number(value, low, high), said=f"said {name}", **options)


def texts(root):
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def test_rows_points_and_intervals_are_where_the_numbers_are():
    root = drawn([dot("a", 50, 40, 60, place=0), dot("b", 100, 90, 110, place=1)])
    assert [text for text in texts(root) if text in "ab"] == ["a", "b"]
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert titles.count("said a") == 2
    lines = [node for node in root.iter(f"{SVG}line") if node.find(f"{SVG}title") is not None]
    starts = [float(node.get("transform")[10:].split(",")[0]) for node in lines]
    lengths = [float(node.get("x2")) for node in lines]
    assert lengths[0] == pytest.approx(lengths[1])
    # From 40 to 90 is two and a half times as far as the interval of 20 is long.
    assert abs(starts[1] - starts[0]) == pytest.approx(2.5 * abs(lengths[0]), rel=1e-3)


def test_colours_come_from_the_page():
    text = str(_chart.svg(dots([dot("a", place=0)], title="t", width=300), alt="x"))
    assert "var(--s0)" in text
    assert "var(--ink)" in text
    assert "#" not in text.replace('href="#', "")


def test_it_has_one_text_and_nothing_else_for_readers_who_cannot_see():
    root = drawn([dot("a", place=0)])
    assert root.get("role") == "img"
    assert root.get("aria-label") == "what it shows"
    assert not [node for node in list(root.iter())[1:] if node.get("aria-label")]
    assert root.get("viewBox")
    assert root.get("width") is None


@pytest.mark.parametrize("name", [*HOSTILE, "datum.value", "'); alert(1); ('", "{{x}}", ""])
def test_hostile_names_are_labels(name):
    root = drawn([dot(name, place=0), dot(name, 60, 50, 70, place=1)])
    allowed = {"svg", "g", "path", "line", "text", "title"}
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= allowed
    assert not [key for node in root.iter() for key in node.attrib if key.startswith("on")]
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert len([title for title in titles if title.startswith("said ")]) == 4


def test_sides_of_zero_have_colours_where_the_interval_lies_there():
    rows = [dot("up", 2, 1, 3), dot("down", -2, -3, -1), dot("both", 0.5, -1, 2)]
    points = [
        node.get("fill")
        for node in drawn(rows, zero=0.0).iter(f"{SVG}path")
        if node.find(f"{SVG}title") is not None
    ]
    assert points == ["var(--worse)", "var(--better)", "var(--quiet)"]
    turned = drawn(rows, zero=0.0, higher_is_worse=False)
    points = [
        node.get("fill")
        for node in turned.iter(f"{SVG}path")
        if node.find(f"{SVG}title") is not None
    ]
    assert points == ["var(--better)", "var(--worse)", "var(--quiet)"]


def test_without_an_interval_there_is_a_point_alone():
    root = drawn([dot("a", 50, float("nan"), float("nan")), dot("b", 60, place=0)])
    assert len(list(root.iter(f"{SVG}text"))) > 2


def test_names_within_a_chart_are_its_own():
    spec = {
        "data": {"values": [{"x": 1, "y": 2}]},
        "mark": {"type": "point", "clip": True},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y",
                     "type": "quantitative"}},
    }  # fmt: skip
    both = [str(_chart.svg(spec, alt=alt)) for alt in ("one", "two")]
    ids = [node.get("id") for text in both for node in ET.fromstring(text).iter() if node.get("id")]
    assert ids
    assert len(set(ids)) == len(ids)
    for text in both:
        own = [node.get("id") for node in ET.fromstring(text).iter() if node.get("id")]
        assert all(f"url(#{name})" in text for name in own)


def test_a_figure_has_a_width_for_the_phone():
    widths = []

    def draw(width):
        widths.append(width)
        return dots([dot("a")], title="t", width=width)

    text = str(_chart.figure(draw, alt="x", caption="<c>"))
    assert widths == [_chart.NARROW, _chart.WIDE]
    assert "<figcaption>&lt;c&gt;</figcaption>" in text


def test_a_missing_library_is_named_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'brittle\[report\]'"):
        _chart.svg({}, alt="x")


def test_a_chart_asks_nobody_for_data():
    spec = {"data": {"url": "http://127.0.0.1:9/x.json"}, "mark": "point",
            "encoding": {"x": {"field": "x", "type": "quantitative"}}}  # fmt: skip
    with pytest.raises(ValueError, match=r"(?i)not allowed|base url"):
        _chart.svg(spec, alt="x")

"""Points stand where the numbers are, and each name stands beside its own point."""

import re
import xml.etree.ElementTree as ET

import pytest

from brittle.scoring.bootstrap import Number
from brittle.sections import Known, _chart, tradeoff

SVG = "{http://www.w3.org/2000/svg}"
NAN = float("nan")


def place(node):
    x, y = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform")).groups()
    return float(x), float(y)


def drawn(width):
    rows = [
        Known(name="far", source="x", values={"clean_error": 40.0, "mce": 100.0}),
        Known(name="near", source="x", values={"clean_error": 20.0, "mce": 60.0}),
        Known(name="twin", source="x", values={"clean_error": 20.1, "mce": 60.2}),
    ]
    points = tradeoff._points([], "mce", rows)
    own = tradeoff._point("own", Number(30, 28, 32), Number(80, 78, 82), "own: said", 0)
    root = ET.fromstring(str(_chart.svg(tradeoff._spec([own, *points], "mCE", width), alt="x")))
    marks = {
        node.find(f"{SVG}title").text.partition(":")[0]: place(node)
        for node in root.iter(f"{SVG}path")
        if node.find(f"{SVG}title") is not None and ":" in node.find(f"{SVG}title").text
    }
    names = {
        node.text: place(node)
        for node in root.iter(f"{SVG}text")
        if node.text in {"own", "far", "near", "twin"}
    }
    return marks, names


@pytest.mark.parametrize("width", [_chart.NARROW, tradeoff.WIDTH])
def test_points_and_names(width):
    marks, names = drawn(width)
    assert set(marks) == {"own", "far", "near", "twin"}
    # The run lies half way between the others, both ways; up is more.
    for axis in (0, 1):
        middle = (marks["far"][axis] + marks["near"][axis]) / 2
        assert marks["own"][axis] == pytest.approx(middle, abs=0.6)
    assert marks["far"][0] > marks["near"][0]
    assert marks["far"][1] < marks["near"][1]
    assert {"own", "far"} <= set(names)
    for name, (x, y) in names.items():
        own = marks[name]
        assert abs(x - own[0]) < 6.4 * len(name) + 12
        assert abs(y - own[1]) < 24
        gaps = {other: abs(y - at[1]) + abs(x - at[0]) for other, at in marks.items()}
        assert gaps[name] <= min(gaps.values()) + 12

"""Panels of curves: what stands under the pointer, and what does not."""

import re

from brittle.scoring.bootstrap import Number
from brittle.sections._chart import svg
from brittle.sections._lines import Axis, Line, panel, top


def lines(**options):
    numbers = [Number(value, value - 5, value + 5) for value in (20.0, 40.0, 35.0)]
    return [Line(0, [0, 1, 2], numbers, **options), Line(3, [0, 1, 2], numbers[::-1], **options)]


def titles(made):
    return re.findall(r"<title>(.*?)</title>", str(made))


def test_only_points_that_say_something_have_titles():
    axes = Axis(0, 2), Axis(0, 100)
    said = svg(panel(lines(said=["one", "two", "three"]), *axes), alt="x")
    assert sorted(titles(said)) == sorted(["one", "two", "three"] * 2)
    assert titles(svg(panel(lines(), *axes, square=True), alt="x")) == []


def test_the_axis_holds_every_interval():
    assert top(lines()) == 60
    assert top(lines(), step=50) == 50
    assert top([], least=10) == 20

"""Names beside points: none covers another, and those that are needed are there."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from brittle.sections._labels import POINT, Box, Spot, placed

WIDTH, HEIGHT = 400.0, 260.0
SPOTS = st.builds(
    Spot,
    st.floats(0, WIDTH),
    st.floats(0, HEIGHT),
    st.sampled_from(["VGG-11", "ResNet-50 + AugMix"]),
    st.just(False),
)


@given(st.lists(SPOTS, max_size=30))
def test_no_name_covers_another_or_a_point(spots):
    boxes = placed(spots, WIDTH, HEIGHT)
    points = [Box(s.x - POINT, s.y - POINT, s.x + POINT, s.y + POINT) for s in spots]
    names = [box for box in boxes if box is not None]
    assert not any(one.meets(other) for one, other in itertools.combinations(names, 2))
    assert not any(name.meets(point) for name in names for point in points)
    for box in names:
        assert 0 <= box.left < box.right <= WIDTH
        assert 0 <= box.top < box.bottom <= HEIGHT


@given(st.lists(SPOTS, min_size=1, max_size=30))
def test_needed_names_are_there_and_come_first(spots):
    needed = [spots[0]._replace(needed=True), *spots[1:]]
    boxes = placed(needed, WIDTH, HEIGHT)
    assert boxes[0] is not None
    assert placed([*spots[1:], needed[0]], WIDTH, HEIGHT)[-1] is not None


def test_a_point_by_itself_has_its_name():
    assert placed([Spot(200, 130, "x")], WIDTH, HEIGHT)[0] is not None
    assert placed([Spot(399, 1, "a long name")], WIDTH, HEIGHT)[0] is not None

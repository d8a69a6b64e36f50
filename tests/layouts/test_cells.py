import pytest

from brittle.conditions import condition
from brittle.errors import BuildError
from brittle.layouts import cells
from brittle.layouts._cells import LONGEST, safe


def place(text: str) -> str:
    return cells([condition(text)])[0].place


def test_a_corruption_of_the_grid_has_the_published_place() -> None:
    assert place("fog(severity=3)") == "fog/3"


def test_changed_parameters_and_chains_have_a_safe_form() -> None:
    assert place("clean") == "clean"
    assert place("gaussian_noise(std=0.2)") == "gaussian_noise-std=0.2"
    assert place("gaussian_noise(severity=2, std=0.2)") == "gaussian_noise-std=0.2/2"
    assert place("fog(severity=2)+contrast(severity=1)") == "fog-severity=2+contrast-severity=1"


def test_frost_of_procedural_ice_is_not_in_the_place_of_the_published_one() -> None:
    assert place("frost(severity=3, texture=procedural)") == "frost-texture=procedural/3"
    assert place("frost(severity=3, texture=photographs)") != "frost-texture=procedural/3"


def test_a_long_name_is_cut_and_told_apart() -> None:
    one, two = safe("a" * 300 + "1"), safe("a" * 300 + "2")
    assert one != two
    assert len(one) <= LONGEST + 9
    assert safe("a" * LONGEST) == "a" * LONGEST


def test_nothing_unsafe_is_left() -> None:
    assert safe('x(path="../../etc", n=[1, 2])') == "x-path=_.._.._etc_,n=_1,2_"


def test_twins_and_nothing_are_refused() -> None:
    fog = condition("fog(severity=3)")
    with pytest.raises(BuildError, match="asked for twice"):
        cells([fog, condition("fog( severity = 3 )")])
    with pytest.raises(BuildError, match="no condition to build"):
        cells([])
    assert len(cells([fog, condition("fog(severity=4)")])) == 2


def test_a_folder_of_severities_is_not_also_a_condition() -> None:
    both = ("gaussian_noise(std=0.2)", "gaussian_noise(severity=2, std=0.2)")
    with pytest.raises(BuildError, match=r"would share the folder gaussian_noise-std=0\.2"):
        cells(condition(text) for text in both)

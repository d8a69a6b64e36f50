import importlib.metadata
import subprocess
import sys

import pytest

from brittle.corruptions import CORRUPTIONS, Corruption
from brittle.errors import SpecError
from brittle.families import Family, hint


def test_listing_imports_no_part():
    code = (
        "import sys; from brittle.corruptions import CORRUPTIONS; CORRUPTIONS.names();"
        "print([m for m in sys.modules if m.startswith('brittle.corruptions.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['brittle.corruptions.base']"


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(
        SpecError, match=r"no corruption 'gausian_noise'. Did you mean gaussian_noi"
    ):
        CORRUPTIONS.load("gausian_noise")
    assert "Known: a, b." in hint("zzzz", ["b", "a"], "thing")


@pytest.mark.parametrize("name", ["base", "_law", "os", "../fog", ""])
def test_what_is_no_part_is_not_loaded(name):
    with pytest.raises(SpecError, match="There is no corruption"):
        CORRUPTIONS.load(name)


def points(monkeypatch, *found):
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda group: [p for p in found if p.group == group],
    )
    return Family("corruption", "brittle.corruptions", Corruption)


def test_installed_packages_add_parts(monkeypatch):
    point = importlib.metadata.EntryPoint(
        "rain", "brittle.corruptions.snow:PART", "brittle.corruptions"
    )
    family = points(monkeypatch, point)
    assert "rain" in family.names()
    assert family.load("rain") is CORRUPTIONS.load("snow")


def test_a_part_of_the_wrong_kind_is_refused(monkeypatch):
    point = importlib.metadata.EntryPoint("rain", "os:path", "brittle.corruptions")
    with pytest.raises(SpecError, match="'rain' is a module, not a Corruption"):
        points(monkeypatch, point).load("rain")


def test_a_name_that_is_taken_is_refused(monkeypatch):
    point = importlib.metadata.EntryPoint("fog", "os:path", "brittle.corruptions")
    with pytest.raises(SpecError, match="named fog, which brittle has itself"):
        points(monkeypatch, point).names()


def test_two_packages_with_one_name_are_refused(monkeypatch):
    made = [
        importlib.metadata.EntryPoint("rain", value, "brittle.corruptions")
        for value in ("one:PART", "other:PART")
    ]
    with pytest.raises(SpecError, match="Two installed packages offer a corruption named rain"):
        points(monkeypatch, *made).names()

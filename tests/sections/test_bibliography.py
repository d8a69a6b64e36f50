"""Whoever is cited anywhere in the package has an entry."""

import re

from brittle import suites
from brittle.baselines import BASELINES
from brittle.corruptions import CORRUPTIONS
from brittle.metrics import METRICS
from brittle.perturbations import PERTURBATIONS
from brittle.sections._bibliography import OWN, entries, known


def cited():
    for name in suites.names():
        yield suites.get(name).citation
    for family in (METRICS, CORRUPTIONS, PERTURBATIONS):
        for name in family.names():
            yield family.load(name).citation
    yield BASELINES.load("alexnet").source


def test_every_citation_has_its_entry():
    said = [one for one in cited() if one]
    assert len(said) > 40
    for one in said:
        found, plain = entries([one])
        assert not plain, one
        year = re.search(r"\b20\d\d\b", one)[0]
        surname = re.match(r"\w+", one)[0]
        assert surname in found[0]
        assert f"year = {{{year}}}" in found[0]
        for eprint in re.findall(r"arXiv:([\d.]+\d)", one):
            assert f"eprint = {{{eprint}}}" in "".join(found)


def test_entries_stand_once_and_brittle_last():
    one = "Hendrycks and Dietterich, ICLR 2019, arXiv:1903.12261"
    found, plain = entries([one, one, "a note in somebody's drawer"])
    assert len(found) == 2
    assert found[-1] == OWN
    assert plain == ["a note in somebody's drawer"]


def test_the_file_is_whole():
    for entry in known().values():
        assert entry.count("{") == entry.count("}")
    assert len({re.match(r"@\w+\{(\w+),", entry)[1] for entry in known().values()}) == len(known())

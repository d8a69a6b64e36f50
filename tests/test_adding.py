"""The examples of "how to add", installed as a package of parts, meet their families' contracts."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import warnings

import pytest

from brittle import suites
from tests.helpers import docs, plugin

CONTRACTS = {
    "brittle.anomalies": "contracts/test_anomalies.py",
    "brittle.calibration": "calibration/test_contract.py",
    "brittle.corruptions": "contracts/test_corruptions.py",
    "brittle.detectors": "detectors/test_contract.py",
    "brittle.metrics": "metrics/test_contract.py",
    "brittle.models": "models/test_contract.py",
    "brittle.perturbations": "contracts/test_perturbations.py",
    "brittle.reports": "reports/test_formats.py",
    "brittle.sections": "sections/test_contract.py",
    "brittle.separation": "separation/test_contract.py",
    "brittle.sources": "sources/test_contract.py",
}
"""Entry point group -> the contract of its family; an export has none and is run."""
NEEDS = {"brittle.models": ("torch", "onnx", "safetensors"), "brittle.sections": ("vl_convert",)}
EXAMPLES = {"brittle.models": "lab_example", "brittle.sources": "listing_example"}
"""Plugins that show the contract a small one."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    plugin.install(folder)
    return folder


def python(site, *args, **extra):
    """Run Python with the package installed."""
    paths = [str(site), str(docs.ROOT / "src"), str(docs.ROOT)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **extra}
    return subprocess.run(
        [sys.executable, *args], env=env, cwd=docs.ROOT, capture_output=True, text=True, check=False
    )


def test_every_family_is_shown():
    assert plugin.points().keys() == {*CONTRACTS, "brittle.exports"}


def test_parts_are_found_by_name(site):
    done = python(site, "-m", "brittle", "list", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    kinds = {"reports": "formats"}
    for group, named in plugin.points().items():
        family = group.removeprefix("brittle.")
        assert set(named) <= set(found[kinds.get(family, family)]), group


@pytest.mark.parametrize("group", CONTRACTS)
def test_the_example_meets_its_contract(group, site):
    for package in NEEDS.get(group, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    names = plugin.points()[group]
    shown = ["-p", f"{plugin.PACKAGE}.{EXAMPLES[group]}"] if group in EXAMPLES else []
    done = python(
        site, "-m", "pytest", "-q", "-p", "tests.helpers.plugin", *shown,
        "-p", "no:cacheprovider", f"tests/{CONTRACTS[group]}", BRITTLE_PARTS=" ".join(names),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) >= len(names)


def test_a_part_that_breaks_its_promise_fails(site, tmp_path):
    """The contract is what turns red, not only what is green."""
    plugin.install(tmp_path / "site")
    path = tmp_path / "site" / plugin.PACKAGE / "rain.py"
    wrong = path.read_text().replace("return np.where(wet, pixels // 2, pixels)", "return pixels")
    path.write_text(wrong)
    done = python(
        tmp_path / "site", "-m", "pytest", "-q", "-p", "tests.helpers.plugin",
        "-p", "no:cacheprovider", f"tests/{CONTRACTS['brittle.corruptions']}",
        "-k", "keeps_shape", BRITTLE_PARTS="rain",
    )  # fmt: skip
    assert done.returncode == 1
    assert "failed" in done.stdout


def test_the_suite_is_measured_and_the_export_is_written(site, tmp_path):
    suite = tmp_path / "weather.toml"
    suite.write_text(docs.titled("adding/suite.md", "weather.toml"))
    wanted = suites.get(str(suite))
    with warnings.catch_warnings():
        # Without the photographs frost draws its own ice, and says so.
        warnings.simplefilter("ignore")
        assert len(wanted.conditions()) == 9
    code = (
        "import numpy as np, brittle; from brittle.exports import export;"
        "rng = np.random.default_rng(0);"
        "data = rng.integers(0, 256, (4, 24, 24, 3), dtype=np.uint8), ['a', 'b', 'a', 'b'];"
        f"run = brittle.evaluate('linear:random(classes=2)', data=data, classes=['a', 'b'],"
        f" suite={str(suite)!r});"
        "print(export(run, 'score-lines', replicates=100));"
        "print(run.score('geometric error', replicates=100).title)"
    )
    done = python(site, "-W", "ignore", "-c", code)
    assert done.returncode == 0, done.stderr
    *lines, title = done.stdout.split("\n\n")
    found = [json.loads(line) for line in "".join(lines).splitlines()]
    assert [row["title"].partition(" [")[0] for row in found] == [
        "mean corruption error",
        "clean error",
    ]
    assert all(row["low"] <= row["value"] <= row["high"] for row in found)
    assert title.startswith("geometric error")

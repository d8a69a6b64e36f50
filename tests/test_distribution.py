"""What is packed, and what the files about the project say."""

import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from brittle._version import __version__
from brittle.cli import main
from scripts import check_dist

ROOT = Path(__file__).parents[1]


def pack(folder: Path, *, without=(), extra=(), version=__version__, points="brittle.cli:entry"):
    """Write a wheel and a source archive as the build does."""
    names = [
        f"brittle/{p.relative_to(check_dist.PACKAGE).as_posix()}"
        for p in check_dist._files(check_dist.PACKAGE)
    ]
    info = f"brittle-{version}.dist-info"
    with zipfile.ZipFile(folder / f"brittle-{version}-py3-none-any.whl", "w") as archive:
        for name in [*names, *extra]:
            if name not in without:
                archive.writestr(name, "")
        archive.writestr(f"{info}/METADATA", "")
        archive.writestr(f"{info}/entry_points.txt", f"[console_scripts]\nbrittle = {points}\n")
    sources = [*check_dist.SOURCES, *(f"src/{name}" for name in names), *extra]
    with tarfile.open(folder / f"brittle-{version}.tar.gz", "w:gz") as archive:
        for name in sources:
            if name not in without:
                member = tarfile.TarInfo(f"brittle-{version}/{name}")
                archive.addfile(member, io.BytesIO())


def test_what_is_sound_passes(tmp_path, capsys):
    pack(tmp_path)
    assert check_dist.main(tmp_path) == 0
    assert capsys.readouterr().out.count("sound") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"without": ["brittle/published/imagenet-c.toml"]}, "imagenet-c.toml is missing"),
        ({"without": ["CITATION.cff"]}, "CITATION.cff is missing"),
        ({"extra": ["tests/test_docs2.py"]}, "tests/test_docs2.py does not belong there"),
        ({"extra": ["src/brittle/__pycache__/a.pyc"]}, "a.pyc does not belong there"),
        ({"version": "9.9"}, f"it is not of version {__version__}"),
        ({"points": "brittle:main"}, "does not bring the command"),
    ],
)
def test_what_is_not_is_found(options, said, tmp_path, capsys):
    pack(tmp_path, **options)
    assert check_dist.main(tmp_path) == 1
    assert said in capsys.readouterr().out


def test_a_wheel_that_is_too_large(tmp_path, capsys, monkeypatch):
    pack(tmp_path)
    monkeypatch.setattr(check_dist, "LARGEST", 1000)
    assert check_dist.main(tmp_path) == 1
    assert "and 1,000 are the most" in capsys.readouterr().out


def test_an_empty_folder(tmp_path, capsys):
    assert check_dist.main(tmp_path) == 1
    assert "holds 0 wheels and 0 source archives" in capsys.readouterr().out


@pytest.mark.slow
def test_the_real_ones_are_sound(tmp_path):
    pytest.importorskip("build")
    command = [sys.executable, "-m", "build", "--outdir", tmp_path, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    assert check_dist.main(tmp_path) == 0


def test_the_version_is_said(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"brittle {__version__}\n"


def test_the_citation_is_of_this_version():
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(found)
    assert (found["title"], found["version"]) == ("brittle", __version__)
    assert found["license"] == "Apache-2.0"
    for one in found["references"]:
        assert {"type", "title", "authors"} <= set(one)
    said = {i["value"] for one in found["references"] for i in one["identifiers"]}
    assert said == {"arXiv:1903.12261", "arXiv:1907.07174", "arXiv:2006.16241"}


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md"])
def test_links_and_commands_of_the_project_files(name):
    import re

    page = (ROOT / name).read_text()
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        assert (ROOT / target).exists(), target
    targets = (ROOT / "Makefile").read_text()
    for command in re.findall(r"(?:`|\$ )make ([a-z-]+)", page):
        assert f"\n{command}:" in targets, command

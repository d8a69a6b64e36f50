"""What the pages and the README say can be done can be done."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from brittle.cli import parser

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
BLOCK = re.compile(r"^```(\w+)(?: test=\"(\w+)\")?\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page, language):
    return [
        (test, text) for kind, test, text in BLOCK.findall(page.read_text()) if kind == language
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": page.stem}
    for test, text in blocks(page, "python"):
        if test == "skip":
            compile(text, str(page), "exec")
            continue
        if test:
            if importlib.util.find_spec(test) is None:
                pytest.skip(f"{test} is not installed")
            if test in ("torchvision", "timm"):
                from tests.helpers.models import register_torchvision_ops

                register_torchvision_ops()
        exec(compile(text, str(page), "exec"), space)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_are_understood(page):
    for _, text in blocks(page, "console"):
        for line in text.splitlines():
            if line.startswith("$ brittle "):
                args = shlex.split(line.removeprefix("$ brittle "), comments=True)
                assert parser().parse_args(args).run is not None


def test_no_placeholder_is_left():
    for page in PAGES:
        assert not re.search(r"FIGURES-|TODO|FIXME|XXX", page.read_text()), page.name


def test_examples_of_the_help_are_understood():
    from brittle.cli import commands

    for name, module in commands().items():
        assert module.EXAMPLES.strip(), name
        for line in module.EXAMPLES.strip().splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "brittle"
            assert words[1] == name
            parser().parse_args(words[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http", "mailto")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_reference_of_the_corruptions_is_up_to_date():
    script = ROOT / "scripts" / "reference_page.py"
    done = subprocess.run([sys.executable, script, "--check"], check=False)
    assert done.returncode == 0, "run scripts/reference_page.py"


def test_the_tables_of_parts_are_up_to_date():
    script = ROOT / "scripts" / "part_tables.py"
    done = subprocess.run([sys.executable, script, "--check"], check=False)
    assert done.returncode == 0, "run scripts/part_tables.py"
    for family in ("detectors", "fitted", "separation", "calibration"):
        pages = [page for page in PAGES if f"<!-- table: {family} -->" in page.read_text()]
        assert len(pages) == 1


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert f": {page.name}\n" in navigation, page.name


def test_every_perturbation_is_on_its_page():
    from brittle.perturbations import PERTURBATIONS

    page = (ROOT / "docs" / "perturbing.md").read_text()
    for name in PERTURBATIONS.names():
        part = PERTURBATIONS.load(name)
        kind = "extra" if part.extra else "test"
        count = part.tables["imagenet-224"][0].frames
        assert f"| {name} | {kind} | the {part.reference} | {count} " in page, name


def test_every_section_of_the_report_is_on_its_page():
    from brittle.sections import SECTIONS, in_order

    page = (ROOT / "docs" / "report.md").read_text()
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", page, re.MULTILINE)[1:]
    found = [SECTIONS.load(name) for name in in_order()]
    assert rows == [(section.title, section.needs) for section in found]

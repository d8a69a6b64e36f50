"""What the pages and the README say can be done can be done."""

import importlib.util
import re
import shlex
import subprocess
import sys

import pytest

from brittle.cli import parser
from tests.helpers import docs
from tests.helpers.docs import DOCS, PAGES, ROOT

each = pytest.mark.parametrize("page", PAGES, ids=docs.name)


@each
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": page.stem}
    for block in docs.blocks(page, "python"):
        if block.test == "skip":
            compile(block.text, str(page), "exec")
            continue
        if block.test:
            if importlib.util.find_spec(block.test) is None:
                pytest.skip(f"{block.test} is not installed")
            if block.test in ("torchvision", "timm"):
                from tests.helpers.models import register_torchvision_ops

                register_torchvision_ops()
        exec(compile(block.text, str(page), "exec"), space)


@each
def test_commands_are_understood(page):
    for command in docs.commands(page):
        words = shlex.split(command, comments=True)
        if words[0] == "brittle":
            assert parser().parse_args(words[1:]).run is not None
        elif words[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]) is not None, command
        else:
            assert words[0] in ("pip", "make", "git"), command


@each
def test_blocks_of_other_languages_are_sound(page):
    for block in docs.blocks(page):
        if block.language == "toml":
            import tomllib

            assert tomllib.loads(block.text)
        elif block.language in ("bash", "sh"):
            subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
        elif block.language in ("yaml", "yml"):
            yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
            assert yaml.safe_load(block.text)
        else:
            known = {"python", "py", "pycon", "console", "text", "bibtex"}
            assert block.language in known, block.language


def test_no_placeholder_is_left():
    for page in PAGES:
        assert not re.search(r"FIGURES-|TODO|FIXME|XXX", page.read_text()), docs.name(page)


def test_examples_of_the_help_are_understood():
    from brittle.cli import commands

    for name, module in commands().items():
        assert module.EXAMPLES.strip(), name
        for line in module.EXAMPLES.strip().splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "brittle"
            assert words[1] == name
            parser().parse_args(words[1:])


@each
def test_links_lead_somewhere(page):
    for target in docs.links(page):
        if target.startswith(("http", "mailto")):
            assert target.startswith(("https://", "http://", "mailto:")), target
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{docs.name(page)} links to {target}"
        if anchor:
            assert anchor in docs.anchors(found), f"{docs.name(page)} links to {target}"


def test_an_anchor_is_named_as_mkdocs_names_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A `b_c` (d)\n\n## mCE: 15, never 19\n\n## Twice\n\n## Twice\n\n```sh\n# no\n```\n"
    )
    assert docs.anchors(page) == {"a-b_c-d", "mce-15-never-19", "twice", "twice_1"}


def test_what_is_generated_is_up_to_date():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.reference", "--check"], check=False, cwd=ROOT
    )
    assert done.returncode == 0, "run python -m scripts.reference"


def test_every_family_has_its_block_and_every_block_its_page():
    from brittle.cli.list import FAMILIES

    made = {p.stem for p in (ROOT / "scripts" / "reference").glob("[a-z]*.py")}
    assert made >= {*FAMILIES, "cli", "api"}
    for name in made:
        marks = [p for p in PAGES if re.search(rf"<!-- (made|table): {name} -->", p.read_text())]
        assert len(marks) == 1, name


def test_pictures_are_small_and_used():
    files = [path for path in (DOCS / "img").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_000_000
    used = {(page.parent / target).resolve() for page in PAGES for target in docs.links(page)}
    assert {path.resolve() for path in files} <= used


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in DOCS.rglob("*.md"):
        path = page.relative_to(DOCS).as_posix()
        assert re.search(rf"^ *- (.+: )?{re.escape(path)}$", navigation, re.MULTILINE), path


def test_every_perturbation_is_on_its_page():
    from brittle.perturbations import PERTURBATIONS

    page = (DOCS / "perturbing.md").read_text()
    for name in PERTURBATIONS.names():
        part = PERTURBATIONS.load(name)
        kind = "extra" if part.extra else "test"
        count = part.tables["imagenet-224"][0].frames
        assert f"| {name} | {kind} | the {part.reference} | {count} " in page, name


def test_every_section_of_the_report_is_on_its_page():
    from brittle.sections import SECTIONS, in_order

    page = (DOCS / "report.md").read_text()
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", page, re.MULTILINE)[1:]
    found = [SECTIONS.load(name) for name in in_order()]
    assert rows == [(section.title, section.needs) for section in found]


def test_every_suite_has_its_section():
    from brittle import suites

    sections = {}
    for page in (DOCS / "suites").glob("*.md"):
        text = page.read_text()
        for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            title = part.splitlines()[0]
            if title in suites.names():
                assert title not in sections, title
                sections[title] = (text, part)
    assert sections.keys() == set(suites.names())
    for name, (text, part) in sections.items():
        assert f"--suite {name} " in part, name
        for said in ("**Measures**", "**Formula.**", "**Reference.**", "ow to read it", "itfalls"):
            assert said in text, f"{name}: {said}"


def test_the_pitfalls_are_fifteen():
    text = (DOCS / "pitfalls.md").read_text()
    found = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [int(part.partition(".")[0]) for part in found] == list(range(1, 16))
    for part in found:
        for said in ("**Symptom.**", "**Why.**", "**Here.**"):
            assert said in part, part.splitlines()[0]
        assert "](" in part.partition("**Here.**")[2], part.splitlines()[0]

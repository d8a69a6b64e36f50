"""What people read is spelt the British way, and says no word twice."""

import ast
import io
import re
import tokenize

import pytest

from tests.helpers import docs
from tests.helpers.docs import PAGES, ROOT

FORMS = re.compile(
    r"""\b(
    aging | (analy|paraly|cataly)z\w+ | armor(ed)? | behavior\w* | cancel(ed|ing) | catalog(s|ed)?
    | center(s|ed|ing)? | color(s|ed|ing|ful|less)? | cozy | (de|of|pre)fense | pretense
    | endeavor\w* | favor(s|ed|ing|ite|able)? | fibers? | flavor\w* | fulfillment
    | gray(s|ish|scale)? | harbors? | honor(s|ed|ing)? | humor | judgments? | label(ed|ing)
    | labor | liters? | meters | model(ed|ing) | neighbor\w* | plow | rumors? | signal(ed|ing)
    | skeptic\w* | theaters? | travel(ed|er|ing)
    | (categor|character|equal|final|general|initial|maxim|memor|minim|normal|optim|organ|parameter
      |parametr|priorit|random|real|recogn|regular|serial|special|standard|summar|symmetr
      |synchron|token|util|vector|visual)iz\w+
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
TWICE = re.compile(r"\b([A-Za-z]+)\s+((?i:\1))\b")
MEANT = {"that", "had"}
"""Words that English does put twice."""
NAMES = re.compile(
    r"ImageNet(?:V2)? Classifiers Generalize|CenterCrop|Center|optimize=True|parametrize",
)
"""Titles of papers, and names of other people's code where they stand in plain text."""
FILES = [
    *PAGES,
    *(
        ROOT / name
        for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
    ),
]
SOURCES = [
    path
    for folder in ("src", "scripts", "examples", "benchmarks")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def american(text):
    """Yield the American forms in a text; what stands in code is somebody's name."""
    for found in FORMS.finditer(NAMES.sub("", re.sub(r"`[^`]*`", "", text))):
        yield found[0]


def doubled(text):
    """Yield words that stand twice in a row."""
    for line in re.split(
        r"\n\s*\n|\||^\s*[-*] ", re.sub(r"`[^`]*`", ";", text), flags=re.MULTILINE
    ):
        for found in TWICE.finditer(line):
            # `Sheet` that ends a line of a scheme and begins the next is no slip.
            if found[2].islower() and found[2] not in MEANT and len(found[1]) > 1:
                yield found[0]


def said(path):
    """Return the docstrings and comments of a file."""
    text = path.read_text()
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    parts = [
        re.sub(r"^\s*(>>>|\.\.\.).*$", "", ast.get_docstring(n) or "", flags=re.M) for n in nodes
    ]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    parts += [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n\n".join(parts)


@pytest.mark.parametrize("page", FILES, ids=docs.name)
def test_pages(page):
    text = docs.prose(page.read_text())
    text = re.sub(r"\]\([^)]*\)", "]", text)
    assert not list(american(text))
    assert not list(doubled(re.sub(r"^#.*$", "", text, flags=re.MULTILINE)))


@pytest.mark.parametrize("path", SOURCES, ids=docs.name)
def test_docstrings_and_comments(path):
    text = said(path)
    assert not list(american(text))
    assert not list(doubled(text))


def test_what_is_wrong_is_found():
    assert list(american("The color of a centered, normalized Gray")) == [
        "color", "centered", "normalized", "Gray",
    ]  # fmt: skip
    assert not list(american("`color`, colour, centre, organised, a programme, size"))
    assert list(doubled("on the\nthe page")) == ["the\nthe"]
    assert list(doubled("The the")) == ["The the"]
    assert not list(doubled("all that that is; | one | one | `a` a\n\nnew\n\nnew"))

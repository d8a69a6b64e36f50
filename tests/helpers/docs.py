"""The pages as the tests read them: their blocks, commands, links, anchors and prose."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md"]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Block(NamedTuple):
    """A fenced block: its language, what is said behind it, its text."""

    language: str
    test: str
    title: str
    text: str


def name(page: Path) -> str:
    """The path of a page below the checkout."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str | None = None) -> list[Block]:
    """The blocks of a page, or those of one language."""
    found = []
    for kind, said, text in FENCE.findall(page.read_text()):
        given = dict(ATTRIBUTE.findall(said))
        found.append(Block(kind, given.get("test", ""), given.get("title", ""), text))
    return [one for one in found if language in (None, one.language)]


def titled(page: str, title: str) -> str:
    """The text of the block of that title."""
    return next(one.text for one in blocks(DOCS / page) if one.title == title)


def commands(page: Path) -> list[str]:
    """What is typed on a page, a command a line; a backslash joins lines."""
    typed = []
    for block in blocks(page, "console"):
        lines = block.text.replace("\\\n", " ").splitlines()
        typed += [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return typed


def prose(text: str) -> str:
    """A page without its blocks and comments; code in a line is a semicolon."""
    text = FENCE.sub("", text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"`[^`]*`", ";", text)


def links(page: Path) -> list[str]:
    """The targets of links and pictures, without those in blocks."""
    return LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text())))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as MkDocs and GitHub name them."""
    found: dict[str, int] = {}
    made = set()
    for heading in re.findall(r"^#{1,6} (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("\\_", "_")
        plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
        anchor = re.sub(r"[-\s]+", "-", plain)
        count = found.get(anchor, 0)
        found[anchor] = count + 1
        made.add(f"{anchor}_{count}" if count else anchor)
    return made

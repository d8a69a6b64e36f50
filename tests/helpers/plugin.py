"""A package of parts made of the pages, as if installed, and the choice of what is tested of it.

With `-p tests.helpers.plugin` pytest runs, of the contract tests, those of the parts that the
packages in BRITTLE_PARTS name as entry points.
"""

import os
import tomllib
from pathlib import Path

import pytest

from tests.helpers import docs

PACKAGE = "my_parts"


def pages() -> list[Path]:
    """The pages whose parts are made."""
    return sorted((docs.DOCS / "adding").glob("*.md"))


def points() -> dict[str, dict[str, str]]:
    """Entry point group -> name -> value, as the pages say."""
    found: dict[str, dict[str, str]] = {}
    for page in pages():
        for block in docs.blocks(page, "toml"):
            if block.title == "pyproject.toml":
                for group, named in tomllib.loads(block.text)["project"]["entry-points"].items():
                    found.setdefault(group, {}).update(named)
    return found


def install(site: Path) -> None:
    """Write the package and its metadata into a folder of packages."""
    (site / PACKAGE).mkdir(parents=True)
    (site / PACKAGE / "__init__.py").write_text("")
    for page in pages():
        for block in docs.blocks(page, "python"):
            if block.title:
                (site / PACKAGE / block.title).write_text(block.text)
    info = site / f"{PACKAGE}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1.0\n")
    lines = []
    for group, named in points().items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in named.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that have one of the parts for a parameter."""
    names = set(os.environ["BRITTLE_PARTS"].split())
    kept, left = [], []
    for item in items:
        call = getattr(item, "callspec", None)
        values = {value for value in (call.params.values() if call else ()) if type(value) is str}
        (kept if names & values else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)

"""The tables of the page on leaderboards are what the commands above them print."""

import re
import shlex
from pathlib import Path

import pytest

from brittle.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "leaderboard.md").read_text()
SHOWN = re.findall(r"<!-- brittle (.*?) -->\n(.*?)(?=\n<!--|\n## |\nNetworks and)", PAGE, re.DOTALL)


def test_there_are_some():
    assert len(SHOWN) == 3


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_is_shown_is_printed(command, shown, capsys):
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out.strip()
    found = re.sub(r"^```(?:text)?$", "", shown, flags=re.MULTILINE).strip()
    assert [line.rstrip() for line in found.splitlines()] == [
        line.rstrip() for line in printed.splitlines()
    ]


def test_every_format_that_is_exported_is_on_its_page():
    from brittle.exports import EXPORTS

    page = (Path(__file__).parents[2] / "docs" / "exporting.md").read_text()
    for name in EXPORTS.names():
        assert f"| `{name.replace('_', '-')}` |" in page, name

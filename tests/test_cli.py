import os
import subprocess
import sys

import pytest

from brittle import cli


def test_version_and_help(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("brittle ")
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in cli.commands():
        assert f"    {name}" in shown


def test_usage_errors_leave_with_2(capsys):
    assert cli.main([]) == 2
    assert cli.main(["nonsense"]) == 2
    assert "invalid choice: 'nonsense'" in capsys.readouterr().err


def test_a_refusal_is_said_in_a_line_and_leaves_with_2(capsys):
    assert cli.main(["show", "fogg"]) == 2
    assert (
        "brittle show: There is no corruption 'fogg'. Did you mean fog" in capsys.readouterr().err
    )


def test_ctrl_c_leaves_with_130(monkeypatch, capsys):
    def stop(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.commands()["list"], "run", stop)
    assert cli.main(["list"]) == 130
    assert "stopped" in capsys.readouterr().err


def test_warnings_are_said_once_and_without_a_place_in_the_code(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "brittle", "show", "frost", "-o", str(tmp_path / "frost.png")],
        env={**os.environ, "BRITTLE_ASSETS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("brittle: frost: the published ice photographs are not here")


@pytest.mark.parametrize("name", sorted(cli.commands()))
def test_every_subcommand_has_help_that_ends_in_examples(name, capsys):
    assert cli.main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    assert shown.rstrip().endswith(cli.commands()[name].EXAMPLES.rstrip().splitlines()[-1])

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
    assert "There is no command 'nonsense'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("evaluat m", "brittle: There is no command 'evaluat'. Did you mean evaluate"),
        ("evaluate m --date photos", "There is no option '--date'. Did you mean --data"),
        ("evaluate m --data d -o r --severity 3", "There is no option '--severity'."),
        ("evaluate m --severity=3", "brittle evaluate: There is no option '--severity'."),
        ("evaluate m --data d", "the following arguments are required: -o/--out."),
        ("score r --replicates many", "invalid int value: 'many'."),
        ("score r --format nope", "invalid choice: 'nope'"),
    ],
)
def test_usage_errors_are_a_sentence(args, said, capsys):
    assert cli.main(args.split()) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert err.endswith("--help.\n")


def test_what_looks_like_an_option_may_stand_behind_a_pair_of_dashes(capsys):
    assert cli.main(["score", "--replicates", "100", "--", "--run"]) == 2
    assert "There is no option" not in capsys.readouterr().err


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

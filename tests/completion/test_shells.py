"""Real shells complete real lines."""

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from brittle.cli import main, parser
from brittle.cli.completion import NAMED
from brittle.completion import SHELLS, describe
from brittle.corruptions import CORRUPTIONS
from brittle.perturbations import PERTURBATIONS
from tests.completion.terminal import typed

INTERACTIVE = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}


@pytest.fixture(scope="module", params=["bash", "fish", "zsh"])
def shell(request):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return request.param


@pytest.fixture
def script(shell, tmp_path, capsys):
    assert main(["completion", shell]) == 0
    path = tmp_path / f"completion.{shell}"
    path.write_text(capsys.readouterr().out)
    return path


@pytest.fixture(params=["bash", "fish"])
def asked(request, tmp_path, capsys):
    """A shell that can be asked without typing, and its script."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    assert main(["completion", request.param]) == 0
    path = tmp_path / f"completion.{request.param}"
    path.write_text(capsys.readouterr().out)
    return request.param, path


def answers(shell: str, script: Path, words: list[str]) -> set[str]:
    """What the last of the words is completed to."""
    if shell == "bash":
        listed = " ".join(f"'{word}'" for word in words)
        code = (
            f"source {script}; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _brittle; "
            f'printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        out = subprocess.check_output(["bash", "--norc", "-c", code], text=True)
        return set(out.split())
    code = f"source {script}; complete -C '{' '.join(words)}'"
    out = subprocess.check_output(["fish", "--no-config", "-c", code], text=True)
    return {line.split("\t")[0] for line in out.splitlines()}


def test_every_shell_of_the_family_is_tested():
    assert set(SHELLS.names()) == set(INTERACTIVE)


def test_the_script_is_of_the_shells_grammar(shell, script):
    subprocess.run([shell, "-n", script], check=True)


def test_a_person_types(shell, script, tmp_path):
    prepare = f"source {script}"
    if shell == "zsh":
        prepare = f"autoload -Uz compinit; compinit -u -D; {prepare}"
    if shell == "bash":
        prepare = f"{prepare}; bind 'set bell-style none'"
    # The one thing that begins so is put into the line itself.
    for line, whole in (
        ("brittle leaderb\t", "leaderboard"),
        ("brittle corrupt a.png -c defo\t", "defocus_blur"),
        ("brittle leaderboard imagenet-c --stand\t", "--standalone"),
        ("brittle perturb a.png -p til\t", "tilt"),
        ("brittle score x --suite imagenet-sk\t", "imagenet-sketch"),
    ):
        shown = typed(INTERACTIVE[shell], prepare, line, whole, home=tmp_path)
        assert whole in shown, (line, shown)


CASES = [
    (["brittle", "e"], {"evaluate", "export"}),
    (["brittle", "list", "per"], {"perturbations"}),
    (["brittle", "leaderboard", "imagenet-", ], {"imagenet-a", "imagenet-c", "imagenet-d",
                                                 "imagenet-o", "imagenet-p", "imagenet-r"}),
    (["brittle", "score", "x", "--score", "mean_c"], {"mean_corruption_error"}),
    (["brittle", "evaluate", "m", "--precision", ""], {"float32", "bfloat16", "float16"}),
    (["brittle", "assets", "f"], {"fetch"}),
    (["brittle", "show", "sp"], {"spatter", "speckle_noise"}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), CASES, ids=lambda v: " ".join(map(str, v)))
def test_answers(asked, words, expected):
    assert answers(*asked, words) == expected


def test_names_of_families(asked):
    for command, option, family in (
        ("corrupt", "-c", CORRUPTIONS),
        ("corrupt", "--condition", CORRUPTIONS),
        ("perturb", "-p", PERTURBATIONS),
    ):
        found = answers(*asked, ["brittle", command, option, ""])
        assert set(family.names()) <= found


def test_options_come_when_a_dash_is_typed(asked):
    found = answers(*asked, ["brittle", "compare", "--"])
    assert {"--gate", "--flips", "--suite", "--score"} <= found
    assert "--standalone" not in found


def test_a_value_after_an_equals_sign_in_bash(tmp_path, capsys):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    main(["completion", "bash"])
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    words = ["brittle", "score", "x", "--suite", "=", "cifar100-c"]
    assert answers("bash", script, words) == {"cifar100-c"}
    assert "imagenet-c" in answers("bash", script, words[:-1])


def test_every_named_argument_is_there():
    """A family named for an argument that no command has would complete nothing."""
    made = describe(parser(), dict.fromkeys(NAMED, ("word",)))
    used = set()
    subs = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    for name, sub in subs.choices.items():
        for action in sub._actions:
            for place in ((name, action.dest), ("*", action.dest)):
                if place in NAMED and action.nargs != 0 and not action.choices:
                    used.add(place)
    assert used == set(NAMED)
    assert {command.name for command in made} == set(subs.choices)


def test_no_word_needs_quotes(capsys):
    """The scripts put words between blanks."""
    from brittle.cli import list as listed

    for families in NAMED.values():
        for family in families:
            for name in listed.names(family):
                assert name.replace("-", "").replace("_", "").isalnum(), name


def test_an_unknown_shell_is_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "invalid choice" in capsys.readouterr().err

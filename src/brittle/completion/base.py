"""What a completion knows of a command line: commands, their arguments, and the words of each."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

FOLDERS = ("DIR", "[NAME=]DIR")
FILES = ("FILE", "IN", "MODEL", "NAME|RUN", "NEW", "OLD", "OUT", "RUN", "SRC")
"""What the name of a value says of it."""


class Argument(NamedTuple):
    """An option of a command, or a positional argument where it has no flags."""

    flags: tuple[str, ...]
    name: str
    """What help calls its value: `FILE`; the empty text for an option that takes none."""
    help: str
    words: tuple[str, ...]
    """What it may be, or begin with."""
    paths: Literal["files", "folders", ""]
    many: bool
    """Whether it may be given more than once."""


class Command(NamedTuple):
    """A subcommand."""

    name: str
    help: str
    options: tuple[Argument, ...]
    positionals: tuple[Argument, ...]


@dataclass(frozen=True, kw_only=True)
class Shell:
    """A shell that completes."""

    about: str
    """How its script is put to use."""
    render: Callable[[Sequence[Command]], str]


def describe(
    parser: argparse.ArgumentParser, words: Mapping[tuple[str, str], Sequence[str]]
) -> tuple[Command, ...]:
    """Read the commands from a parser.

    `words` has what an argument may be besides its choices, by the name of a command and of the
    argument; the command `*` stands for all of them.
    """
    subs = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in subs._choices_actions}
    return tuple(
        Command(
            name,
            helps[name],
            tuple(a for a in _arguments(name, sub, words) if a.flags),
            tuple(a for a in _arguments(name, sub, words) if not a.flags),
        )
        for name, sub in subs.choices.items()
    )


def _arguments(
    command: str,
    parser: argparse.ArgumentParser,
    words: Mapping[tuple[str, str], Sequence[str]],
) -> Iterator[Argument]:
    for action in parser._actions:
        takes = action.nargs != 0
        name = str(action.metavar or action.dest.upper()) if takes else ""
        found = words.get((command, action.dest), words.get(("*", action.dest), ()))
        yield Argument(
            flags=tuple(action.option_strings),
            name=name,
            help=(action.help or "").replace("%%", "%"),
            words=tuple(map(str, action.choices or found)) if takes else (),
            paths="folders" if name in FOLDERS else "files" if name in FILES else "",
            many=isinstance(action, argparse._AppendAction) or action.nargs == "+",
        )

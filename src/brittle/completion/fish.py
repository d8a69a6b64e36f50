"""fish: a line for each argument, with its help."""

from collections.abc import Iterator, Sequence

from brittle.completion.base import Argument, Command, Shell


def render(commands: Sequence[Command]) -> str:
    """Write the script."""
    return "\n".join(_lines(commands)) + "\n"


def quoted(text: str) -> str:
    r"""Return a text in single quotes.

    >>> print(quoted("it's"))
    'it\'s'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _lines(commands: Sequence[Command]) -> Iterator[str]:
    yield "# brittle completion fish"
    names = " ".join(command.name for command in commands)
    first = f"-n 'not __fish_seen_subcommand_from {names}'"
    yield f"complete -c brittle {first} -f"
    yield f"complete -c brittle {first} -l version -d 'print the version'"
    yield f"complete -c brittle {first} -s h -l help -d 'print help'"
    for command in commands:
        yield f"complete -c brittle {first} -a {command.name} -d {quoted(command.help)}"
    for command in commands:
        own = f"-n '__fish_seen_subcommand_from {command.name}'"
        if not any(one.paths for one in command.positionals):
            yield f"complete -c brittle {own} -f"
        for one in (*command.options, *command.positionals):
            yield f"complete -c brittle {own} {_argument(one)}"


def _argument(one: Argument) -> str:
    parts = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in one.flags]
    if one.flags and one.name:
        # Whether files are offered beside the words.
        parts.append("-r -F" if one.paths else "-x")
    if one.words:
        parts.append(f"-a {quoted(' '.join(one.words))}")
    if one.help:
        parts.append(f"-d {quoted(one.help)}")
    return " ".join(parts)


PART = Shell(
    about="brittle completion fish > ~/.config/fish/completions/brittle.fish",
    render=render,
)

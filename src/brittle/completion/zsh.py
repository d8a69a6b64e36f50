"""zsh: a function of its completion system, with the help of every option."""

from collections.abc import Iterator, Sequence

from brittle.completion.base import Argument, Command, Shell


def render(commands: Sequence[Command]) -> str:
    """Write the script."""
    return "\n".join(_lines(commands)) + "\n"


def quoted(text: str) -> str:
    """Return a text in single quotes.

    >>> print(quoted("it's"))
    'it'\\''s'
    """
    return "'" + text.replace("'", "'\\''") + "'"


def _lines(commands: Sequence[Command]) -> Iterator[str]:
    yield "#compdef brittle"
    yield '_brittle_or_files() { _alternative "words:word:($*)" "paths:path:_files" }'
    yield "_brittle() {"
    yield "    local curcontext=$curcontext state line"
    yield "    typeset -A opt_args"
    yield "    local -a commands"
    yield "    commands=("
    for command in commands:
        yield f"        {quoted(_escape(command.name) + ':' + command.help)}"
    yield "    )"
    yield "    _arguments -C '(- *)--version[print the version]' \\"
    yield "        '(- *)'{-h,--help}'[print help]' '1: :->command' '*:: :->rest'"
    yield "    case $state in"
    yield "    command) _describe -t commands 'command of brittle' commands ;;"
    yield "    rest)"
    yield "        case $words[1] in"
    for command in commands:
        yield f"        {command.name})"
        yield "            _arguments -s \\"
        specs = [spec for one in command.options for spec in _option(one)]
        specs += [_positional(at, one) for at, one in enumerate(command.positionals, 1)]
        for spec in specs[:-1]:
            yield f"                {spec} \\"
        yield f"                {specs[-1]} ;;"
    yield "        esac ;;"
    yield "    esac"
    yield "}"
    # Found in fpath it is run, and else it is read in.
    yield 'if [[ $funcstack[1] == _brittle ]]; then _brittle "$@"'
    yield "else compdef _brittle brittle; fi"


def _option(one: Argument) -> Iterator[str]:
    apart = f"({' '.join(one.flags)})" if len(one.flags) > 1 and not one.many else ""
    for flag in one.flags:
        many = "*" if one.many else apart
        equals = "=" if one.name and flag.startswith("--") else ""
        value = f":{_escape(one.name)}:{_action(one)}" if one.name else ""
        yield quoted(f"{many}{flag}{equals}[{_escape(one.help)}]{value}")


def _positional(at: int, one: Argument) -> str:
    place = "*" if one.many else f"{at}"
    return quoted(f"{place}:{_escape(one.name)}:{_action(one)}")


def _action(one: Argument) -> str:
    if one.words and one.paths:
        return f"_brittle_or_files {' '.join(one.words)}"
    if one.words:
        return f"({' '.join(one.words)})"
    return {"files": "_files", "folders": "_files -/", "": " "}[one.paths]


def _escape(text: str) -> str:
    for sign in "\\:[]":
        text = text.replace(sign, f"\\{sign}")
    return text


PART = Shell(
    about='put into ~/.zshrc, below compinit: eval "$(brittle completion zsh)"',
    render=render,
)

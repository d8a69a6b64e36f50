"""bash: words from the script itself, files from the shell where there are none."""

from collections.abc import Iterator, Sequence

from brittle.completion.base import Command, Shell


def render(commands: Sequence[Command]) -> str:
    """Write the script."""
    return "\n".join(_lines(commands)) + "\n"


def _lines(commands: Sequence[Command]) -> Iterator[str]:
    names = " ".join(command.name for command in commands)
    yield "# brittle completion bash"
    yield "_brittle() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words="
    yield "    # bash takes --suite=imagenet-c for three words."
    yield "    if [[ $current == = ]]; then current="
    yield "    elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi"
    yield "    COMPREPLY=()"
    yield "    if ((COMP_CWORD == 1)); then"
    yield f'        words="{names} --help --version"'
    yield "    else"
    yield '        case "${COMP_WORDS[1]} $before" in'
    for command in commands:
        for option in command.options:
            if option.words:
                flags = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                yield f'            {flags}) words="{" ".join(option.words)}" ;;'
            elif option.name:
                flags = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                yield f"            {flags}) return ;;"
    yield "            *)"
    yield '                case "${COMP_WORDS[1]}" in'
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        own = " ".join(word for one in command.positionals for word in one.words)
        yield f"                    {command.name})"
        yield f'                        if [[ $current == -* ]]; then words="{flags}"'
        yield f'                        else words="{own}"; fi ;;'
    yield "                esac ;;"
    yield "        esac"
    yield "    fi"
    # read splits at blanks alone, so that no word is taken for a pattern of files.
    yield "    local found"
    yield '    while IFS= read -r found; do COMPREPLY+=("$found"); done \\'
    yield '        < <(compgen -W "$words" -- "$current")'
    yield "}"
    yield "complete -o default -o bashdefault -F _brittle brittle"


PART = Shell(
    about='put into ~/.bashrc: eval "$(brittle completion bash)"',
    render=render,
)

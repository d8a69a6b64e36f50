"""Every subcommand, from its parser: what it does, its arguments, examples."""

import argparse

from brittle.cli import parser
from scripts.reference._markdown import cell, code, table


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return subcommand -> its parser."""
    actions = parser()._actions
    subs = next(one for one in actions if isinstance(one, argparse._SubParsersAction))
    return dict(subs.choices)


def make() -> str:
    """Return a section a subcommand."""
    return "\n" + "\n".join(section(name, one) for name, one in parsers().items())


def section(name: str, sub: argparse.ArgumentParser) -> str:
    """Return what the parser knows."""
    first, _, rest = (sub.description or "").partition("\n")
    examples = [line.strip() for line in (sub.epilog or "").splitlines()[1:] if line.strip()]
    parts = [f"## brittle {name}\n", f"{first}\n"]
    parts += [f"{rest.strip()}\n"] if rest.strip() else []
    parts += ["```console", *(f"$ {line}" for line in examples), "```\n"]
    for title, actions in _groups(sub):
        parts += [f"*{title}*\n"] if title else []
        lines = [(_named(one), cell(_said(one))) for one in actions]
        parts.append(table(("argument", "is"), lines))
    return "\n".join(parts)


def _groups(sub: argparse.ArgumentParser) -> list[tuple[str, list[argparse.Action]]]:
    """Return title -> arguments; those of the parser itself first, without a title."""
    usual, titled = [], []
    for group in sub._action_groups:
        actions = [one for one in group._group_actions if one.dest not in ("help", "command")]
        if not actions:
            continue
        if group.title in ("positional arguments", "options", "optional arguments"):
            usual += actions
        else:
            titled.append((group.title or "", actions))
    return ([("", usual)] if usual else []) + titled


def _named(action: argparse.Action) -> str:
    """Return how an argument is written: `-o, --out RUN`."""
    value = "" if action.nargs == 0 else _value(action)
    if not action.option_strings:
        return code(f"{value}..." if action.nargs in ("+", "*") else value)
    return code(f"{', '.join(action.option_strings)} {value}")


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.dest.upper().replace("_", "-")


def _said(action: argparse.Action) -> str:
    """Return the help of an argument, with its choices and whether it must be there."""
    text = (action.help or "").replace("%%", "%")
    if action.choices is not None and not any(str(one) in text for one in action.choices):
        text += f"{': ' if text else ''}{', '.join(f'`{one}`' for one in action.choices)}"
    if action.option_strings and action.required:
        text += " (required)"
    return text

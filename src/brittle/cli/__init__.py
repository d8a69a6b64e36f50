"""The command line: one file a subcommand, found by file.

A subcommand's module has a docstring (its first line is the help), `EXAMPLES` (shown at the end of
its help), `add_arguments(parser)` and `run(args) -> int`. Results go to stdout, talk to stderr.
Exit codes: 0 done, 1 the answer is no (a set that does not verify, a gate that fails), 2 refused,
130 stopped by Ctrl-C.
"""

import argparse
import importlib
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from brittle._version import __version__
from brittle.errors import BrittleError
from brittle.families import hint

ABOUT = "How easily a vision model breaks, and by how much."


def commands() -> dict[str, ModuleType]:
    """Import every subcommand's module; they are light and import their work when run."""
    found = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in found}


class Parser(argparse.ArgumentParser):
    """A parser that says in a sentence what is wrong, an unknown option before all else."""

    given: Sequence[str] = ()

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Note what was given, which an error may be about."""
        self.given = sys.argv[1:] if args is None else args
        found, rest = argparse.ArgumentParser.parse_known_args(self, args, namespace)
        if strange := self._strange(rest):
            self._refuse(strange)
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Leave with 2 and a sentence or two."""
        if strange := self._strange(self.given):
            self._refuse(strange)
        found = re.match(r"argument COMMAND: invalid choice: '(.*?)'", message)
        said = hint(found[1], commands(), "command") if found else f"{message}."
        self.exit(2, f"{self.prog}: {said} See {self.prog} --help.\n")

    def _strange(self, given: Sequence[str]) -> str | None:
        """Return the first option that there is not; subcommands look at their own."""
        if self._subparsers is not None:
            return None
        known = self._option_string_actions
        words = (one.partition("=")[0] for one in given)
        return next(
            (one for one in words if one.startswith("--") and one not in {*known, "--"}), None
        )

    def _refuse(self, option: str) -> NoReturn:
        known = [name for name in self._option_string_actions if name.startswith("--")]
        self.exit(2, f"{self.prog}: {hint(option, known, 'option')} See {self.prog} --help.\n")


def parser() -> argparse.ArgumentParser:
    """Build the parser of all subcommands."""
    top = Parser(prog="brittle", description=ABOUT, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"brittle {__version__}")
    subs = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in commands().items():
        about = (module.__doc__ or "").strip()
        sub = subs.add_parser(
            name,
            help=about.splitlines()[0],
            description=about,
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    try:
        args = parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return int(args.run(args))
    except BrittleError as error:
        print(f"brittle {args.command}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"brittle {args.command}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"brittle {args.command}: stopped", file=sys.stderr)
        return 130


def plain_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as a person reads it, without the place in the code."""
    print(f"brittle: {message}", file=sys.stderr)


def entry() -> None:
    """Run as the installed program."""
    warnings.showwarning = plain_warning
    sys.exit(main())

"""Print the script by which a shell completes brittle's commands, options and names.

It is made from the command line itself, and holds the names of corruptions, perturbations, suites,
metrics and the other families that are installed; make it anew after an update.
"""

import argparse

EXAMPLES = """\
  brittle completion bash
  brittle completion zsh
  brittle completion fish
"""

# The argument of a command (* for any) whose values are names of a family.
NAMED = {
    ("*", "baseline"): ("baselines",),
    ("*", "condition"): ("corruptions",),
    ("*", "corruption"): ("corruptions",),
    ("*", "edition"): ("editions",),
    ("*", "kind"): ("sources",),
    ("*", "layout"): ("layouts",),
    ("*", "perturbation"): ("perturbations",),
    ("*", "score"): ("metrics",),
    ("*", "sort"): ("metrics",),
    ("*", "suite"): ("suites",),
    ("export", "format"): ("exports",),
    ("leaderboard", "suite"): ("published",),
    ("show", "name"): ("corruptions", "perturbations"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help="which shell")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from brittle import cli
    from brittle.cli import list as listed
    from brittle.completion import SHELLS, describe

    words = {
        place: sorted({name for family in families for name in listed.names(family)})
        for place, families in NAMED.items()
    }
    print(SHELLS.load(args.shell).render(describe(cli.parser(), words)), end="")
    return 0

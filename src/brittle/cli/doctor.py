"""Say what is installed and what is missing, where things lie, and whether the bytes are right.

The self-test makes a few corruptions and compares their bytes with those of the release; exit code
1 if one differs. Extras that are missing are no fault: the command that installs each is named.
"""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from brittle.checkup import Checkup, Package

EXAMPLES = """\
  brittle doctor
  brittle doctor --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--format", default="text", choices=("text", "json"))


def run(args: argparse.Namespace) -> int:
    """Examine, print, and judge the self-test."""
    import json

    from brittle.checkup import examine

    found = examine()
    print(json.dumps(_json(found), indent=1) if args.format == "json" else "\n".join(_text(found)))
    return 0 if found.sound else 1


def _json(found: "Checkup") -> dict[str, Any]:
    return {
        **found._asdict(),
        "packages": [one._asdict() for one in found.packages],
        "extras": [
            {
                "name": one.name,
                "there": one.there,
                "command": one.command,
                "packages": [package._asdict() for package in one.packages],
            }
            for one in found.extras
        ],
        "places": [one._asdict() for one in found.places],
        "checks": [one._asdict() for one in found.checks],
        "sound": found.sound,
    }


def _text(found: "Checkup") -> Iterator[str]:
    yield f"brittle {found.version} at {found.home}"
    yield f"Python {found.python} on {found.platform}, {found.cores} cores"
    for name, value in found.threads.items():
        yield f"{name}={value}"
    if not found.locks:
        yield "no file locks on this system: do not let two processes write one run"
    yield "\npackages"
    for package in found.packages:
        yield f"  {_said(package)}"
    yield "\nextras (in a checkout: pip install '.[NAME]')"
    wide = max((len(extra.name) for extra in found.extras), default=0)
    for extra in found.extras:
        named = ", ".join(_said(package) for package in extra.packages)
        yield f"  {extra.name:{wide}}  {named}"
        if not extra.there:
            yield f"  {'':{wide}}  install it: {extra.command}"
    if not found.packages:
        yield "  brittle is not installed here, so nothing says what it needs: pip install ."
    yield "\nplaces"
    for place in found.places:
        yield f"  {place.name}: {place.path} ({place.state})"
    yield "\nself-test"
    for check in found.checks:
        wrong = "" if check.passed else f": {check.found}, not {check.expected}"
        yield f"  {check.name}: {'NOT ' if wrong else ''}the bytes of the release{wrong}"
    seconds = sum(check.seconds for check in found.checks)
    if found.sound:
        yield f"\nsound: the self-test passed in {seconds:.1f} s"
    else:
        yield (
            "\nnot sound: results from here are not those of other machines. Reinstall the "
            "packages above in the versions of constraints.txt; if it stays, report it with the "
            "output of brittle doctor --format json"
        )


def _said(package: "Package") -> str:
    if package.version is None:
        return f"{package.name} missing"
    old = "" if package.fits else f" is too old, {package.wanted} is needed"
    return f"{package.name} {package.version}{old}"

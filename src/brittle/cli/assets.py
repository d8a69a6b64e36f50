"""Fetch and check the files that may not be shipped: the ice photographs of frost.

`fetch` downloads what is missing or altered and checks it, `list` says what is there (exit code 1
if not all is), `path` prints the folder.
"""

import argparse
import sys

EXAMPLES = """\
  brittle assets fetch
  brittle assets list
  brittle assets fetch --assets /data/frost
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=("fetch", "list", "path"), help="what to do")
    parser.add_argument("--assets", metavar="DIR", help="this folder instead of the cache")


def run(args: argparse.Namespace) -> int:
    """Do one of the three."""
    from pathlib import Path

    from brittle import assets
    from brittle.files import sha256_file

    folder = Path(args.assets) if args.assets else assets.directory()
    if args.action == "path":
        print(folder)
        return 0
    if args.action == "fetch":
        print(f"brittle assets: fetching into {folder}", file=sys.stderr)
        for path in assets.fetch(folder):
            print(path)
        return 0
    whole = True
    for asset in assets.FROST:
        path = folder / asset.name
        state = "missing"
        if path.is_file():
            state = "good" if sha256_file(path) == asset.sha256 else "altered"
        whole = whole and state == "good"
        print(f"{state}  {path}  {asset.url}")
    return 0 if whole else 1

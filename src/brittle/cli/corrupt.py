"""Corrupt picture files, or show the corruptions of one on a contact sheet.

IN is a file or a folder. Every -c is a corruption, one with parameters of its own, or a chain.
One picture and one -c may go to a file; else everything goes into the folder OUT, as
CONDITION/KEY.png. The draws depend on the seed, the condition and the key: a file's path below the
folder that was given, without its suffix. Grey files become RGB; alpha is kept in formats that
hold it.
"""

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brittle._corrupt_files import Task

EXAMPLES = """\
  brittle corrupt photo.jpg -c "fog(severity=3)" -o foggy.png
  brittle corrupt photos/ -c "snow(severity=2)" -c "gaussian_noise(std=0.2)" -o out
  brittle corrupt photo.jpg -c "fog(severity=2)+jpeg_compression(severity=3)" -o both.jpg
  brittle corrupt photo.jpg --sheet -o sheet.png
  brittle corrupt photo.jpg --sheet -c fog -c snow -o two.png
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("inputs", nargs="+", metavar="IN", help="picture files or folders of them")
    parser.add_argument(
        "-c",
        "--condition",
        action="append",
        default=[],
        metavar="SPEC",
        help="what to do to the pictures; may be repeated. With --sheet a bare name is a row of "
        "five severities, and without any -c all corruptions are shown",
    )
    parser.add_argument("-o", "--out", required=True, metavar="OUT", help="file or folder")
    parser.add_argument("--sheet", action="store_true", help="one contact sheet of the picture")
    parser.add_argument("--severity", type=int, help="for every -c that gives no parameters")
    parser.add_argument("--edition", default="any", help="whose severity table (default: any)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all draws (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--exif", action="store_true", help="turn pictures upright by EXIF")
    parser.add_argument("--format", choices=("png", "jpg", "same"), help="of files in a folder")
    parser.add_argument("--quality", type=int, default=95, help="of JPEG files (default: 95)")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Corrupt the files, or make the sheet, and print where things are."""
    from brittle import _corrupt_files as files
    from brittle import assets
    from brittle.errors import SpecError

    if not 1 <= args.quality <= 100:
        raise SpecError(f"--quality must be a whole number from 1 to 100; got {args.quality}.")
    assets.use(args.assets)
    tasks = files.find(args.inputs, exif=args.exif)
    return _sheet(args, tasks) if args.sheet else _files(args, tasks)


def _files(args: argparse.Namespace, tasks: "list[Task]") -> int:
    from pathlib import Path

    from brittle import _corrupt_files as files
    from brittle.conditions import condition
    from brittle.errors import SpecError
    from brittle.layouts import cells

    if not args.condition:
        raise SpecError('Say what to do with -c, such as -c "fog(severity=3)", or use --sheet.')
    asked = cells(
        condition(text, edition=args.edition, severity=args.severity) for text in args.condition
    )
    files.refuse_within(args.inputs, Path(args.out))
    paths = files.targets(tasks, asked, Path(args.out), args.format)
    if not args.force:
        files.refuse_overwriting(list(paths.values()))
    broken = files.run(
        tasks,
        asked,
        paths,
        seed=args.seed,
        quality=args.quality,
        workers=args.workers,
        quiet=args.quiet,
    )
    for found in broken:
        print(f"brittle corrupt: {found.name}: {found.reason}", file=sys.stderr)
    made = (len(tasks) - len(broken)) * len(asked)
    print(args.out if made == 1 else f"{made} pictures in {args.out}")
    if broken:
        print(f"brittle corrupt: {len(broken)} of {len(tasks)} did not decode", file=sys.stderr)
        return 2
    return 0


def _sheet(args: argparse.Namespace, tasks: "list[Task]") -> int:

    from brittle import _corrupt_files as files
    from brittle.corruptions import CORRUPTIONS
    from brittle.sheet import condition_sheet, contact_sheet

    out = files.page_path(args.out, noun="sheet", force=args.force)
    if len(tasks) > 1:
        print("brittle corrupt: --sheet shows the first picture of those given", file=sys.stderr)
    task = tasks[0]
    picture = files.load(task)
    rows_of_five = all(text in CORRUPTIONS.names() for text in args.condition)
    if args.severity is None and not rows_of_five:
        page = condition_sheet(
            picture, args.condition, edition=args.edition, seed=args.seed, key=task.item.key
        )
    else:
        severities = (1, 2, 3, 4, 5) if args.severity is None else (args.severity,)
        page = contact_sheet(
            picture,
            args.condition or None,
            severities,
            edition=args.edition,
            seed=args.seed,
            key=task.item.key,
        )
    files.write_page(out, page)
    print(out)
    return 0

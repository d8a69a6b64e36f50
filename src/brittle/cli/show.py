"""Show one corruption or perturbation: what it does, its numbers and citation; with -o, a picture.

The picture is a strip: clean, and severities 1 to 5; or frames of the perturbation. Where a
corruption and a perturbation share a name, it is the corruption, unless --perturbation asks.
"""

import argparse
from typing import Any

EXAMPLES = """\
  brittle show fog
  brittle show snow --edition cifar-32
  brittle show frost --picture photo.jpg -o frost.png
  brittle show tilt
  brittle show motion_blur --perturbation -o frames.png
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="a part; brittle list has them")
    parser.add_argument("--perturbation", action="store_true", help="of two, the perturbation")
    parser.add_argument("--edition", help="this edition's numbers only")
    parser.add_argument("--picture", metavar="FILE", help="of the strip (default: a drawn one)")
    parser.add_argument("-o", "--out", metavar="FILE", help="where to write the strip, a PNG")
    parser.add_argument("--seed", type=int, default=0, help="seed of the strip (default: 0)")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")


def run(args: argparse.Namespace) -> int:
    """Print the page of a part, and write its strip."""
    from brittle import assets, editions
    from brittle.corruptions import CORRUPTIONS
    from brittle.errors import SpecError
    from brittle.perturbations import PERTURBATIONS

    assets.use(args.assets)
    moves = args.perturbation or (
        args.name in PERTURBATIONS.names() and args.name not in CORRUPTIONS.names()
    )
    part: Any = PERTURBATIONS.load(args.name) if moves else CORRUPTIONS.load(args.name)
    if args.picture and not args.out:
        raise SpecError("--picture is for the strip; say with -o where to write it.")
    if args.out and not args.out.lower().endswith(".png"):
        raise SpecError(f"The strip is a PNG; give -o a name that ends in .png, not {args.out}.")
    wanted = args.edition and editions.get(args.edition).table
    if args.picture:
        from brittle import _corrupt_files as files

        files.find([args.picture], exif=False)
    _page(args.name, part, moves, wanted)
    if args.out:
        _strip(args, moves)
        print(f"\n{args.out}")
    return 0


def _page(name: str, part: Any, moves: bool, wanted: str | None) -> None:
    from brittle import editions, rows

    kind = f"compared with the {part.reference} frame" if moves else part.group
    print(f"{name}: {kind}, {'extra' if part.extra else 'test'}, version {part.version}")
    print(f"\n{part.about.strip()}\n\nparameters")
    for key, field in rows.fields(part.row).items():
        print(f"  {key}: {'a list, each ' if field.kind is tuple else ''}{field.limit}")
    for table, listed in part.tables.items():
        if wanted in (None, table):
            users = [e.name for e in editions.EDITIONS.values() if e.table == table]
            several = "strengths" if len(listed) > 1 else "numbers"
            print(f"\n{several if moves else 'severities'} of {', '.join(users)}")
            for level, row in enumerate(listed, 1):
                print(f"  {f'{level}: ' if len(listed) > 1 else ''}{_shown(row._asdict())}")
    print(f"\n{part.citation}")


def _shown(row: "dict[str, object]") -> str:
    from brittle.spec import Spec

    # The parameters as a spec takes them, so that a line can be copied.
    return str(Spec("x", row))[2:-1]  # type: ignore[arg-type]


def _strip(args: argparse.Namespace, moves: bool) -> None:
    import io
    from pathlib import Path

    from brittle import _corrupt_files as files
    from brittle._example import example_picture
    from brittle.files import write_bytes
    from brittle.film import film_strip
    from brittle.sheet import contact_sheet

    if args.picture:
        task = files.find([args.picture], exif=False)[0]
        picture, key = files.load(task), task.item.key
    else:
        picture, key = example_picture(), "example"
    make = film_strip if moves else contact_sheet
    page = make(picture, [args.name], edition=args.edition or "any", seed=args.seed, key=key)
    stream = io.BytesIO()
    page.save(stream, "PNG", optimize=True)
    write_bytes(Path(args.out), stream.getvalue())

"""Perturb picture files into films, or show perturbations of one on a film strip.

IN is a file or a folder. Every -p is a perturbation, with a strength (1, 2 or 3) where it is a
noise, or with parameters of its own. One picture and one -p may go to a film; else everything goes
into the folder OUT, as PERTURBATION/KEY/FRAME.png, or PERTURBATION/KEY.mp4 with --format mp4. An
edition other than `any` prepares the picture first and takes its crop last, as the published
sequences do. The draws depend on the seed, the perturbation and the key: a file's path below the
folder that was given, without its suffix. Films are in RGB, without alpha.
"""

import argparse
import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brittle._corrupt_files import Task

EXAMPLES = """\
  brittle perturb photo.jpg -p tilt -o tilt.mp4 --edition imagenet-224
  brittle perturb photo.jpg -p "gaussian_noise(strength=2)" -o noise.gif --fps 5
  brittle perturb photos/ -p snow -p translate -o out --format mp4
  brittle perturb photo.jpg --sheet -o strip.png
  brittle perturb photo.jpg --sheet -p rotate -p "tilt(step=0.5)" --every 10 -o two.png
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("inputs", nargs="+", metavar="IN", help="picture files or folders of them")
    parser.add_argument(
        "-p",
        "--perturbation",
        action="append",
        default=[],
        metavar="SPEC",
        help="what to do to the pictures; may be repeated. With --sheet all are shown without it",
    )
    parser.add_argument(
        "-o", "--out", required=True, metavar="OUT", help="file (.mp4, .gif, .npy) or folder"
    )
    parser.add_argument("--sheet", action="store_true", help="a film strip of the picture, a PNG")
    parser.add_argument("--every", type=int, metavar="N", help="show every N-th frame on a strip")
    parser.add_argument("--edition", default="any", help="whose numbers (default: any)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all draws (default: 0)")
    parser.add_argument("--fps", type=float, default=10, help="frames a second (default: 10)")
    parser.add_argument("--format", choices=("mp4", "gif", "npy", "png"), help="of films in OUT")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--exif", action="store_true", help="turn pictures upright by EXIF")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Perturb the files, or make the strip, and print where things are."""
    from brittle import _corrupt_files as files
    from brittle.errors import SpecError

    if not (math.isfinite(args.fps) and 0.01 <= args.fps <= 100):
        raise SpecError(f"--fps must be a number from 0.01 to 100; got {args.fps}.")
    if args.every is not None and not args.sheet:
        raise SpecError("--every is for the strip; use it with --sheet.")
    tasks = files.find(args.inputs, exif=args.exif)
    return _strip(args, tasks) if args.sheet else _films(args, tasks)


def _films(args: argparse.Namespace, tasks: "list[Task]") -> int:
    from pathlib import Path

    from brittle import _corrupt_files as files
    from brittle import _perturb_files
    from brittle.sequences import sequence

    asked = [sequence(text, edition=args.edition) for text in args.perturbation]
    files.refuse_within(args.inputs, Path(args.out))
    made = _perturb_files.films(tasks, asked, Path(args.out), args.format)
    if not args.force:
        files.refuse_overwriting([file for film in made for file in film.files])
    broken = _perturb_files.run(
        made, seed=args.seed, fps=args.fps, workers=args.workers, quiet=args.quiet
    )
    for found in broken:
        print(f"brittle perturb: {found.name}: {found.reason}", file=sys.stderr)
    count = (len(tasks) - len(broken)) * len(asked)
    print(made[0].path if count == 1 and not broken else f"{count} films in {args.out}")
    if broken:
        print(f"brittle perturb: {len(broken)} of {len(tasks)} not made", file=sys.stderr)
        return 2
    return 0


def _strip(args: argparse.Namespace, tasks: "list[Task]") -> int:

    from brittle import _corrupt_files as files
    from brittle.film import film_strip

    out = files.page_path(args.out, noun="strip", force=args.force)
    if len(tasks) > 1:
        print("brittle perturb: --sheet shows the first picture of those given", file=sys.stderr)
    task = tasks[0]
    page = film_strip(
        task.source.load(task.item),
        args.perturbation or None,
        every=args.every,
        edition=args.edition,
        seed=args.seed,
        key=task.item.key,
    )
    files.write_page(out, page)
    print(out)
    return 0

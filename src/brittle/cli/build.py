"""Build a corrupted data set on disk, with a manifest; resumes if it was stopped.

The same command goes on where it stopped and ends in the same bytes. Pictures depend on the seed,
the condition and the image's key, never on order, workers or machine.
"""

import argparse
import sys

EXAMPLES = """\
  brittle build imagenet/val --suite imagenet-c -o imagenet-c
  brittle build cifar-10-batches-py --suite cifar10-c -o cifar10-c --clean
  brittle build photos --suite imagenet-c --edition any --layout shards -o photos-c
  brittle build photos --condition "fog(severity=3)+jpeg_compression(severity=2)" -o foggy
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC", help="folder, arrays or tar shards of images")
    parser.add_argument("-o", "--out", required=True, metavar="OUT", help="folder of the set")
    parser.add_argument(
        "--suite",
        metavar="NAME",
        help="what to build: a suite's name or the path of your own TOML file "
        "(default: imagenet-c, or none where --condition or --perturbation is given)",
    )
    parser.add_argument("--extra", action="store_true", help="the suite's extra parts, too")
    parser.add_argument(
        "-c",
        "--condition",
        action="append",
        default=[],
        metavar="TEXT",
        help="a free condition or chain besides; may be repeated",
    )
    parser.add_argument(
        "-p",
        "--perturbation",
        action="append",
        default=[],
        metavar="TEXT",
        help="sequences of a perturbation; may be repeated",
    )
    parser.add_argument("--clean", action="store_true", help="the prepared clean images, too")
    parser.add_argument("--edition", metavar="NAME", help="another edition than the suite's")
    parser.add_argument("--layout", metavar="NAME", help="folder, npy, shards, films, frames")
    parser.add_argument("--seed", type=int, default=0, help="seed of all draws (default: 0)")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    parser.add_argument(
        "--shard-size", type=int, default=64, metavar="N", help="images a shard (default: 64)"
    )
    parser.add_argument("--skip-broken", action="store_true", help="leave out broken images")
    parser.add_argument("--kind", metavar="KIND", help="kind of source, if it is not plain")
    parser.add_argument("--exif", action="store_true", help="turn pictures upright by EXIF")
    parser.add_argument("--split", default="test", help="part of a source that has several")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Build, and print what was made."""
    from brittle import assets
    from brittle._build import build

    if args.assets is not None:
        assets.use(args.assets)
    suite = args.suite or (None if args.condition or args.perturbation else "imagenet-c")
    try:
        made = build(
            args.source,
            args.out,
            suite=suite,
            extra=args.extra,
            edition=args.edition,
            conditions=args.condition,
            perturbations=args.perturbation,
            clean=args.clean,
            layout=args.layout,
            seed=args.seed,
            shard=args.shard_size,
            workers=args.workers,
            skip_broken=args.skip_broken,
            kind=args.kind,
            exif=args.exif,
            split=args.split,
            quiet=args.quiet,
        )
    except KeyboardInterrupt:
        print(
            f"brittle build: stopped; what is done in {args.out} is kept, and the same command "
            f"goes on from there",
            file=sys.stderr,
        )
        return 130
    if made.complete:
        print(f"{made.out} is already complete")
    print(
        f"{made.images} images x {made.conditions} conditions, {made.files} files, "
        f"{made.bytes / 1e6:.1f} MB"
    )
    if made.skipped:
        print(
            f"left out {len(made.skipped)} broken images: {', '.join(made.skipped[:5])}"
            + (" ..." if len(made.skipped) > 5 else "")
        )
    print(f"fingerprint {made.fingerprint}")
    return 0

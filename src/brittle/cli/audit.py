"""Measure how far each corruption and severity moves your pictures, by MS-SSIM and PSNR.

Prints two tables; with -o also writes audit.csv, audit.json and audit.png (needs matplotlib). The
draft of 2018 aimed at a mean MS-SSIM of about 0.9 at severity 1 and 0.5 at severity 5.
"""

import argparse
import sys

EXAMPLES = """\
  brittle audit imagenet/val
  brittle audit photos --sample 20 --corruption fog --corruption snow --format md
  brittle audit cifar-10-batches-py --edition cifar-32 -o audit
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC", help="folder, arrays or tar shards of images")
    parser.add_argument(
        "--sample", type=int, default=50, metavar="N", help="pictures (default: 50; 0 takes all)"
    )
    parser.add_argument("--edition", default="imagenet-224", help="default: imagenet-224")
    parser.add_argument(
        "--corruption", action="append", metavar="NAME", help="only this; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws and the sample")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--format", choices=("text", "md", "csv", "json"), default="text")
    parser.add_argument("-o", "--out", metavar="DIR", help="folder for tables and the picture")
    parser.add_argument("--kind", metavar="KIND", help="kind of source, if it is not plain")
    parser.add_argument("--split", default="test", help="part of a source that has several")
    parser.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Measure, print and write."""
    from pathlib import Path

    from brittle import _audit_files, assets
    from brittle._audit import audit
    from brittle._audit_plot import need_plot
    from brittle.sources import open_source

    assets.use(args.assets)
    if args.out:
        need_plot()
    found = audit(
        open_source(args.source, kind=args.kind, split=args.split),
        corruptions=args.corruption,
        edition=args.edition,
        sample=args.sample or None,
        seed=args.seed,
        workers=args.workers,
        quiet=args.quiet,
    )
    print(_audit_files.FORMATS[args.format](found), end="")
    if args.out:
        for path in _audit_files.write(found, Path(args.out)):
            print(f"brittle audit: wrote {path}", file=sys.stderr)
    return 0

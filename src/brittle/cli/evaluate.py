"""Measure a model on a suite: predictions into a run, scores with intervals on the page.

The same command goes on where it stopped; another suite, condition or clean counterpart computes
only what is missing. MODEL is a spec such as timm:resnet50 (see: brittle list models).
"""

import argparse
import re
import sys
from pathlib import Path

EXAMPLES = """\
  brittle evaluate timm:resnet50 --suite imagenet-c --data imagenet/val -o runs/resnet50
  brittle evaluate timm:resnet50 --data imagenet-c --clean imagenet/val -o runs/published
  brittle evaluate "onnx:net.onnx(mean=0.5, std=0.5)" --data photos --classes names.txt -o runs/net
  brittle evaluate python:my_module:load -c "fog(severity=3)" --data photos -o runs/fog
  brittle evaluate timm:resnet50 --suite shifts --data iid=day --data night=night -o runs/shifts
  brittle evaluate timm:resnet50 --suite imagenet-p --data unlabelled -o runs/resnet50
  brittle evaluate timm:resnet50 --suite footage --data clips --stride 5 -o runs/clips
  brittle evaluate timm:resnet50 --data imagenet/val --shard 3/16 -o runs/share3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", metavar="MODEL", help="spec of the model: kind:name(key=value)")
    parser.add_argument("-o", "--out", required=True, metavar="RUN", help="folder of the run")
    parser.add_argument("--name", metavar="NAME", help="what tables call the model")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    _what(parser.add_argument_group("what is measured"))
    _data_options(parser.add_argument_group("data"))
    _model(parser.add_argument_group("model"))
    _work(parser.add_argument_group("work"))


def _what(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--suite",
        action="append",
        metavar="NAME",
        help="a suite or the path of your own TOML file; may be repeated (default: imagenet-c, or "
        "none where --condition or --perturbation is given)",
    )
    group.add_argument(
        "-c", "--condition", action="append", default=[], metavar="TEXT", help="a free condition"
    )
    group.add_argument(
        "-p", "--perturbation", action="append", default=[], metavar="TEXT",
        help="frames of a perturbation, which need no labels",
    )  # fmt: skip
    group.add_argument("--extra", action="store_true", help="the suite's extra parts, too")
    group.add_argument("--edition", metavar="NAME", help="another edition than the suite's")
    group.add_argument("--seed", type=int, default=0, help="seed of all draws (default: 0)")
    group.add_argument("--no-jpeg", action="store_true", help="leave out the JPEG round trip")
    group.add_argument(
        "--codec", action="store_true", help="send frames through the codec of published films"
    )
    group.add_argument(
        "--stride", type=int, default=1, metavar="N", help="every N-th frame of one's own films"
    )
    group.add_argument("--resize", action="store_true", help="allow resizing prepared pictures")
    group.add_argument("--assets", metavar="DIR", help="folder with the frost photographs")


def _data_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--data",
        action="append",
        required=True,
        metavar="[NAME=]DIR",
        help="folder, arrays, tar shards, published files or films; NAME= is a suite or a shift",
    )
    group.add_argument("--clean", metavar="DIR", help="clean counterpart of corrupted files")
    group.add_argument("--limit", type=int, metavar="N", help="a fixed sample of N images")
    group.add_argument("--skip-broken", action="store_true", help="leave out broken images")
    group.add_argument("--kind", metavar="KIND", help="kind of source, if it is not plain")
    group.add_argument("--exif", action="store_true", help="turn pictures upright by EXIF")
    group.add_argument("--split", default="test", help="part of a source that has several")


def _model(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--classes", metavar="FILE", help="names of the model's outputs, in order")
    group.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 or mps")
    group.add_argument(
        "--precision",
        default="float32",
        choices=("float32", "bfloat16", "float16"),
        help="of the model (default: float32)",
    )
    group.add_argument(
        "--channels-last",
        action=argparse.BooleanOptionalAction,
        help="memory order in a torch network (default: last on the CPU, first elsewhere)",
    )
    group.add_argument("--threads", type=int, metavar="N", help="processor threads of the model")
    group.add_argument(
        "--keep",
        action="append",
        default=[],
        choices=("logits", "features", "ranking", "samples"),
        help="keep these of every picture as well; may be repeated",
    )
    group.add_argument(
        "--passes",
        type=int,
        metavar="N",
        help="stochastic passes with dropout on, for --keep samples (default: 10)",
    )


def _work(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--batch-size", type=int, metavar="N", help="default: found by trying")
    group.add_argument("--workers", type=int, metavar="N", help="threads that make pictures")
    group.add_argument("--shard", metavar="I/N", help="measure the I-th of N shares, then merge")
    group.add_argument(
        "--shard-size",
        type=int,
        metavar="N",
        help="images a part, which is what a stop can cost (default: 64, fewer for few images)",
    )
    group.add_argument("--replicates", type=int, default=1000, help="of the bootstrap")


def run(args: argparse.Namespace) -> int:
    """Measure, then print the scores of every suite."""
    from brittle import assets
    from brittle._evaluate import evaluate
    from brittle.scoring import bootstrap

    bootstrap.check(args.replicates, bootstrap.LEVEL)
    if args.assets is not None:
        assets.use(args.assets)
    try:
        made = evaluate(
            args.model,
            data=_data(args.data),
            suite=args.suite,
            conditions=args.condition,
            perturbations=args.perturbation,
            clean=args.clean,
            out=args.out,
            name=args.name,
            extra=args.extra,
            edition=args.edition,
            seed=args.seed,
            classes=args.classes,
            device=args.device,
            precision=args.precision,
            channels_last=args.channels_last,
            threads=args.threads,
            workers=args.workers,
            batch=args.batch_size,
            keep=tuple(dict.fromkeys(args.keep)),
            passes=args.passes,
            resize=args.resize,
            jpeg=not args.no_jpeg,
            codec=args.codec,
            stride=args.stride,
            share=_share(args.shard),
            limit=args.limit,
            shard=args.shard_size,
            skip_broken=args.skip_broken,
            kind=args.kind,
            exif=args.exif,
            split=args.split,
            quiet=args.quiet,
        )
    except KeyboardInterrupt:
        print(f"brittle evaluate: stopped; {_kept(args.out)}", file=sys.stderr)
        return 130
    if args.shard is not None:
        print(f"share {args.shard} is measured; join the shares with: brittle merge RUN... -o RUN")
        return 0
    from brittle import reports

    given = 0
    for name in made.suites:
        sheet = reports.summary(made, name, replicates=args.replicates)
        given += len(sheet.rows)
        print(reports.render(sheet, "text"))
    print(f"{made.path} holds the predictions; see also: brittle table, score, compare, report")
    if not given:
        print("brittle evaluate: no score can be given, see the notes", file=sys.stderr)
    return 0 if given else 2


def _data(given: list[str]) -> dict[str, str]:
    """Return name -> path; `""` is the name of a path without one."""
    from brittle.errors import SourceError

    found: dict[str, str] = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not sign or not re.fullmatch(r"[A-Za-z][\w.-]*", name) or Path(text).exists():
            name, path = "", text
        if name in found:
            which = f"the name {name} is" if name else "two paths without a name are"
            raise SourceError(f"--data: {which} given twice; write NAME=DIR with different names.")
        found[name] = path
    return found


def _share(text: str | None) -> tuple[int, int] | None:
    from brittle.errors import SpecError

    if text is None:
        return None
    first, sign, last = text.partition("/")
    if not sign or not first.isdecimal() or not last.isdecimal():
        raise SpecError(f"--shard takes I/N such as 3/16; got '{text}'.")
    return int(first), int(last)


def _kept(out: str) -> str:
    """Say what a stop left behind."""
    from brittle._run import Run
    from brittle.cli._unfinished import how_far
    from brittle.errors import BrittleError

    try:
        run = Run.open(out)
        far = how_far(run, run.suites[-1:])
    except BrittleError:
        return "nothing is measured yet"
    return f"{far or f'all images are measured in {out}'}, and the same command goes on from there"

"""Do our corruptions break real models as much as the authors' own generators do?

    python benchmarks/fidelity.py                              both editions, about a quarter hour
    python benchmarks/fidelity.py --edition cifar-32 --json cifar.json
    python benchmarks/fidelity.py --only fog frost --limit 50  a look; --only by itself: clean alone

Corrupts the pictures that `fidelity.json` of the reference data names, runs the model that it
names, and prints for every corruption the top-1 error (mean over severities) beside that of the set
which the authors' generator made from the same pictures. Where their predictions are given too, the
difference has a 95 % interval: bootstrap over pictures, paired.

Leaves with 1 where a corruption's difference is over 4 points or that of the mean of the fifteen
over 1 point, with 2 where something is missing. With --limit the gate is off: the draws of few
pictures differ by more than that.
"""

import argparse
import io
import json
import os
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import brittle.assets
import brittle.editions
from tests.helpers.models import Model, cifar_resnet, efficientnet_lite0
from tests.helpers.shared import shared

EACH_POINTS = 4.0
MEAN_POINTS = 1.0
FIFTEEN = "**mean of the fifteen**"
EXTRA = ("speckle_noise", "gaussian_blur", "spatter", "saturate")
RESAMPLES = 10_000


class Pictures(NamedTuple):
    """Prepared pictures [N, side, side, 3] with their keys and labels, in the reference's order."""

    keys: list[str]
    images: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def take(self, index: NDArray[np.int64]) -> "Pictures":
        return Pictures([self.keys[i] for i in index], self.images[index], self.labels[index])


class Line(NamedTuple):
    """One row of the table: mean errors and their difference in points."""

    name: str
    ours: list[float]
    authors: list[float]
    difference: float
    each: NDArray[np.float64] | None
    """The difference at every picture, where the authors' predictions are given."""


def imagenet_sample() -> Pictures:
    edition = brittle.editions.get("imagenet-224")
    classes = json.loads(shared("reference", "classes.json").read_text())["imagenet_1k"]
    keys, images, labels = [], [], []
    for label in range(0, 1000, 5):
        wnid = classes[label][0]
        (path,) = shared("images", "imagenet-sample", wnid).glob("*.JPEG")
        with Image.open(path) as picture:
            images.append(edition.prepare(np.asarray(picture.convert("RGB"))))
        keys.append(f"{wnid}/{path.name}")
        labels.append(label)
    return Pictures(keys, np.stack(images), np.array(labels))


def cifar_test() -> Pictures:
    files: dict[str, dict[str, bytes]] = {}
    with tarfile.open(shared("images", "cifar10-jpeg.tar.gz")) as archive:
        for member in archive:
            folder, _, rest = member.name.partition("/")
            if member.isfile() and folder == "test":
                reader = archive.extractfile(member)
                assert reader is not None
                wanted, name = rest.split("/")
                files.setdefault(wanted, {})[name] = reader.read()
    keys, images, labels = [], [], []
    for label, wanted in enumerate(sorted(files)):
        for name in sorted(files[wanted])[:200]:
            with Image.open(io.BytesIO(files[wanted][name])) as picture:
                images.append(np.asarray(picture.convert("RGB")))
            keys.append(f"{wanted}/{name}")
            labels.append(label)
    return Pictures(keys, np.stack(images), np.array(labels))


EDITIONS: dict[str, tuple[Callable[[], Pictures], Callable[[int], Model]]] = {
    "imagenet-224": (imagenet_sample, lambda threads: efficientnet_lite0(threads=threads)),
    "cifar-32": (cifar_test, lambda threads: cifar_resnet(20, threads=threads)),
}


def stored(image: NDArray[np.uint8], quality: int | None) -> NDArray[np.uint8]:
    """What comes back from the file in which the published set keeps an image."""
    if quality is None:
        return image
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=quality, optimize=True)
    with Image.open(file) as picture:
        return np.asarray(picture)


def measure(name: str, reference: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """Run one edition: its lines, and our predictions under the names of the reference."""
    load, make = EDITIONS[name]
    quality = brittle.editions.get(name).jpeg
    pictures = load()
    total = len(pictures.keys)
    index = np.linspace(0, total - 1, min(options.limit or total, total)).astype(np.int64)
    pictures = pictures.take(index)
    model = make(options.threads)
    theirs = reference.get("predictions")

    def corrupted(corruption: str, severity: int) -> Iterator[NDArray[np.uint8]]:
        def one(i: int) -> NDArray[np.uint8]:
            image = brittle.corrupt(
                pictures.images[i],
                corruption,
                severity=severity,
                edition=name,
                seed=options.seed,
                key=pictures.keys[i],
            )
            return stored(image, quality)

        # The first alone: it compiles what the others then share.
        yield one(0)
        yield from pool.map(one, range(1, len(index)))

    def line(title: str, names: list[str], authors: list[float]) -> Line:
        wrong = np.array([predictions[n] != pictures.labels for n in names], dtype=np.float64)
        ours = list(wrong.mean(axis=1))
        if theirs is None:
            return Line(title, ours, authors, 100 * float(np.mean(ours) - np.mean(authors)), None)
        other = np.array([np.array(theirs[n])[index] != pictures.labels for n in names])
        each = 100 * (wrong - other).mean(axis=0)
        return Line(title, ours, list(other.mean(axis=1)), float(each.mean()), each)

    started = time.perf_counter()
    predictions: dict[str, NDArray[np.int64]] = {}
    clean = np.stack([stored(image, quality) for image in pictures.images])
    predictions["clean"] = model(clean).argmax(axis=1)
    lines = [line("clean", ["clean"], [reference["clean_error"]])]
    with ThreadPoolExecutor(options.threads) as pool:
        for corruption in reference["error"] if options.only is None else options.only:
            authors = reference["error"][corruption]
            names = [f"{corruption}_{severity}" for severity in range(1, len(authors) + 1)]
            for severity, condition in enumerate(names, start=1):
                images = np.stack(list(corrupted(corruption, severity)))
                predictions[condition] = model(images).argmax(axis=1)
            lines.append(line(corruption, names, authors))
            seconds = time.perf_counter() - started
            print(f"{name}: {corruption} done after {seconds:.0f} s", file=sys.stderr)
    lines += mean_of_the_fifteen(lines)
    return {
        "edition": name,
        "model": reference["model"],
        "seed": options.seed,
        "pictures": len(index),
        "of": total,
        "lines": lines,
        "predictions": {condition: p.tolist() for condition, p in predictions.items()},
    }


def mean_of_the_fifteen(lines: list[Line]) -> list[Line]:
    """Their mean, or nothing where one of them was not measured."""
    chosen = [line for line in lines if line.name not in ("clean", *EXTRA)]
    if len(chosen) != 15:
        return []
    ours = [float(np.mean(line.ours)) for line in chosen]
    authors = [float(np.mean(line.authors)) for line in chosen]
    each = [line.each for line in chosen if line.each is not None]
    mean = np.mean(each, axis=0) if each else None
    return [Line(FIFTEEN, ours, authors, 100 * float(np.mean(ours) - np.mean(authors)), mean)]


def interval(each: NDArray[np.float64]) -> tuple[float, float]:
    """95 % interval of a mean, by bootstrap over pictures."""
    rng = np.random.default_rng(0)
    counts = rng.multinomial(len(each), np.full(len(each), 1 / len(each)), size=RESAMPLES)
    low, high = np.quantile(counts @ each / len(each), [0.025, 0.975])
    return float(low), float(high)


def over(line: Line) -> bool:
    """Whether a line fails the gate."""
    return abs(line.difference) > (MEAN_POINTS if line.name == FIFTEEN else EACH_POINTS)


def table(result: dict[str, Any]) -> str:
    lines = [
        f"### {result['edition']}, {result['pictures']} of {result['of']} pictures, "
        f"seed {result['seed']}",
        "",
        f"{result['model']}. Top-1 error in %, mean over severities; differences in points.",
        "",
        "| corruption | brittle | authors | difference | 95 % interval | |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for line in result["lines"]:
        spread = "" if line.each is None else "{:+.2f} to {:+.2f}".format(*interval(line.each))
        ours, authors = 100 * np.mean(line.ours), 100 * np.mean(line.authors)
        lines.append(
            f"| {line.name} | {ours:.2f} | {authors:.2f} | {line.difference:+.2f} | {spread} | "
            f"{'over' if complete(result) and over(line) else ''} |"
        )
    return "\n".join(lines) + "\n"


def plain(result: dict[str, Any]) -> dict[str, Any]:
    """The result as JSON holds it: intervals in place of the differences at every picture."""
    lines = []
    for line in result["lines"]:
        row = line._asdict()
        each = row.pop("each")
        lines.append(row | {"interval": None if each is None else interval(each)})
    return result | {"lines": lines}


def complete(result: dict[str, Any]) -> bool:
    """Whether all pictures took part, so that the gate may judge."""
    return bool(result["pictures"] == result["of"])


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", choices=EDITIONS, help="one edition; default both")
    parser.add_argument("--seed", type=int, default=0, help="the seed of our draws; default 0")
    parser.add_argument("--limit", type=int, metavar="N", help="N pictures, spread; no gate")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these corruptions alone")
    parser.add_argument("--threads", type=int, default=2, help="of PyTorch and of corrupting")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here too")
    parser.add_argument(
        "--assets",
        type=Path,
        metavar="DIR",
        help="the ice photographs; default BRITTLE_ASSETS, else those of the reference data",
    )
    options = parser.parse_args(argv)
    if options.limit is not None and options.limit < 1:
        parser.error("--limit takes at least 1")
    return options


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(argv)
    file = shared("reference", "fidelity.json")
    if not file.is_file():
        print(f"{file} is not there: set BRITTLE_SHARED to the reference data.", file=sys.stderr)
        return 2
    reference = json.loads(file.read_text())
    unknown = set(options.only or ()) - set(reference["imagenet-224"]["error"])
    if unknown:
        print(f"the reference data have no {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    frost = options.assets or os.environ.get("BRITTLE_ASSETS") or shared("reference", "frost")
    os.environ["BRITTLE_ASSETS"] = str(frost)
    if not brittle.assets.have_frost():
        print(f"{frost} does not hold the five ice photographs; name --assets.", file=sys.stderr)
        return 2

    results = []
    for name in [options.edition] if options.edition else EDITIONS:
        results.append(measure(name, reference[name], options))
        print(table(results[-1]), flush=True)
        if options.json:
            # After every edition: the first is not lost where the second fails.
            options.json.write_text(json.dumps([plain(r) for r in results]) + "\n")
    return int(any(over(line) for r in results if complete(r) for line in r["lines"]))


if __name__ == "__main__":
    sys.exit(main())

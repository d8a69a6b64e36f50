"""How long `brittle build` of ImageNet-C takes against its floor, and how much memory.

The floor is what no build can avoid: decode and prepare each picture once and encode 75 pictures,
in one thread. It is taken twice: A encodes the clean picture 75 times, B the very pictures of the
set (noise compresses badly and slowly). Neither corrupts nor writes; both are shown beside.
Build and floors take turns, the best of all rounds counts.

    python benchmarks/build.py PICTURES --assets FROST [--images 24] [--rounds 3]
"""

import argparse
import hashlib
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from brittle import assets, editions, suites
from brittle._build import build
from brittle.codec import encode_jpeg
from brittle.executors import usable_cores
from brittle.layouts._files import put
from brittle.sources import open_source
from brittle.types import Pixels

FEW = (
    "gaussian_noise(severity=3)",
    "glass_blur(severity=3)",
    "fog(severity=3)",
    "jpeg_compression(severity=3)",
)
SMALL, LARGE = 100, 1000
A_CLASS = 50


def linked(pictures: Path, place: Path, count: int) -> Path:
    """Make a source of `count` images under keys of their own by linking real ones repeatedly.

    Fifty a class, as in ImageNet; with fewer, making folders would count for more than it does.
    At most `SMALL` different ones: more would hold larger ones, and those are no growth by number.
    """
    items = open_source(pictures).items[:SMALL]
    for number in range(count):
        item = items[number % len(items)]
        folder = place / f"class_{number // A_CLASS:04d}"
        folder.mkdir(parents=True, exist_ok=True)
        name = Path(item.name)
        target = (pictures / name).resolve()
        (folder / f"{name.stem}_{number:05d}{name.suffix}").symlink_to(target)
    return place


class Spent(NamedTuple):
    """Seconds by the clock and of this process's CPU time, which other load distorts less."""

    wall: float
    cpu: float

    def __add__(self, other: object) -> "Spent":
        assert isinstance(other, Spent)
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


NOTHING = Spent(0.0, 0.0)


def timed(work: Callable[[], object]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def pieces(source: Path, scratch: Path) -> tuple[Spent, Spent, Spent, Spent]:
    """Return both floors, the time of the corruptions alone and that of the files alone."""
    opened, edition = open_source(source), editions.get("imagenet-224")
    conditions = suites.get("imagenet-c").conditions()
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    clean = own = corrupting = writing = NOTHING
    for item in opened.items:
        held: list[Any] = []
        ready = timed(lambda item=item, held=held: held.append(edition.prepare(opened.load(item))))
        (pixels,) = held
        clean += ready + timed(lambda x=pixels: [jpeg(x) for _ in conditions])
        own += ready
        for number, condition in enumerate(conditions):
            made: list[Any] = []
            key, stem = item.key, item.name.rpartition("/")[2]
            corrupting += timed(
                lambda c=condition, x=pixels, k=key, m=made: m.append(c.apply(x, seed=0, key=k))
            )
            own += timed(lambda m=made: m.append(jpeg(m[0])))
            path = f"{scratch}/files/{number}/{item.label}/{stem}"
            writing += timed(lambda m=made, path=path: put(path, m[1]))
    cv2.setNumThreads(before)
    shutil.rmtree(scratch / "files")
    return clean, own, corrupting, writing


def jpeg(pixels: Pixels) -> bytes:
    return encode_jpeg(pixels, 85, optimize=True)


def gain_of_two_threads() -> float:
    """Return what a second thread gains here and now in work without any Python: hashing."""
    data = bytes(1 << 24)

    def half() -> None:
        for _ in range(12):
            hashlib.sha256(data).digest()

    def both() -> None:
        threads = [threading.Thread(target=half) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return timed(lambda: (half(), half())).wall / timed(both).wall


def whole(source: Path, scratch: Path, workers: int, layout: str = "folder") -> None:
    build(source, scratch / "set", suite="imagenet-c", layout=layout, workers=workers)


def measured_build(source: Path, scratch: Path, workers: int) -> Spent:
    spent = timed(lambda: whole(source, scratch, workers))
    shutil.rmtree(scratch / "set")
    return spent


def peak(arguments: Sequence[str]) -> float:
    """Return the peak memory in MiB of one build in a process of its own."""
    command = [sys.executable, __file__, "--one", *arguments]
    # Errors go to the terminal: a build that fails here must say why.
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(json.loads(said)["mib"])


def one(arguments: Sequence[str]) -> None:
    """Run one build in this process and print its peak memory."""
    source, out, layout, workers, frost, *conditions = arguments
    assets.use(frost or None)
    suite = None if conditions else "imagenet-c"
    build(
        source,
        out,
        suite=suite,
        edition="imagenet-224",
        conditions=conditions,
        layout=layout,
        workers=int(workers),
    )
    print(json.dumps({"mib": high_water()}))


def high_water() -> float:
    """Return the peak memory of this process in MiB.

    Not by getrusage on Linux: its ru_maxrss outlives exec, so a child shows its parent's peak.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", type=Path, help="folder of real pictures, a folder a class")
    parser.add_argument("--assets", help="folder with the frost photographs")
    parser.add_argument("--images", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scratch", type=Path, help="where sets are built (default: temporary)")
    parser.add_argument("--no-memory", action="store_true", help="times only")
    args = parser.parse_args()
    assets.use(args.assets)
    warnings.simplefilter("ignore")

    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        source = linked(args.pictures, scratch / "source", args.images)
        measured_build(source, scratch, 1)
        rounds, gains = [], []
        for _ in range(args.rounds):
            single = measured_build(source, scratch, 1)
            found = pieces(source, scratch)
            gains.append(gain_of_two_threads())
            double = measured_build(source, scratch, 2)
            rounds.append((single, double, *found))
        single, double, clean, own, corrupting, writing = (
            Spent(min(one.wall for one in column), min(one.cpu for one in column))
            for column in zip(*rounds, strict=True)
        )
        load = os.getloadavg()[0]
        print(f"Build of ImageNet-C (15 x 5) of {args.images} pictures, {platform.machine()}, ")
        print(
            f"{usable_cores()} cores, Python {platform.python_version()}, best of {args.rounds}, "
        )
        print(f"load {load:.1f} at the end (above 1 the clock measures others' work as well).")
        print("\n| what | ms an image | CPU ms an image |\n|---|--:|--:|")
        for name, spent in (
            ("floor A: clean picture encoded 75 times", clean),
            ("floor B: the set's own pictures encoded", own),
            ("the 75 corruptions alone", corrupting),
            ("the 75 files alone", writing),
            ("build, one worker", single),
            ("build, two workers", double),
        ):
            wall, cpu = (1000 * seconds / args.images for seconds in spent)
            print(f"| {name} | {wall:.1f} | {cpu:.1f} |")
        print("\n| ratio | by the clock | by CPU time | budget |\n|---|--:|--:|---|")
        for name, floor in (("A", clean), ("B", own)):
            walls, cpus = single.wall / floor.wall, single.cpu / floor.cpu
            print(f"| one worker against floor {name} | {walls:.2f} | {cpus:.2f} | <= 3 |")
        print(f"| two workers against one | {single.wall / double.wall:.2f} | | >= 1.8 |")
        print(f"| control: hashing in two threads against one | {max(gains):.2f} | | |")
        if not args.no_memory:
            memory(args, source, scratch)


def memory(args: argparse.Namespace, source: Path, scratch: Path) -> None:
    sources = {n: linked(args.pictures, scratch / f"source{n}", n) for n in (SMALL, LARGE)}
    frost = args.assets or ""
    workers = str(usable_cores())
    print("\n| peak memory | MiB | budget |\n|---|--:|---|")
    for layout in ("folder", "shards", "npy"):
        out = scratch / f"full-{layout}"
        mib = peak([str(source), str(out), layout, workers, frost])
        shutil.rmtree(out)
        print(f"| {layout}, 75 conditions, {args.images} pictures | {mib:.0f} | < 1024 |")
    for layout in ("folder", "shards", "npy"):
        found = []
        for count, place in sources.items():
            out = scratch / f"{layout}{count}"
            found.append(peak([str(place), str(out), layout, workers, frost, *FEW]))
            shutil.rmtree(out)
        small, large = found
        print(f"| {layout}, 4 conditions, {SMALL} pictures | {small:.0f} | |")
        growth = large - small
        print(f"| {layout}, 4 conditions, {LARGE} pictures | {large:.0f} ({growth:+.0f}) | flat |")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    if sys.argv[1:2] == ["--one"]:
        warnings.simplefilter("ignore")
        one(sys.argv[2:])
    else:
        main()

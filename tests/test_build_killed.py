"""A build that is killed at any moment goes on to the bytes of one that was not."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from brittle._build import build
from brittle.files import ASIDE
from brittle.manifest import JSON
from tests.layouts import pictures

LAYOUTS = ["folder", "npy", "shards", "frames", "films", "npy of frames"]
MOVING = ("tilt(frames=7)", "gaussian_noise(frames=7)")


def asked(layout: str) -> dict[str, Any]:
    """What is built in a layout: pictures under conditions, or sequences."""
    if layout in ("folder", "npy", "shards"):
        return {"conditions": pictures.CONDITIONS, "clean": True}
    return {"perturbations": MOVING, "edition": "imagenet-64"}


def command(source: Path, out: Path, layout: str) -> list[str]:
    what = asked(layout)
    free = [word for text in what.get("conditions", ()) for word in ("--condition", text)]
    free += [word for text in what.get("perturbations", ()) for word in ("-p", text)]
    free += ["--clean"] if "clean" in what else ["--edition", what["edition"]]
    where = ["--layout", layout.split()[0], "--shard-size", "2", "--workers", "2", "-q"]
    return [sys.executable, "-m", "brittle", "build", str(source), "-o", str(out), *free, *where]


def begun(out: Path) -> int:
    """Count what is there: files by name, and parts twice, so that every stage has its count."""
    files = [path.name for path in out.rglob("*") if path.is_file()] if out.exists() else []
    return len(files)


def kill_at(arguments: list[str], out: Path, count: int) -> bool:
    """Run until so many files are there, then kill; say whether it was killed in time."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        if begun(out) >= count:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.0005)
    assert process.returncode == 0
    return False


def check_unfinished(out: Path, whole: dict[str, str]) -> None:
    """Whatever has its final name is already what it will be."""
    there = pictures.tree(out)
    for name, digest in there.items():
        working = name.startswith(".brittle/") or name.endswith((ASIDE, ".partial"))
        if not working and name in whole:
            assert digest == whole[name], name
        assert working or name in whole, name


def run(layout: str, kills: int, tmp_path: Path, seed: int) -> int:
    rng = random.Random(seed)
    source = pictures.folder(tmp_path / "src", 12, height=150, width=160)
    build(
        source,
        tmp_path / "whole",
        suite=None,
        layout=layout.split()[0],
        shard=2,
        **asked(layout),
    )
    whole = pictures.tree(tmp_path / "whole")
    out = tmp_path / "out"
    arguments = command(source, out, layout)
    killed = 0
    for _ in range(kills):
        at = begun(out)
        if kill_at(arguments, out, rng.randint(at + 1, at + max(3, len(whole) // kills))):
            killed += 1
        check_unfinished(out, whole)
        if (out / JSON).exists() and not (out / ".brittle").exists():
            break
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    assert pictures.tree(out) == whole
    assert sorted(os.listdir(out)) == sorted(os.listdir(tmp_path / "whole"))
    return killed


@pytest.mark.parametrize("layout", LAYOUTS)
def test_killed_once(layout: str, tmp_path: Path) -> None:
    assert run(layout, 1, tmp_path, seed=1) == 1


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_killed_again_and_again(layout: str, seed: int, tmp_path: Path) -> None:
    assert run(layout, 5, tmp_path, seed) >= 2


def heed_interrupts() -> None:
    """Undo what a shell does to its background jobs, whose children would be deaf to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_leaves_a_resumable_build_and_says_so(tmp_path: Path) -> None:
    source = pictures.folder(tmp_path / "src", 12, height=150, width=160)
    out = tmp_path / "out"
    arguments = command(source, out, "folder")
    process = subprocess.Popen(
        arguments, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    while begun(out) < 8:
        assert process.poll() is None, "it ended before it could be stopped"
        time.sleep(0.0005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert not (out / JSON).exists()
    assert subprocess.run(arguments, check=False, stdout=subprocess.DEVNULL).returncode == 0
    assert (out / JSON).exists()

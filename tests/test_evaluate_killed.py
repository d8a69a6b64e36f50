"""A run that is killed at any moment goes on to the bytes of one that was not."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brittle._run import Run
from brittle.files import ASIDE
from tests.helpers.runs import CLASSES, MODEL, SUITE, measured, parts, pictures, suite
from tests.test_build_killed import heed_interrupts, kill_at

IMAGES = 40
FRAMES = """\
about = "Two perturbations of a few frames."
edition = "imagenet-64"
perturbations = ["tilt(frames=4)", "gaussian_noise(frames=3)"]
scores = ["mean_flip_probability"]
"""
SUITES = pytest.mark.parametrize("text", [SUITE, FRAMES], ids=["pictures", "frames"])


def command(source: Path, small: str, out: Path) -> list[str]:
    names = out.parent / "classes.txt"
    names.write_text("\n".join(CLASSES))
    what = [MODEL, "--suite", small, "--data", str(source), "--classes", str(names)]
    how = ["--batch-size", "4", "--shard-size", "1", "--workers", "2", "--replicates", "100", "-q"]
    return [sys.executable, "-m", "brittle", "evaluate", *what, "-o", str(out), *how]


def check_unfinished(out: Path, whole: dict[str, bytes]) -> None:
    """Whatever has its final name is already what it will be."""
    for name, data in parts(out).items():
        assert name in whole, name
        assert data == whole[name], name
    for path in out.rglob("*"):
        assert not path.is_file() or path.suffix in (".parquet", ".json", "") or ASIDE in path.name


def run(kills: int, tmp_path: Path, seed: int, text: str) -> int:
    rng = random.Random(seed)
    source, small = pictures(tmp_path / "src", IMAGES), suite(tmp_path, text=text)
    whole = measured(source, tmp_path / "whole", small, shard=1)
    expected = dict(parts(whole))
    out, killed = tmp_path / "out", 0
    arguments = command(source, small, out)
    for number in range(kills):
        # Files: the record, lock, scan and list of images come first, then a part an image.
        at = rng.randint(1 + number * IMAGES // kills, 4 + (number + 1) * IMAGES // kills)
        killed += kill_at(arguments, out, at)
        check_unfinished(out, expected)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    assert dict(parts(out)) == expected
    assert Run.open(out).missing() == {}
    assert not list(out.rglob(f"*{ASIDE}"))
    return killed


@SUITES
def test_killed_once(tmp_path: Path, text: str) -> None:
    assert run(1, tmp_path, seed=1, text=text) == 1


@pytest.mark.slow
@SUITES
@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_killed_again_and_again(seed: int, tmp_path: Path, text: str) -> None:
    assert run(5, tmp_path, seed, text) >= 4


def test_ctrl_c_leaves_a_resumable_run_and_says_so(tmp_path: Path) -> None:
    source, small = pictures(tmp_path / "src", IMAGES), suite(tmp_path)
    out = tmp_path / "out"
    arguments = command(source, small, out)
    process = subprocess.Popen(
        arguments, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    while len(parts(out)) < 5:
        assert process.poll() is None, "it ended before it could be stopped"
        time.sleep(0.0005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert Run.open(out).missing()
    assert subprocess.run(arguments, check=False, stdout=subprocess.DEVNULL).returncode == 0
    assert Run.open(out).missing() == {}


def test_a_second_process_is_refused_while_the_first_works(tmp_path: Path) -> None:
    source, small = pictures(tmp_path / "src", IMAGES), suite(tmp_path)
    out = tmp_path / "out"
    arguments = command(source, small, out)
    first = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while not (out / "run.json").exists():
        assert first.poll() is None
        time.sleep(0.0005)
    first.send_signal(signal.SIGSTOP)
    second = subprocess.run(arguments, check=False, capture_output=True, text=True)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert "Another process is working on" in second.stderr
    assert first.wait() == 0
    assert Run.open(out).missing() == {}

"""The scripts of the how-tos are run: the workflow step by step, the array task by task."""

import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from brittle import Run
from brittle.models import open_model
from tests.helpers import docs

MODEL = "linear:random(classes=3, size=224, seed={})"
NAMES = ["ant", "bee", "cat"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with `brittle` on its path, pictures labelled as one model answers, and classes."""
    root = tmp_path_factory.mktemp("howto")
    (root / "bin").mkdir()
    program = root / "bin" / "brittle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m brittle "$@"\n')
    program.chmod(0o755)
    rng = np.random.default_rng(0)
    model = open_model(MODEL.format(0))
    for number in range(12):
        coarse = rng.integers(0, 256, (7, 7, 3), dtype=np.uint8)
        pixels = np.kron(coarse, np.ones((32, 32, 1), np.uint8))
        answer = NAMES[model.predict(pixels[None]).logits.argmax()]
        folder = root / "pictures" / answer
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(folder / f"{number:02d}.png")
    (root / "classes.txt").write_text("\n".join(NAMES) + "\n")
    suite = 'about = "Two."\nedition = "imagenet-224"\ncorruptions = ["contrast", "fog"]\n'
    scores = 'severities = [1, 5]\nscores = ["mean_corruption_error", "clean_error"]\n'
    (root / "two.toml").write_text(suite + scores)
    return root


def bash(place, script, *options, **env):
    """Run a script as a runner does."""
    paths = {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(docs.ROOT / "src"),
    }
    return subprocess.run(
        ["bash", *options, "-c", script],
        cwd=place, env={**os.environ, **paths, **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def workflow():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    return yaml.safe_load(docs.titled("howto/ci.md", ".github/workflows/robustness.yml"))


def test_the_workflow_gates(workflow, place):
    """Its steps as GitHub runs them (`bash -e`): an equal model, a worse one, other pictures."""
    job = workflow["jobs"]["compare"]
    steps = {step["name"]: step["run"] for step in job["steps"] if "name" in step}
    given = {
        "CLASSES": "classes.txt",
        "PICTURES": "pictures",
        "RELEASED": "runs/released",
        "GITHUB_STEP_SUMMARY": "summary.md",
    }
    assert given.keys() >= workflow["env"].keys() - {"MODEL"}
    # The whole suite is 75 cells; two corruptions show the same.
    measure = steps["Measure the new model"].replace("imagenet-c", "two.toml")
    assert measure != steps["Measure the new model"]
    released = measure.replace("runs/new", "runs/released")

    def run(script, seed=0, **env):
        return bash(place, script, "-e", MODEL=MODEL.format(seed), **{**given, **env})

    assert run(released).returncode == 0
    codes = {}
    for seed in (0, 1):
        bash(place, "rm -rf runs/new")
        made = run(measure, seed)
        assert made.returncode == 0, made.stderr
        codes[seed] = run(steps["Compare with the released one"], seed).returncode
    assert codes == {0: 0, 1: 1}
    summary = (place / "summary.md").read_text()
    assert "mean corruption error" in summary
    assert "| ---" in summary
    few = run(measure.strip().replace("runs/new", "runs/few") + " --limit 6")
    assert few.returncode == 0
    other = steps["Compare with the released one"].replace("runs/new", "runs/few")
    assert run(other).returncode == 2
    if "report" in steps["Install"]:
        pytest.importorskip("vl_convert", reason="vl-convert is not installed")
        done = run(steps["Report"])
        assert done.returncode == 0, done.stderr
        assert (place / "report.html").stat().st_size > 10_000


def test_the_array_of_slurm_is_the_whole_run(place):
    shares = docs.titled("howto/slurm.md", "shares.sh")
    given = {
        "MODEL": MODEL.format(0), "SUITE": "two.toml", "DATA": "pictures", "RUN": "runs/array",
        "BATCH": "4", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "1",
    }  # fmt: skip
    # Class names come with the real model; the toy has none.
    script = shares.replace('--data "$DATA"', '--data "$DATA" --classes classes.txt')
    assert script != shares
    for task in (1, 3):
        done = bash(place, script, **given, SLURM_ARRAY_TASK_ID=str(task))
        assert done.returncode == 0, done.stderr
    del given["SLURM_ARRAY_TASK_COUNT"]
    alone = bash(place, script, **given, SLURM_ARRAY_TASK_ID="2", TASKS="3")
    assert alone.returncode == 0, alone.stderr
    done = bash(place, docs.titled("howto/slurm.md", "merge.sh"), **given)
    assert done.returncode == 0, done.stderr
    assert "contrast" in done.stdout
    whole = bash(
        place, f'brittle evaluate "{MODEL.format(0)}" --suite two.toml --data pictures '
        "--classes classes.txt -o runs/whole --batch-size 4 --quiet",
    )  # fmt: skip
    assert whole.returncode == 0, whole.stderr
    one, other = (Run.open(place / "runs" / name) for name in ("array", "whole"))
    assert not one.missing()
    assert one.score("mean_corruption_error") == other.score("mean_corruption_error")


def test_what_is_submitted_depends_on_the_array(place, tmp_path):
    """The script that submits, with a stand-in for sbatch that says what it was given."""
    sbatch = tmp_path / "sbatch"
    sbatch.write_text('#!/bin/sh\necho "$@" >> sbatch.log\necho 4711\n')
    sbatch.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", docs.titled("howto/slurm.md", "submit.sh")],
        cwd=tmp_path, env={**os.environ, "PATH": path}, check=False, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0
    log = (tmp_path / "sbatch.log").read_text().splitlines()
    assert log == ["--parsable shares.sh", "--dependency=afterok:4711 merge.sh"]


def test_a_model_of_ones_own_on_ones_own_pictures(place):
    """The page's file, its first command and its check, as they stand there."""
    pytest.importorskip("torch", reason="torch is not installed")
    (place / "my_file.py").write_text(docs.titled("howto/my-model.md", "my_file.py"))
    rng = np.random.default_rng(1)
    for label in ("cat", "dog"):
        (place / "photos" / label).mkdir(parents=True)
        pixels = rng.integers(0, 256, (36, 40, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(place / "photos" / label / "one.png")
    typed = [line for line in docs.commands(docs.DOCS / "howto" / "my-model.md") if ":load" in line]
    first, check = typed[0], typed[-1]
    assert first.startswith("brittle evaluate python:my_file:load --suite imagenet-c")
    assert "--suite clean" in check
    for command, said in ((first, "mean corruption error"), (check, "clean error")):
        done = bash(place, command, PYTHONWARNINGS="ignore")
        assert done.returncode == 0, done.stderr
        assert said in done.stdout
    run = Run.open(place / "runs" / "mine")
    assert run.classes == ("cat", "dog")
    assert run.predictions().num_rows == 2 * 76

"""The frames of every perturbation are those of the release.

A change must be meant, and raises the part's `version`. Made by
`python -m tests.helpers.sequence_prints > tests/golden/frames.json`; that the numbers are right is
proven in `tests/reference` and `tests/laws`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.sequence_prints import digests

RECORDED = json.loads(Path(__file__).with_name("frames.json").read_text())
ROOT = Path(__file__).parents[2]


def differing(found):
    return sorted(name for name in RECORDED.keys() | found if RECORDED.get(name) != found.get(name))


def test_the_bytes_are_those_of_the_release():
    assert differing(digests()) == []


def test_they_depend_neither_on_threads_nor_on_order():
    assert differing(digests(threads=4, shuffle=True)) == []


@pytest.mark.parametrize(
    "setting",
    [
        {"NUMBA_CPU_NAME": "generic"},
        {
            "OPENCV_CPU_DISABLE": "SSE4_1,SSE4_2,AVX,FP16,AVX2,AVX512_SKX,AVX512F",
            "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL",
        },
    ],
    ids=lambda setting: "-".join(setting),
)
def test_they_do_not_depend_on_the_processor(setting, tmp_path):
    # A cache of its own, so that kernels are compiled for the processor that the setting names.
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)} if "NUMBA_CPU_NAME" in setting else {}
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.sequence_prints", "--threads", "2", "--shuffle"],
        env={**os.environ, **setting, **cache},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert differing(json.loads(done.stdout)) == []

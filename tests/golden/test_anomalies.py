"""The bytes of the synthetic anomalies are those of the release.

A change must be meant, and raises the part's `version`. Made by
`python -m tests.helpers.anomaly_prints > tests/golden/anomalies.json`; that they follow their laws
is proven in `tests/laws`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.anomaly_prints import prints

RECORDED = json.loads(Path(__file__).with_name("anomalies.json").read_text())
ROOT = Path(__file__).parents[2]


def test_the_bytes_are_those_of_the_release():
    assert prints() == RECORDED


def test_they_do_not_depend_on_the_processor(tmp_path):
    setting = {"NUMBA_CPU_NAME": "generic", "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.anomaly_prints"],
        env={**os.environ, **setting, "NUMBA_CACHE_DIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == RECORDED

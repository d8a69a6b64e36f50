"""What holds for all tests: fresh kernels, and reference data where they are promised."""

import hashlib
import os
import tempfile
from pathlib import Path

from tests.helpers.shared import shared

SOURCES = Path(__file__).parents[1] / "src" / "brittle"


def _kernels() -> str:
    """A cache folder for this very source text.

    Numba looks only at the file of a kernel, so one that calls a helper of another file would
    stay as it was when the helper changes.
    """
    text = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        text.update(path.read_bytes())
    return str(Path(tempfile.gettempdir()) / f"brittle-kernels-{text.hexdigest()[:16]}")


# Before Numba is imported, and for the subprocesses of tests too.
os.environ.setdefault("NUMBA_CACHE_DIR", _kernels())


def pytest_configure(config):
    """Refuse to be green without the data where they are promised, as in continuous integration."""
    if os.environ.get("BRITTLE_NEEDS_SHARED") and not shared("reference").is_dir():
        raise RuntimeError(f"The reference data are not in {shared()}.")

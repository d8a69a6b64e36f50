import os
from pathlib import Path

import pytest


@pytest.fixture
def shared() -> Path:
    root = Path(__file__).resolve().parents[2]
    place = Path(os.environ.get("BRITTLE_SHARED", root.parent / "shared"))
    if not (place / "images").is_dir():
        pytest.skip(f"the reference data are not at {place}; set BRITTLE_SHARED")
    return place

"""Where the reference data lie, and the mark of tests that need them.

The data (published draws, pictures, weights) may not be in the repository. They are looked for in
the folder that the environment variable `BRITTLE_SHARED` names, else in `shared` beside the
checkout.
"""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[2]


def shared(*parts: str) -> Path:
    """The path of a reference file, whether or not it is there.

    >>> shared("reference", "severities.json").name
    'severities.json'
    """
    named = os.environ.get("BRITTLE_SHARED")
    root = Path(named) if named else _CHECKOUT.parent / "shared"
    return root.joinpath(*parts)


needs_shared = pytest.mark.skipif(
    not shared("reference").is_dir(),
    reason="the reference data are not here: set BRITTLE_SHARED, or put them beside the checkout",
)
"""Mark of a test that reads the reference data: skipped, with the reason, where they are absent."""

"""How easily a vision model breaks, and by how much.

>>> import brittle
>>> import numpy as np
>>> picture = np.full((64, 64, 3), 128, np.uint8)
>>> brittle.corrupt(picture, "fog", severity=3).shape
(64, 64, 3)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from brittle._version import __version__

if TYPE_CHECKING:
    from brittle import errors as errors
    from brittle._audit import audit as audit
    from brittle._build import build as build
    from brittle._compare import compare as compare
    from brittle._corrupt import Corrupt as Corrupt
    from brittle._corrupt import corrupt as corrupt
    from brittle._corrupt import corrupt_batch as corrupt_batch
    from brittle._evaluate import evaluate as evaluate
    from brittle._leaderboard import leaderboard as leaderboard
    from brittle._merge import merge as merge
    from brittle._perturb import perturb as perturb
    from brittle._perturb import perturb_frames as perturb_frames
    from brittle._report import report as report
    from brittle._run import Run as Run
    from brittle._verify import verify as verify
    from brittle.conditions import Condition as Condition
    from brittle.conditions import condition as condition
    from brittle.editions import Edition as Edition
    from brittle.errors import BrittleError as BrittleError
    from brittle.models import open_model as open_model
    from brittle.sheet import contact_sheet as contact_sheet
    from brittle.sources import open_source as open_source
    from brittle.sources import scan as scan
    from brittle.spec import Spec as Spec

_HOMES = {
    "BrittleError": "brittle.errors",
    "Condition": "brittle.conditions",
    "Corrupt": "brittle._corrupt",
    "Edition": "brittle.editions",
    "Run": "brittle._run",
    "Spec": "brittle.spec",
    "audit": "brittle._audit",
    "build": "brittle._build",
    "compare": "brittle._compare",
    "condition": "brittle.conditions",
    "contact_sheet": "brittle.sheet",
    "corrupt": "brittle._corrupt",
    "corrupt_batch": "brittle._corrupt",
    "evaluate": "brittle._evaluate",
    "leaderboard": "brittle._leaderboard",
    "merge": "brittle._merge",
    "open_model": "brittle.models",
    "open_source": "brittle.sources",
    "perturb": "brittle._perturb",
    "perturb_frames": "brittle._perturb",
    "report": "brittle._report",
    "scan": "brittle.sources",
    "verify": "brittle._verify",
}
"""Public name -> the module that it is imported from when it is first used."""

__all__ = [
    "BrittleError",
    "Condition",
    "Corrupt",
    "Edition",
    "Run",
    "Spec",
    "__version__",
    "audit",
    "build",
    "compare",
    "condition",
    "contact_sheet",
    "corrupt",
    "corrupt_batch",
    "errors",
    "evaluate",
    "leaderboard",
    "merge",
    "open_model",
    "open_source",
    "perturb",
    "perturb_frames",
    "report",
    "scan",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module("brittle.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'brittle' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

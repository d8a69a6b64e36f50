"""A plain Python function as a model."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from brittle.errors import ModelError
from brittle.models._opened import Opened
from brittle.models._prepare import preparation
from brittle.models._settings import only
from brittle.models.base import Model, Settings
from brittle.types import UInt8


def wrap(
    function: Callable[..., Any],
    settings: Settings,
    *,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
) -> Model:
    """Make a model of a function of N x H x W x 3 uint8 that returns N x classes numbers."""
    called = getattr(function, "__qualname__", type(function).__name__)
    name = f"function:{called}" if name is None else name
    if hasattr(function, "state_dict"):
        raise ModelError(
            f"{name} is a torch module, which does not say how pixels become its numbers. Wrap "
            f"it: brittle.models.torch_model(network, size=224, mean=..., std=...)."
        )
    if not callable(function):
        raise ModelError(
            f"{name} is a {type(function).__name__}, which cannot be called. A model is a function "
            f"of N x H x W x 3 uint8 that returns N x classes logits, or what "
            f"brittle.models.torch_model(network, ...) returns."
        )
    params = {} if params is None else params
    why = "a function decides by itself how it runs."
    only(name, settings, "classes", why=why)
    prepared = preparation(params, where=name)

    def forward(batch: UInt8) -> tuple[Any, Any]:
        # A copy, so that a function that scales in place does no harm.
        return function(np.array(batch)), None

    return Opened(
        name,
        forward,
        preparation=prepared,
        classes=settings.classes,
        gives=str(params.get("gives", "logits")),
        facts={
            **({} if prepared is None else prepared.facts()),
            "numpy": np.__version__,
            "classes": "unknown" if settings.classes is None else "given",
        },
    )

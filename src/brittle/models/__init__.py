"""Models: anything that classifies pictures, under one contract (see `base.Model`).

>>> split("onnx:net.onnx(size=32)")
('onnx', 'net.onnx', {'size': 32})
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from brittle.errors import SpecError
from brittle.families import Family, hint
from brittle.models._tempered import tempered
from brittle.models._torch_model import torch_model
from brittle.models.base import Kind, Model, Outputs, Settings
from brittle.spec import Value, parse

__all__ = [
    "MODELS",
    "Kind",
    "Model",
    "Outputs",
    "Settings",
    "open_model",
    "split",
    "tempered",
    "torch_model",
]

MODELS: Family[Kind] = Family("kind of model", "brittle.models", Kind)

_PARAMS = re.compile(r"\(\s*[A-Za-z_]\w*\s*=.*\)\s*$", re.DOTALL)


def split(text: str) -> tuple[str, str, Mapping[str, Value]]:
    """Take `kind:target(key=value)` apart; what has no kind is a `SpecError`."""
    kind, colon, rest = text.partition(":")
    if not colon:
        known = ", ".join(f"{name}:..." for name in MODELS.names())
        near = f" Did you mean python:{text[:-3]}:load?" if text.endswith(".py") else (
            f" Did you mean timm:{text}?" if text.isidentifier() else ""
        )  # fmt: skip
        raise SpecError(f"'{text}' does not name a model; write one of {known}.{near}")
    if kind not in MODELS.names():
        raise SpecError(hint(kind, MODELS.names(), "kind of model"))
    found = _PARAMS.search(rest)
    if found is None:
        return kind, rest.strip(), {}
    params = parse(f"{kind}{found.group()}").params
    return kind, rest[: found.start()].strip(), params


def open_model(model: str | Model | Callable[..., Any], settings: Settings | None = None) -> Model:
    """Open the model that a spec names; a function is wrapped.

    A model that is open already is opened again under the settings where it can be; otherwise
    settings that would change it are refused, and class names that are given go before its own.

    A plain function takes N x H x W x 3 uint8 and returns N x classes logits as an array or a
    torch tensor; its class names come from `settings.classes`.
    """
    settings = Settings() if settings is None else settings
    # Threads of OpenMP that wait for each other burn their cores by default, and pictures are made
    # on the same ones meanwhile: on a busy machine that costs more than half of the speed. It is
    # read when a library loads OpenMP; one that is loaded already, or said otherwise, stays.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if isinstance(model, Model):
        return _again(model, settings)
    if not isinstance(model, str):
        from brittle.models._function import wrap

        return wrap(model, settings)
    kind, target, params = split(model)
    part = MODELS.load(kind)
    if not target:
        raise SpecError(f"'{model}' names no model; after {kind}: comes {part.about}")
    for name, value in params.items():
        if name not in part.params:
            if part.passes:
                continue
            where = f"{hint(name, part.params, 'parameter')}" if part.params else "It takes none."
            raise SpecError(f"{kind}: {where}")
        _check_type(f"{kind}: {name}", value, part.params[name])
    found = part.open(target, params, settings)
    return remembered(found, settings)


def _check_type(where: str, value: Value, wanted: type | tuple[type, ...]) -> None:
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    number = float in kinds and isinstance(value, int) and not isinstance(value, bool)
    if not number and type(value) not in kinds:
        names = " or ".join(kind.__name__ for kind in kinds)
        raise SpecError(f"{where} must be a {names}; got {value!r}.")


def remembered(model: Model, settings: Settings) -> Model:
    """Note the settings that a model was opened under."""
    from brittle.models._opened import Opened

    if isinstance(model, Opened) and model.settings is None:
        model.settings = settings
    return model


def _again(model: Model, settings: Settings) -> Model:
    from brittle.models._opened import Named, Opened
    from brittle.models._settings import only

    asked = {
        one.name: value
        for one in fields(Settings)
        if (value := getattr(settings, one.name)) != one.default
    }
    if isinstance(model, Opened) and model.settings is not None:
        merged = replace(model.settings, **asked)
        if merged == model.settings:
            return model
        if model.reopen is not None:
            return model.reopen(model.name, merged)
    if not asked:
        return model
    only(model.name, settings, "classes", why="it is open already.")
    return Named(model, model.name, settings.classes)

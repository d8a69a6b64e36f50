"""A model that the user's own code makes: `module:callable`, called with what it asks for.

This runs that code. It is found in the current directory or among the installed packages.
Parameters of the spec that the callable names, as `load(weights=net.safetensors)`, are handed to
it; the others say how pictures are prepared for the function that it returns.
"""

import inspect
from collections.abc import Mapping
from typing import Any

from brittle.errors import SpecError
from brittle.families import hint
from brittle.models._function import wrap
from brittle.models._networks import call, find
from brittle.models._opened import Named, Opened
from brittle.models._prepare import PREPARE_PARAMS
from brittle.models._settings import only
from brittle.models.base import Kind, Model, Settings
from brittle.spec import Spec, Value


def _open(target: str, params: Mapping[str, Value], settings: Settings) -> Model:
    name = str(Spec(f"python:{target}", params))
    function = find(target)
    named = _named(function)
    asked = "settings" in named
    given = {key: value for key, value in params.items() if key in named and key != "settings"}
    params = {key: value for key, value in params.items() if key not in given}
    if strange := [key for key in params if key not in PARAMS]:
        known = (*PARAMS, *(key for key in named if key != "settings"))
        raise SpecError(f"python: {hint(strange[0], known, 'parameter')}")
    made = call(function, target, given={**given, **({"settings": settings} if asked else {})})
    if not isinstance(made, Model):
        return wrap(made, settings, name=name, params=params)
    if params:
        raise SpecError(
            f"{name}: {target} returns a model, which has its own preprocessing; leave "
            f"{next(iter(params))} out."
        )
    if isinstance(made, Opened) and made.reopen is not None:
        return made.reopen(name, settings)
    if not asked:
        why = "the callable takes no settings= to make its model by."
        only(name, settings, "classes", why=why)
    return Named(made, name, settings.classes)


def _named(function: Any) -> tuple[str, ...]:
    """Return the names of the arguments that can be given by name."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(
        one.name for one in found if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    )


PARAMS: Mapping[str, type | tuple[type, ...]] = {**PREPARE_PARAMS, "gives": str}
"""What can be said of a function of batches; the types are checked before it is opened."""

PART = Kind(
    about="your own code, module:callable, returning a function of batches or a torch_model(...)",
    open=_open,
    params=PARAMS,
    passes=True,
)

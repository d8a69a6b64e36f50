"""A model that the user's own code makes: `module:callable`, called without arguments.

This runs that code. It is found in the current directory or among the installed packages.
"""

import inspect
from collections.abc import Mapping
from typing import Any

from brittle.errors import SpecError
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
    asked = _takes_settings(function)
    made = call(function, target, given={"settings": settings} if asked else {})
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


def _takes_settings(function: Any) -> bool:
    try:
        return "settings" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


PART = Kind(
    about="your own code, module:callable, returning a function of batches or a torch_model(...)",
    open=_open,
    params={**PREPARE_PARAMS, "gives": str},
)

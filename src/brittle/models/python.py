"""A model that the user's own code makes: `module:callable`, called without arguments.

This runs that code. It is found in the current directory or among the installed packages.
"""

import inspect
from collections.abc import Mapping
from typing import Any, final

from brittle.errors import SpecError
from brittle.models._function import wrap
from brittle.models._networks import call, find
from brittle.models._opened import Opened
from brittle.models._prepare import PREPARE_PARAMS
from brittle.models._settings import only
from brittle.models.base import Kind, Model, Outputs, Settings
from brittle.spec import Spec, Value
from brittle.types import Pixels, UInt8


@final
class Named(Model):
    """A model under the name that it was asked for, and the classes that were given."""

    def __init__(self, model: Model, name: str, classes: tuple[str, ...] | None) -> None:
        """Take all else from the model."""
        self._model = model
        self.name = name
        self.classes = model.classes if classes is None else classes
        self.size = model.size
        self.digest = model.digest
        self.gives = model.gives
        self.facts = {**model.facts, **({} if classes is None else {"classes": "given"})}

    def prepare(self, image: Pixels) -> Pixels:
        """Prepare as the model does."""
        return self._model.prepare(image)

    def predict(self, batch: UInt8) -> Outputs:
        """Classify as the model does."""
        return self._model.predict(batch)


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

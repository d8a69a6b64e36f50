"""A model whose logits are divided by a temperature: the same answers, another confidence."""

import hashlib
import math
from typing import Any, final

from brittle.errors import SpecError
from brittle.models.base import Model, Outputs
from brittle.types import Pixels, UInt8


@final
class Tempered(Model):
    """Another model's outputs, its logits divided by one number (Guo et al., 2017)."""

    def __init__(self, model: Model, temperature: float) -> None:
        """Refuse what has no confidence to scale."""
        if not (math.isfinite(temperature) and temperature > 0):
            raise SpecError(f"A temperature is a number above 0; got {temperature!r}.")
        if model.gives == "classes":
            raise SpecError(
                f"{model.name} gives the foremost class and no confidence, so there is nothing to "
                f"scale; leave the temperature out."
            )
        self._model, self._temperature = model, float(temperature)
        self.name = f"{model.name} at temperature {self._temperature:g}"
        self.classes = model.classes
        self.size = model.size
        said = f"{model.digest} temperature {self._temperature!r}"
        self.digest = None if model.digest is None else hashlib.sha256(said.encode()).hexdigest()
        self.gives = model.gives
        self.facts: dict[str, Any] = {**model.facts, "temperature": self._temperature}

    def prepare(self, image: Pixels) -> Pixels:
        """Prepare as the model does."""
        return self._model.prepare(image)

    def predict(self, batch: UInt8) -> Outputs:
        """Classify as the model does, and divide the logits."""
        found = self._model.predict(batch)
        samples = None if found.samples is None else found.samples / self._temperature
        return Outputs(found.logits / self._temperature, found.features, samples)


def tempered(model: Model, temperature: float) -> Model:
    """Return an opened model whose logits are divided by a temperature, as one was fitted.

    `run.calibrate(temperature=True).scaled.temperature.value` is such a number. Above 1 the model
    is less sure, below it surer; what it answers stays the same.
    """
    return Tempered(model, temperature)

"""The model that every kind opens: a way to prepare, a way to run, and what is said of it."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from brittle.errors import BrittleError, ModelError, OutOfMemoryError, SpecError
from brittle.files import plain
from brittle.models._prepare import Preparation, check_picture
from brittle.models._settings import check_classes
from brittle.models.base import Model, Outputs, Settings
from brittle.types import Pixels, UInt8

Forward: TypeAlias = Callable[[UInt8], tuple[Any, ...]]
"""N x H x W x 3 uint8 -> logits, features (or None), and logits of stochastic passes if there are
any, as arrays or torch tensors."""

GIVES = ("logits", "probabilities", "classes")

_SHORT = ("can't allocate memory", "not enough memory", "out of memory", "failed to allocate")


@final
class Opened(Model):
    """A model made of a function of batches."""

    def __init__(
        self,
        name: str,
        forward: Forward,
        *,
        preparation: Preparation | None = None,
        size: tuple[int, int] | None = None,
        classes: tuple[str, ...] | None = None,
        digest: str | None = None,
        gives: str = "logits",
        facts: Mapping[str, Any],
        reopen: Callable[[str, Settings], Model] | None = None,
    ) -> None:
        """Put it together; `size` is for what takes one size and has no preparation."""
        if gives not in GIVES:
            raise SpecError(f"{name}: gives must be logits, probabilities or classes; got {gives}.")
        self.name = name
        self.classes = None if classes is None else tuple(map(plain, classes))
        self.size = size if preparation is None else preparation.size
        self.digest = digest
        self.gives = gives
        self.facts = facts
        self.settings: Settings | None = None
        """Those that it was opened under, where that is known."""
        self.reopen = reopen
        """Opens the same network under another name and other settings, where that can be done."""
        self._forward = forward
        self._preparation = preparation

    def prepare(self, image: Pixels) -> Pixels:
        """Bring a picture to the model's size."""
        if self._preparation is not None:
            return self._preparation(image)
        check_picture(image)
        if self.size not in (None, image.shape[:2]):
            raise ModelError(
                f"{self.name} does not say how a picture is brought to its size, "
                f"{_shown(self.size)}; got {_shown(image.shape[:2])}. Prepare the pictures first."
            )
        return image

    def predict(self, batch: UInt8) -> Outputs:
        """Classify a batch."""
        self._check(batch)
        try:
            logits, features, *passes = self._forward(batch)
        except BrittleError:
            raise
        except Exception as error:
            if memory_is_short(error):
                raise OutOfMemoryError(
                    f"{self.name} has no memory for a batch of {len(batch)}; use a smaller one."
                ) from error
            raise ModelError(
                f"{self.name} cannot classify a batch of shape {batch.shape}: "
                f"{type(error).__name__}: {error}"
            ) from error
        if self.gives == "classes":
            return Outputs(self._chosen(logits, len(batch)))
        found = self._matrix(logits, len(batch), "logits")
        check_classes(self.classes, found.shape[1], what=self.name)
        if self.gives == "probabilities":
            found = self._logarithms(found)
        seen = None if features is None else self._matrix(features, len(batch), "features")
        return Outputs(found, seen, self._samples(passes[0], found.shape) if passes else None)

    def _check(self, batch: UInt8) -> None:
        right = isinstance(batch, np.ndarray) and batch.dtype == np.uint8 and batch.ndim == 4
        if not right or batch.shape[3] != 3 or 0 in batch.shape:
            got = f"{batch.dtype} {batch.shape}" if isinstance(batch, np.ndarray) else type(batch)
            raise ModelError(f"{self.name} takes N x H x W x 3 uint8; got {got}.")
        if self.size not in (None, batch.shape[1:3]):
            raise ModelError(
                f"{self.name} takes pictures of {_shown(self.size)}; got "
                f"{_shown(batch.shape[1:3])}. It does not resize them: use its prepare() first."
            )

    def _matrix(self, given: Any, rows: int, noun: str) -> NDArray[np.float32]:
        array = as_array(given)
        if array.ndim != 2 or len(array) != rows or array.shape[1] < 1:
            raise ModelError(
                f"{self.name} gives {noun} of shape {array.shape} for {rows} pictures; a "
                f"classifier gives one row of numbers a picture."
            )
        return array

    def _samples(self, given: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Return logits of stochastic passes, N x passes x classes."""
        array = as_array(given)
        if self.gives == "probabilities":
            array = self._logarithms(array.reshape(-1, shape[1])).reshape(array.shape)
        return array

    def _chosen(self, given: Any, rows: int) -> NDArray[np.float32]:
        """Turn indices of the foremost classes into the logarithms of sure probabilities."""
        if self.classes is None:
            raise ModelError(
                f"{self.name} gives the foremost class only, so the classes must be named: "
                f"--classes FILE, a name a line."
            )
        chosen = as_array(given)
        whole = chosen.shape == (rows,) and bool((chosen == np.floor(chosen)).all())
        if not whole or chosen.min() < 0 or chosen.max() >= len(self.classes):
            raise ModelError(
                f"{self.name} is said to give classes: {rows} whole numbers from 0 to "
                f"{len(self.classes) - 1} for {rows} pictures; got the shape {chosen.shape}."
            )
        sure = np.arange(len(self.classes)) == chosen[:, None]
        found: NDArray[np.float32] = sure.astype(np.float32)
        return np.log(np.maximum(found, np.finfo(np.float32).tiny))

    def _logarithms(self, found: NDArray[np.float32]) -> NDArray[np.float32]:
        sums = found.sum(axis=1)
        if not (found.min() >= -1e-3 and np.all(np.abs(sums - 1) < 1e-2)):
            raise ModelError(
                f"{self.name} is said to give probabilities, but a row sums to {sums[0]:.4g} with "
                f"{found.min():.4g} as its least. Say gives=logits if that is what it gives."
            )
        # A probability that was rounded to nought keeps a finite logarithm.
        return np.log(np.maximum(found, np.finfo(np.float32).tiny))


def as_array(given: Any) -> NDArray[np.float32]:
    """Bring an array or a torch tensor, wherever it lies, to float32 of its own."""
    if hasattr(given, "detach"):
        given = given.detach().float().cpu().numpy()
    try:
        return np.array(given, np.float32)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"A model must give numbers, N x classes, as an array or a tensor; got a "
            f"{type(given).__name__}."
        ) from error


def memory_is_short(error: Exception) -> bool:
    """Whether an error says that the batch was too large for the memory."""
    torch = sys.modules.get("torch")
    if isinstance(error, MemoryError) or (torch and isinstance(error, torch.OutOfMemoryError)):
        return True
    # The allocators of a CPU, of MPS and of ONNX Runtime say it in words only.
    return isinstance(error, RuntimeError | OSError) and any(
        words in str(error).lower() for words in _SHORT
    )


def in_pieces(forward: Forward, piece: int) -> Forward:
    """Run what takes exactly `piece` pictures at a time: split, and fill up the last batch."""

    def run(batch: UInt8) -> tuple[Any, Any]:
        logits, features = [], []
        for first in range(0, len(batch), piece):
            part = batch[first : first + piece]
            real = len(part)
            if real < piece:
                part = np.concatenate([part, np.repeat(part[-1:], piece - real, axis=0)])
            found, seen = forward(part)[:2]
            logits.append(as_array(found)[:real])
            if seen is not None:
                features.append(as_array(seen)[:real])
        return np.concatenate(logits), np.concatenate(features) if features else None

    return run


def _shown(size: tuple[int, ...] | None) -> str:
    return "any size" if size is None else f"{size[1]}x{size[0]}"


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

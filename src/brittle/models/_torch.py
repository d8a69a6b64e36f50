"""How a torch network is run: device, precision, memory layout, features. One runner for all."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeAlias

import numpy as np

from brittle.errors import ModelError
from brittle.models._extras import need
from brittle.models._prepare import Normal
from brittle.models.base import Settings
from brittle.types import UInt8

torch: Any = need("torch", "torch")

Call: TypeAlias = Callable[[Any], tuple[Any, Any]]
"""N x 3 x H x W float32 on the device -> logits and features (or None)."""


def choose_device(wanted: str) -> Any:
    """Return the torch device for a setting; one that is not there is refused."""
    if wanted == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    device = torch.device(wanted)
    if device.type == "cuda":
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if (device.index or 0) >= count:
            raise ModelError(
                f"There is no device {wanted}: torch {torch.__version__} sees {count} CUDA "
                f"devices. Use device auto or cpu, or install a torch that fits the driver."
            )
    if device.type == "mps" and not torch.backends.mps.is_available():
        raise ModelError("There is no device mps on this machine; use device auto or cpu.")
    return device


def place(network: Any, device: Any, settings: Settings) -> Any:
    """Bring a module to evaluation mode, to its device and to its memory layout."""
    if not isinstance(network, torch.nn.Module):
        raise ModelError(
            f"A torch network must be a torch.nn.Module; got a {type(network).__name__}."
        )
    network = network.eval().to(device)
    return network.to(memory_format=torch.channels_last) if last(device, settings) else network


def last(device: Any, settings: Settings) -> bool:
    """Whether channels come last in memory."""
    return device.type == "cpu" if settings.channels_last is None else settings.channels_last


class Runner:
    """Runs uint8 batches through a network on a device."""

    def __init__(
        self,
        call: Call,
        *,
        device: Any,
        normal: Normal,
        settings: Settings,
        dropping: Any = None,
    ) -> None:
        """Take a network that lies on the device already; `dropping` makes stochastic passes."""
        self._dropping, self._passes = dropping, settings.passes
        if settings.threads is not None:
            torch.set_num_threads(settings.threads)
        self._call = call
        self._device = device
        self._layout = torch.channels_last if last(device, settings) else torch.contiguous_format
        self._mean, self._std = (
            torch.tensor(values, dtype=torch.float32, device=device).view(1, 3, 1, 1)
            for values in (normal.mean, normal.std)
        )
        self._white = 255 / normal.scale
        # Autocast keeps weights, normalisations and softmax in float32 and lowers what gains by it.
        self._precision = (
            None if settings.precision == "float32" else getattr(torch, settings.precision)
        )

    def __call__(self, batch: UInt8) -> tuple[Any, ...]:
        """Return logits and features of N x H x W x 3 uint8, and the logits of all passes."""
        # torch warns of arrays that it might write to and must not.
        batch = np.ascontiguousarray(batch) if batch.flags.writeable else batch.copy()
        with torch.inference_mode():
            x = torch.from_numpy(batch).to(self._device).permute(0, 3, 1, 2)
            x = x.to(torch.float32, memory_format=self._layout)
            # The same operations in the same order as the libraries' own, for the same bits.
            x = x.div_(self._white).sub_(self._mean).div_(self._std)
            lower = (
                nullcontext()
                if self._precision is None
                else torch.autocast(self._device.type, dtype=self._precision)
            )
            try:
                with lower:
                    logits, features = self._call(x)
                    if self._dropping is None:
                        return logits, features
                    samples = self._dropping.samples(self._call, x, batch, self._passes)
                    return logits, features, samples
            except torch.OutOfMemoryError:
                # What is cached for the larger batch must not be missing for the smaller one.
                if self._device.type == "cuda":
                    torch.cuda.empty_cache()
                raise


class Plain:
    """A network as it is, without features."""

    def __init__(self, network: Any) -> None:
        """Take the network."""
        self._network = network

    def __call__(self, x: Any) -> tuple[Any, Any]:
        """Return logits."""
        return logits_of(self._network(x)), None


class Tapped:
    """A network whose last linear layer is listened to: its input are the features."""

    def __init__(self, network: Any) -> None:
        """Listen to every linear layer; the one that is called last is the last."""
        self._network = network
        self._seen: tuple[Any, Any] | None = None
        layers = [m for m in network.modules() if isinstance(m, torch.nn.Linear)]
        if not layers:
            raise ModelError(
                f"{type(network).__name__} has no linear layer, so its features cannot be had. "
                f"Leave features out."
            )
        for layer in layers:
            layer.register_forward_hook(self._hook)

    def _hook(self, _: Any, inputs: tuple[Any, ...], output: Any) -> None:
        self._seen = (inputs[0], output)

    def __call__(self, x: Any) -> tuple[Any, Any]:
        """Return logits and features."""
        self._seen = None
        logits = logits_of(self._network(x))
        if self._seen is None:
            raise ModelError("No linear layer was called; leave features out.")
        features, output = self._seen
        self._seen = None
        if output.shape != logits.shape or not torch.equal(output, logits):
            raise ModelError(
                f"The last linear layer of {type(self._network).__name__} does not give its "
                f"logits, so what goes into it are not its features. Leave features out."
            )
        return logits, features


def logits_of(output: Any) -> Any:
    """Take the logits out of what a network returns: a tensor, or an object that names them."""
    found = getattr(output, "logits", output)
    if not isinstance(found, torch.Tensor):
        raise ModelError(
            f"The network returns a {type(output).__name__}, not a tensor of N x classes logits. "
            f"Wrap it in a module that does."
        )
    return found


def facts(device: Any, settings: Settings, *, parameters: int | None) -> dict[str, Any]:
    """Say how it is run."""
    said = {
        "device": str(device),
        "precision": settings.precision,
        "channels_last": last(device, settings),
        "threads": torch.get_num_threads(),
        "torch": str(torch.__version__),
        "parameters": parameters,
    }
    if device.type == "cuda":
        said["gpu"] = torch.cuda.get_device_name(device)
        # float32 convolutions may be rounded to 10 bits of mantissa where this is on.
        said["tf32"] = bool(torch.backends.cudnn.allow_tf32)
    return said

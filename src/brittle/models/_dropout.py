"""Stochastic passes of a torch network: dropout stays on, and what it drops belongs to a picture.

The network is in evaluation mode, where its dropout layers do nothing; each is listened to, and in
a stochastic pass what it gives is dropped by a mask of its own. Masks are drawn for each picture
from its pixels, so that they depend on neither the batch nor the order.
"""

import hashlib
from typing import Any

from brittle import seeds
from brittle.errors import ModelError
from brittle.models._extras import need
from brittle.types import UInt8

torch: Any = need("torch", "torch")


class Dropping:
    """Drops in all dropout layers of a network while a pass is on."""

    def __init__(self, network: Any) -> None:
        """Listen to every dropout layer; a network without any is refused."""
        kinds = torch.nn.modules.dropout
        layers = [m for m in network.modules() if isinstance(m, kinds._DropoutNd) and m.p > 0]
        strange = (torch.nn.AlphaDropout, torch.nn.FeatureAlphaDropout)
        if not layers or any(isinstance(layer, strange) for layer in layers):
            raise ModelError(
                f"{type(network).__name__} has no dropout layer that stochastic passes could turn "
                f"on (torch.nn.Dropout with p above 0); leave samples out."
            )
        self._place = {layer: place for place, layer in enumerate(layers)}
        self._digests: list[str] | None = None
        self._pass = 0
        for layer in layers:
            layer.register_forward_hook(self._hook)

    def begin(self, batch: UInt8, number: int) -> None:
        """Turn dropout on for a pass over these pictures."""
        if self._digests is None:
            self._digests = [hashlib.sha256(p.tobytes()).hexdigest() for p in batch]
        self._pass = number

    def end(self) -> None:
        """Turn dropout off."""
        self._digests = None

    def _hook(self, layer: Any, _: Any, output: Any) -> Any:
        if self._digests is None:
            return None
        # Dropout of channels drops whole ones.
        whole = isinstance(layer, torch.nn.Dropout)
        shape = output.shape[1:] if whole else (output.shape[1], *[1] * (output.dim() - 2))
        if len(output) != len(self._digests):
            raise ModelError(
                "A dropout layer of this network does not see a row a picture, so what it drops "
                "cannot belong to a picture; leave samples out."
            )
        masks = [self._mask(layer, digest, shape) for digest in self._digests]
        mask = torch.stack(masks).to(output.device, output.dtype)
        return output * mask / (1 - layer.p) if layer.p < 1 else output * 0

    def _mask(self, layer: Any, digest: str, shape: Any) -> Any:
        generator = torch.Generator("cpu")
        key = seeds.stream(0, f"dropout {self._place[layer]} {self._pass}", digest)
        generator.manual_seed(key & (2**63 - 1))
        return torch.rand(tuple(shape), generator=generator) >= layer.p

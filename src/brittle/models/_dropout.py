"""Stochastic passes of a torch network: dropout stays on, and what it drops belongs to a picture.

The network is in evaluation mode, where its dropout layers do nothing; each is listened to, and in
a stochastic pass what it gives is dropped by a mask of its own. Masks are drawn for each picture
from its pixels, so that they depend on neither the batch nor the order.

What comes before the first of these layers is the same in every pass. So the batch is multiplied
there, a row a pass, and one run gives all of them: a network whose dropout is near its end, as most
have it, takes hardly longer for ten passes than for one. Where that does not go, since a path leads
around the layer, the network is run once a pass.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from brittle import seeds
from brittle.errors import ModelError
from brittle.models._extras import need
from brittle.types import UInt8

torch: Any = need("torch", "torch")


class Dropping:
    """Drops in all dropout layers of a network while passes are on."""

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
        self._at_once = True
        self._digests: list[str] = []
        self._passes = range(0)
        self._calls = 0
        for layer in layers:
            layer.register_forward_hook(self._hook)

    def samples(self, call: Callable[[Any], Any], x: Any, batch: UInt8, passes: int) -> Any:
        """Return the logits of the passes over these pictures, N x passes x classes.

        `call` runs the network on x, what it is given for the batch; logits come first.
        """
        self._digests = [hashlib.sha256(picture.tobytes()).hexdigest() for picture in batch]
        try:
            if self._at_once and (found := self._together(call, x, passes)) is not None:
                return found
            self._at_once = False
            return torch.stack([self._run(call, x, range(n, n + 1)) for n in range(passes)], dim=1)
        finally:
            self._passes = range(0)

    def _together(self, call: Callable[[Any], Any], x: Any, passes: int) -> Any:
        """Return the logits of all passes from one run; None where that does not go."""
        try:
            logits = self._run(call, x, range(passes))
        except torch.OutOfMemoryError:
            raise
        except RuntimeError:
            return None  # shapes that do not fit; anything else the single passes say again
        count = len(self._digests)
        if logits.dim() != 2 or len(logits) != count * passes:
            return None
        return logits.unflatten(0, (count, passes))

    def _run(self, call: Callable[[Any], Any], x: Any, passes: range) -> Any:
        self._passes, self._calls = passes, 0
        return call(x)[0]

    def _hook(self, layer: Any, _: Any, output: Any) -> Any:
        if not self._passes:
            return None
        self._calls += 1  # a layer that is called again drops other ones
        count, times = len(self._digests), len(self._passes)
        if len(output) not in (count, count * times):
            raise ModelError(
                "A dropout layer of this network does not see a row a picture, so what it drops "
                "cannot belong to a picture; leave samples out."
            )
        if len(output) == count:
            output = output.repeat_interleave(times, dim=0)
        # Dropout of channels drops whole ones.
        whole = isinstance(layer, torch.nn.Dropout)
        shape = output.shape[1:] if whole else (output.shape[1], *[1] * (output.dim() - 2))
        masks = [
            self._mask(layer.p, f"dropout {self._calls} {number}", digest, shape)
            for digest in self._digests
            for number in self._passes
        ]
        mask = torch.stack(masks).to(output.device, output.dtype)
        return output * mask / (1 - layer.p) if layer.p < 1 else output * 0

    @staticmethod
    def _mask(share: float, name: str, digest: str, shape: Any) -> Any:
        generator = torch.Generator("cpu")
        generator.manual_seed(seeds.stream(0, name, digest) & (2**63 - 1))
        return torch.rand(tuple(shape), generator=generator) >= share

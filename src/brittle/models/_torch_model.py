"""A torch network of one's own as a model, with its preprocessing said in words."""

from collections.abc import Sequence
from typing import Any

from brittle.models.base import Model, Settings


def torch_model(
    network: Any,
    *,
    mean: Sequence[float],
    std: Sequence[float],
    size: int | tuple[int, int] | None = None,
    resize: int | None = None,
    crop_pct: float | None = None,
    crop_mode: str = "center",
    interpolation: str = "bilinear",
    scale: float = 1.0,
    gives: str = "logits",
    classes: Sequence[str] | None = None,
    name: str | None = None,
    settings: Settings | None = None,
) -> Model:
    """Give a `torch.nn.Module` its preprocessing, and so make a model of it.

    The network gets N x 3 x H x W float32, `(pixel / 255 * scale - mean) / std` a channel, and
    returns N x classes logits (or probabilities, if `gives` says so). It is put into evaluation
    mode and moved to the device of `settings`; `python:module:callable` passes its own settings to
    what the callable returns, so that `--device` and `--precision` are followed.

    `size` is what the network takes (None: any). A picture of another size is resized and cropped:
    shorter side to `resize`, or to `size / crop_pct`, then the centre (`crop_mode="center"`); both
    sides at once (`"squash"`); or the whole picture within a border (`"border"`).
    """
    from brittle.models._networks import from_network
    from brittle.models._opened import Opened

    used = Settings() if settings is None else settings
    made = from_network(
        network,
        params={
            "mean": tuple(mean),
            "std": tuple(std),
            "crop_mode": crop_mode,
            "interpolation": interpolation,
            "scale": scale,
            "gives": gives,
            **({} if size is None else {"size": size}),
            **({} if resize is None else {"resize": resize}),
            **({} if crop_pct is None else {"crop_pct": crop_pct}),
        },
        classes=None if classes is None else tuple(classes),
        name=f"torch:{type(network).__name__}" if name is None else name,
        settings=used,
    )
    if isinstance(made, Opened):
        made.settings = used
    return made
